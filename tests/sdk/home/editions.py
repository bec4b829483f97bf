"""Versions as the API shows them, small enough to be measured in a test."""

import msgspec

from llm_benchmark import home
from llm_benchmark.measure.contents import content_hash
from llm_benchmark.models import BenchmarkVersion, Submission, TestCase

AT = "2026-01-01T00:00:00Z"
COUNT = 40
POLICY = {
    "number": 1, "delta": 0.02, "alpha": 0.05, "gamma": 0.01, "tolerances": {}, "sessions": 1,
    "deciding_metrics": ["accuracy"], "decided_by": "author", "digest": "0" * 64, "effective_at": AT,
    "quality_gate": None,
}  # fmt: skip
GENERATION = {"temperature": 0.0, "top_p": None, "max_tokens": 16, "seed": None, "stop": []}
LOAD = {
    "input_tokens": 32, "output_tokens": 8, "requests": 10, "warmup_requests": 1, "concurrency": 1,
    "streaming": True,
}  # fmt: skip


def metric(name, *, title=None, unit="", kind="proportion", primary=False):
    higher = kind in {"proportion", "rate"}
    return {
        "name": name, "title": title or name.replace("_", " ").capitalize(), "unit": unit, "kind": kind,
        "direction": "higher_is_better" if higher else "lower_is_better", "minimum": 0.0,
        "maximum": 1.0 if kind == "proportion" else None, "is_primary": primary,
    }  # fmt: skip


QUALITY_METRICS = [metric("accuracy", primary=True), metric("completion_rate")]
SPEED_METRICS = [
    metric("ttft_p50", title="TTFT p50", unit="ms", kind="percentile", primary=True),
    metric("ttft_p99", title="TTFT p99", unit="ms", kind="percentile"),
    metric("request_latency_p50", title="Latency p50", unit="ms", kind="percentile"),
    metric("error_rate", kind="error_rate"),
]


def case(number):
    return {
        "key": f"sum-{number}", "prompt": f"What is {number} + 1000?", "reference": str(number + 1000),
        "scorer": "numeric_v1", "scorer_config": {}, "choices": {}, "weight": 1.0, "tags": [],
    }  # fmt: skip


CASES = [case(number) for number in range(1, COUNT + 1)]


def answers_right_on(count):
    """Prompt → answer."""
    return {c["prompt"]: c["reference"] if n < count else "7" for n, c in enumerate(CASES)}


def version(kind="quality", *, cases=CASES, **changes):
    is_load = kind == "performance"
    content = {
        "kind": kind, "system_prompt": "", "prompt_template": "{prompt}",
        "generation": None if is_load else GENERATION, "load_profile": LOAD if is_load else None,
        "metrics": SPEED_METRICS if is_load else QUALITY_METRICS,
    }  # fmt: skip
    content |= {name: changes.pop(name) for name in content.keys() & changes.keys()}
    whole = [] if is_load else cases
    shown = {
        "id": "0b7d5f0e-0000-4000-8000-000000000001", "benchmark_id": "0b7d5f0e-0000-4000-8000-000000000002",
        "version": "1.0.0", "status": "published", "changelog": "", "migration_notes": "",
        "content_hash": content_hash(**content, cases=whole), "is_compatible": None, "cases_public": True,
        "test_case_count": len(whole), "published_at": AT, "parent_version": None, "created_at": AT,
        "policy": POLICY | ({"deciding_metrics": ["ttft_p50", "request_latency_p50"]} if is_load else {}),
    }  # fmt: skip
    return msgspec.convert({**content, **shown, **changes}, BenchmarkVersion)


def shown_cases(cases=CASES):
    return [msgspec.convert(one, TestCase) for one in cases]


def quality_edition(**changes):
    return home.edition("sums", version(**changes), shown_cases())


def load_edition(**changes):
    return home.edition("short-chat", version("performance", **changes))


def submission(edition, claims, *, configuration=None, **changes):
    """A claim on the edition; `claims` is name → value."""
    shown = {
        "id": "0b7d5f0e-0000-4000-8000-000000000003", "organization_id": "o", "organization_name": "Lab",
        "benchmark_id": edition.version.benchmark_id, "benchmark_slug": edition.benchmark,
        "benchmark_name": edition.benchmark, "version_id": edition.version.id,
        "version": edition.version.version, "kind": edition.version.kind, "model_id": "m", "model_name": "m",
        "model_publisher": "p", "model_version": "", "deployment_id": None, "status": "accepted",
        "visibility": "public", "level": "unverified", "case_count": 0, "configuration": configuration or {},
        "claims": [{"name": name, "value": value} for name, value in claims.items()],
        "fingerprint": "", "notes": "", "verification_id": None, "is_demo": False, "is_simulated": False,
        "created_at": AT, "status_reason": None, "provider_name": None, "verdict": None,
    }  # fmt: skip
    return msgspec.convert({**shown, **changes}, Submission)
