"""Our sweep: a stack in a folder of its own, asked over REST."""

import secrets
import time
from datetime import datetime

from tests.bench.verify import metric

LOAD = {"input_tokens": 128, "output_tokens": 128, "requests": 10, "warmup_requests": 0, "concurrency": 1}
VERSION = {
    "version": "1.0.0",
    "load_profile": LOAD,
    "metrics": [metric("ttft_p50", "ms", "percentile", primary=True)],
    "policy": {"deciding_metrics": ["ttft_p50"]},
}
OPEN = {"queued", "running"}
POLL_SECONDS = 1  # the end is taken from the campaign itself


class Ours:
    """An organization with a load profile of the manager's size, and a new endpoint for each sweep."""

    def __init__(self, stack, platform, key):
        self._platform, self._key, self._sweeps = platform, key, 0
        platform.log_in(username="bench", email="bench@example.org", password=secrets.token_urlsafe(12))
        self._organization = platform.organization("bench", "Bench")["id"]
        benchmark = platform.post(
            "/benchmarks",
            {
                "organization_id": self._organization,
                "slug": "sweep",
                "name": "Sweep",
                "kind": "performance",
                "category": "performance",
            },
        )
        self._profile = platform.post(f"/benchmarks/{benchmark['id']}/versions", VERSION)["id"]
        platform.post(f"/benchmark-versions/{self._profile}/publish")
        stack.manage("activate_benchmark", "sweep")

    def sweep(self, simulator):
        """(seconds from the request to the campaign's end, its rows)."""
        endpoint = self._endpoint(simulator)
        asked = {
            "organization_id": self._organization,
            "endpoint_id": endpoint,
            "mode": "full",
            "profile_version_id": self._profile,
        }
        began = time.time()
        campaign = self._platform.post("/campaigns", asked)
        while campaign["status"] in OPEN:
            time.sleep(POLL_SECONDS)
            campaign = self._platform.get(f"/campaigns/{campaign['id']}")
        if campaign["item_count"] == 0:
            raise SystemExit(f"nothing was swept: {campaign}")
        items = list(self._platform.every(f"/campaigns/{campaign['id']}/items"))
        return datetime.fromisoformat(campaign["finished_at"]).timestamp() - began, items

    def _endpoint(self, simulator):
        self._sweeps += 1
        form = {
            "organization_id": self._organization,
            "name": f"sweep-{self._sweeps}",
            "provider_name": "Simulated",
            "base_url": simulator.base_url,
            "api_key": self._key,
        }
        return self._platform.post("/endpoints", form)["id"]
