"""What verification costs beside measuring: `python -m tests.bench.verify`.

By turns: bare `aiperf profile`, and a verification of a claim from the HTTP request to the committed verdict,
with the same flags, pacing and simulated server (TTFT 50 ms, ITL 5 ms; 64/64 tokens, 20 requests and 2
warm-ups, concurrency 1, one session). The stack has a folder of its own, and its gateway is calibrated.
"""

import argparse
import json
import secrets
import sys
import tempfile
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from statistics import median

from exchange.supervisor.stack import Stack
from llm_benchmark.measure.performance import aiperf
from llm_benchmark.measure.plans import EgressRules, PerformancePlan, Target
from llm_benchmark.measure.probing import probe_dialect
from llm_benchmark.measure.tokenizer import seed_cache
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.e2e.rest import Rest

TTFT_MS, ITL_MS = 50, 5
PROFILE = {
    "input_tokens": 64,
    "output_tokens": 64,
    "requests": 20,
    "warmup_requests": 2,
    "concurrency": 1,
    "streaming": True,
}
RATIO, ADDED_SECONDS = 1.15, 1.5
MODEL, KEY = "bench", "bench-key"


def metric(name, unit, kind, *, primary=False):
    return {
        "name": name,
        "title": name,
        "unit": unit,
        "direction": "lower_is_better",
        "kind": kind,
        "is_primary": primary,
    }


VERSION = {
    "version": "1.0.0",
    "load_profile": PROFILE,
    "metrics": [
        metric("ttft_p50", "ms", "percentile", primary=True),
        metric("request_latency_p50", "ms", "percentile"),
    ],
    "policy": {"deciding_metrics": ["ttft_p50", "request_latency_p50"]},
}
CLAIMS = [
    {"name": "ttft_p50", "value": float(TTFT_MS), "sample_count": 20},
    {"name": "request_latency_p50", "value": float(TTFT_MS + 63 * ITL_MS), "sample_count": 20},
]


class Bench:
    def __init__(self, stack, platform, simulator, folder):
        self.platform, self.folder = platform, folder
        self.target = Target(
            simulator.base_url,
            MODEL,
            KEY,
            egress=EgressRules(allow=frozenset({simulator.host_and_port})),
        )
        self.dialect = probe_dialect(self.target)
        platform.log_in(username="bench", email="bench@example.org", password=secrets.token_urlsafe(12))
        organization = platform.organization("bench", "Bench")
        benchmark = platform.post(
            "/benchmarks",
            {
                "organization_id": organization["id"],
                "slug": "bench",
                "name": "Bench",
                "kind": "performance",
                "category": "performance",
            },
        )
        version = platform.post(f"/benchmarks/{benchmark['id']}/versions", VERSION)
        platform.post(f"/benchmark-versions/{version['id']}/publish")
        stack.manage("activate_benchmark", "bench")
        endpoint = platform.post(
            "/endpoints",
            {
                "organization_id": organization["id"],
                "name": "bench",
                "provider_name": "Simulated",
                "base_url": simulator.base_url,
                "api_key": KEY,
            },
        )
        platform.post(f"/endpoints/{endpoint['id']}/discover")
        [deployment] = platform.every("/deployments", endpoint_id=endpoint["id"])
        self.claim = {
            "organization_id": organization["id"],
            "benchmark_id": benchmark["id"],
            "deployment_id": deployment["id"],
            "claims": CLAIMS,
        }

    def bare(self, number):
        """Seconds of `aiperf profile` with the verification's flags, straight at the simulated server."""
        directory = self.folder / f"bare-{number}"
        directory.mkdir()
        job = aiperf.AiperfJob(
            plan=PerformancePlan(**PROFILE, seed=secrets.randbits(31)),
            target=replace(self.target, dialect=self.dialect),
            url=self.target.base_url.removesuffix("/v1"),
            path="/v1/chat/completions",
            key=KEY,
            directory=directory,
            tokenizer_cache=seed_cache(self.folder / "tokenizer"),
        )
        started = time.monotonic()
        run = aiperf.Aiperf.start(job, aiperf.find_aiperf())
        exit_code = run.wait(120)
        seconds = time.monotonic() - started
        exported = json.loads((job.artifacts / "profile_export_aiperf.json").read_text())
        if exit_code != 0 or not exported["is_complete"]:
            raise SystemExit("bare aiperf did not complete")
        return seconds

    def verified(self):
        """Seconds from sending request-verification to the verdict's commit, by one machine's clock."""
        submission = self.platform.post("/submissions", self.claim)
        path = f"/submissions/{submission['id']}"
        bound = self.platform.get(f"{path}/verification-bound")["accept_bound"]
        started = time.time()
        verification = self.platform.post(f"{path}/request-verification", {"accept_bound": bound})
        while verification["status"] in {"requested", "running"}:
            time.sleep(0.1)
            verification = self.platform.get(f"/verifications/{verification['id']}")
        if verification["status"] != "decided":
            raise SystemExit(f"not decided: {verification}")
        return datetime.fromisoformat(verification["finished_at"]).timestamp() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    pairs = parser.parse_args().pairs
    behaviour = Behaviour(ttft_ms=TTFT_MS, itl_ms=ITL_MS)
    config = SimulatorConfig(models={MODEL: behaviour}, api_key=KEY)
    with tempfile.TemporaryDirectory(prefix="bench-verify-") as temporary, Simulator(config) as simulator:
        folder = Path(temporary)
        env = {"EXCHANGE_EGRESS_ALLOW": simulator.host_and_port}
        with Stack(folder / "state", env=env) as stack, Rest(stack.base_url) as platform:
            bench = Bench(stack, platform, simulator, folder)
            bench.bare("warm-up"), bench.verified()
            rows = []
            for number in range(pairs):
                rows.append((bench.bare(number), bench.verified()))
                print(f"pair {number + 1}: aiperf {rows[-1][0]:.2f} s, verification {rows[-1][1]:.2f} s")
    bare, verified = (median(column) for column in zip(*rows, strict=True))
    ratio = median(b / a for a, b in rows)
    added = median(b - a for a, b in rows)
    print(f"FIGURE aiperf_wall_s {bare:.2f} s")
    print(f"FIGURE verify_wall_s {verified:.2f} s")
    print(f"FIGURE verify_over_aiperf_ratio {ratio:.3f} ratio  target ≤ {RATIO}")
    print(f"FIGURE verify_added_s {added:.2f} s  target ≤ {ADDED_SECONDS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
