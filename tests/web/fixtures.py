"""Serializer data as pages get it: made up but consistent, with Wilson intervals and the ranks they give."""

from itertools import pairwise
from types import MappingProxyType

from exchange.core.quantities import Z95, wilson

TIME = "2026-11-30T18:52:04Z"
DIGEST = "9f1c6d0e44a35be0a91c77b27d0c1a55f0e3bb9851ab2c6e9d3f8a7710c4e2b1"


def uid(number):
    return f"00000000-0000-4000-8000-{number:012d}"


def metric(name, title, unit, *, direction="lower_is_better", kind="percentile", primary=False):
    return {
        "name": name, "title": title, "unit": unit, "direction": direction, "kind": kind,
        "minimum": 0.0, "maximum": 1.0 if unit == "ratio" else None, "is_primary": primary,
    }  # fmt: skip


ACCURACY = metric(
    "accuracy", "Accuracy", "ratio", direction="higher_is_better", kind="proportion", primary=True
)
TTFT = metric("ttft_p50", "Time to first token, median", "ms", primary=True)
LATENCY = metric("request_latency_p50", "Request latency, median", "ms")
THROUGHPUT = metric(
    "output_tokens_per_second", "Output speed", "tokens/s", direction="higher_is_better", kind="rate"
)


def benchmark(**changes):
    return {
        "id": uid(1), "slug": "demo-arithmetic", "name": "Demo Arithmetic",
        "description": "200 generated whole-number problems, one number each, scored exactly.",
        "kind": "quality", "category": "accuracy", "status": "active", "visibility": "public",
        "tags": ["arithmetic", "generated"], "license": "custom", "custom_license": "CC0-1.0",
        "long_description": "", "citation": None, "documentation_url": "", "source_url": "",
        "maintainers": ["demo"], "is_endorsed": False, "organization_id": uid(2),
        "organization_name": "Exchange Demo", "is_demo": True, "current_version": "1.0.0",
        "current_version_id": uid(3), "created_at": TIME, "updated_at": TIME, **changes,
    }  # fmt: skip


def policy(**changes):
    return {
        "number": 1, "delta": 0.02, "alpha": 0.05, "gamma": 0.01, "tolerances": {},
        "deciding_metrics": ["accuracy"],
        "sessions": 1, "decided_by": "author", "digest": DIGEST, "effective_at": TIME,
        "quality_gate": None, **changes,
    }  # fmt: skip


def version(**changes):
    return {
        "id": uid(3), "benchmark_id": uid(1), "version": "1.0.0", "kind": "quality", "status": "published",
        "content_hash": DIGEST, "changelog": "First edition.", "migration_notes": "",
        "parent_version": None, "is_compatible": None, "system_prompt": "Answer with one number.",
        "prompt_template": "{prompt}", "cases_public": True,
        "generation": {"temperature": 0.0, "top_p": None, "max_tokens": 12, "seed": None, "stop": []},
        "load_profile": None, "metrics": [ACCURACY], "test_case_count": 200, "policy": policy(),
        "published_at": TIME, "created_at": TIME, **changes,
    }  # fmt: skip


def performance_version(load=MappingProxyType({}), **changes):
    return version(
        kind="performance", generation=None, system_prompt="", prompt_template="", test_case_count=0,
        load_profile={
            "input_tokens": 128, "output_tokens": 128, "requests": 10, "warmup_requests": 2,
            "concurrency": 1, "streaming": True, "protocol": None, "concurrencies": [], "slo": None,
            "documents": None, "batch_size": None, **load,
        },
        metrics=[TTFT, LATENCY, THROUGHPUT],
        policy=policy(
            tolerances={"ttft_p50": 0.15, "request_latency_p50": 0.15, "output_tokens_per_second": 0.1},
            deciding_metrics=["ttft_p50", "request_latency_p50"],
        ),
        **changes,
    )  # fmt: skip


def entry(number, name, publisher, value, count, *, claim=None, **changes):
    low, high = wilson(value, count, Z95)
    return {
        "id": uid(100 + number), "rank": number, "rank_low": number, "rank_high": number, "tie_group": None,
        "submission_id": uid(200 + number), "verification_id": uid(300 + number),
        "model_id": uid(400 + number),
        "model_name": name, "model_publisher": publisher, "model_version": "1",
        "deployment_id": uid(500 + number),
        "provider_name": "Demo Provider", "organization_id": uid(2), "organization_name": "Exchange Demo",
        "level": "platform_verified",
        "verdict": "confirmed", "claim_refuted": False, "value": value, "low": low, "high": high,
        "confidence": 0.95,
        "sample_count": count, "claimed_value": value if claim is None else claim, "metrics": [],
        "fingerprint": DIGEST, "is_simulated": False, "is_demo": False, "measured_at": TIME, **changes,
    }  # fmt: skip


def claim_entry(number, name, publisher, claimed):
    return entry(number, name, publisher, 0.5, 200, claim=claimed) | {
        "rank": None, "rank_low": None, "rank_high": None, "verification_id": None, "level": "unverified",
        "verdict": None, "value": None, "low": None, "high": None, "confidence": None, "sample_count": None,
        "measured_at": None,
    }  # fmt: skip


ROWS = [
    ("Kestrel 4 Large", "Halden Labs", 0.931, 1000, {"level": "audited"}),
    ("Orrery Pro 3", "Meridian AI", 0.926, 1000, {}),
    ("Quillon 2 Max", "Quillon", 0.919, 1000, {"verdict": "consistent"}),
    ("Tarn 405B", "Fjord Research", 0.917, 1000, {}),
    ("Sabre 2 Reasoning", "Northgate", 0.893, 1000,
     {"claim": 0.931, "verdict": "refuted", "claim_refuted": True, "level": "unverified"}),
    ("Lumen R1", "Lumen", 0.889, 1000, {"verdict": "understated", "claim": 0.84}),
    ("Basalt 70B Instruct", "Basalt Collective", 0.861, 1000, {}),
    ("Heron Chat 5", "Heron", 0.812, 500, {"verdict": "inconclusive", "level": "unverified"}),
    ("SmolLM2 135M Instruct", "HuggingFaceTB", 0.31, 200, {"verdict": "consistent"}),
    ("simulated-7-of-15", "Exchange Demo", 0.4667, 15, {"is_simulated": True}),
]  # fmt: skip


def ranked_entries():
    rows = [
        entry(at, name, maker, value, count, **more)
        for at, (name, maker, value, count, more) in enumerate(ROWS, 1)
    ]
    rows.sort(key=lambda row: -row["value"])
    leader = group = None
    for at, row in enumerate(rows, 1):
        row["rank"] = at
        row["rank_low"] = 1 + sum(other["low"] > row["high"] for other in rows)
        row["rank_high"] = len(rows) - sum(other["high"] < row["low"] for other in rows)
        if leader is None or row["high"] < leader["low"]:
            leader, group = row, at
        row["tie_group"] = group
    return rows


def leaderboard(**changes):
    rows = ranked_entries()
    separable = sum(a["low"] > b["high"] for a, b in pairwise(rows))
    claims = [
        claim_entry(11, "Quillon 3 Preview", "Quillon", 0.952),
        claim_entry(12, "Nimbus X2", "Stratus", 0.91),
    ]
    return {
        "benchmark_id": uid(1), "benchmark_slug": "demo-arithmetic", "benchmark_name": "Demo Arithmetic",
        "version_id": uid(3), "version": "1.0.0", "metric": "accuracy", "metric_title": "Accuracy",
        "unit": "ratio",
        "direction": "higher_is_better", "verified_only": False, "ranked_count": len(rows),
        "unranked_count": 2,
        "separable_neighbour_count": separable, "is_demo": True, "items": [*rows, *claims],
        "next_page_token": "",
        "updated_at": TIME, **changes,
    }  # fmt: skip


def performance_board():
    speeds = [("simulated-chat", 40.8, 40.2, 41.9, True), ("SmolLM2 135M Instruct", 118.4, 101.0, 133.5,
    False),
              ("simulated-chat 72", 41.3, 40.9, 42.0, True)]  # fmt: skip
    rows = []
    for at, (name, value, low, high, simulated) in enumerate(sorted(speeds, key=lambda row: row[1]), 1):
        ends = (1, 2) if value < 100 else (3, 3)
        rows.append(entry(at, name, "Exchange Demo", 0.5, 20) | {
            "value": value, "low": low, "high": high, "claimed_value": value * 1.02, "rank_low": ends[0],
            "rank_high": ends[1], "tie_group": 1 if value < 100 else 3, "is_simulated": simulated,
            "verdict": "consistent",
        })  # fmt: skip
    return leaderboard(
        benchmark_slug="baseline-chat", benchmark_name="Baseline Chat", metric="ttft_p50", unit="ms",
        metric_title="Time to first token, median", direction="lower_is_better", items=rows, ranked_count=3,
        unranked_count=0, separable_neighbour_count=1,
    )  # fmt: skip


def submission(**changes):
    return {
        "id": uid(201), "organization_id": uid(2), "organization_name": "Basalt Collective",
        "benchmark_id": uid(1),
        "benchmark_slug": "demo-arithmetic", "benchmark_name": "Demo Arithmetic", "version_id": uid(3),
        "version": "1.0.0", "kind": "quality", "model_id": uid(401), "model_name": "Basalt 70B Instruct",
        "model_publisher": "Basalt Collective", "model_version": "2611", "deployment_id": uid(501),
        "provider_name": "Demo Provider", "status": "accepted", "visibility": "public",
        "level": "platform_verified",
        "claims": [{"name": "accuracy", "value": 0.86, "sample_count": 1000}], "case_count": 1000,
        "configuration": configuration(), "fingerprint": DIGEST, "notes": "", "verdict": "confirmed",
        "verification_id": uid(301), "is_demo": True, "is_simulated": False,
        "created_at": "2026-11-30T09:12:00Z",
        "status_reason": None, **changes,
    }  # fmt: skip


def configuration(**changes):
    return {
        "temperature": 0.0, "top_p": None, "max_tokens": 12, "system_prompt": None, "chat_template": None,
        "tools": None, "reasoning_effort": None, "precision": "bf16", "dialect": "openai",
        "concurrency": None,
        "streaming": None, **changes,
    }  # fmt: skip


def reason(code, text):
    return {"code": code, "text": text, "params": {}}


def judgement(**changes):
    low, high = wilson(0.861, 1000, Z95)
    return {
        "metric": "accuracy", "is_deciding": True, "verdict": "confirmed", "rule": "paired", "claim": 0.86,
        "measured": 0.861, "difference": 0.001, "difference_low": -0.010610, "difference_high": 0.012606,
        "difference_confidence": 0.9, "tolerance": 0.02, "measured_low": low, "measured_high": high,
        "sample_count": 1000, "needed_count": None, "needed_unit": None,
        "reasons": [
            reason("enough_cases", "Enough cases: 1,000 measured, 149 are the minimum for ±2 points."),
            reason("inside", "Inside the tolerance: −1.1 is above −2 and +1.3 is below +2."),
        ],
        **changes,
    }  # fmt: skip


def performance_judgement(**changes):
    return judgement(**{
        "metric": "ttft_p50", "verdict": "consistent", "rule": "one_session", "claim": 40.1, "measured": 41.3,
        "difference": 1.03, "difference_low": 0.98, "difference_high": 1.09, "difference_confidence": 0.99,
        "tolerance": 0.15, "measured_low": 40.2, "measured_high": 42.6, "sample_count": 10,
        "reasons": [reason("inside", "One session, and the re-run is within 15 % of the claim.")], **changes,
    })  # fmt: skip


def verification(**changes):
    return {
        "id": uid(301), "submission_id": uid(201), "status": "decided", "verdict": "confirmed",
        "summary": "Confirmed: the claim of 86.0 % holds. We asked the same 1,000 questions again"
        " and measured 86.1 %; the difference is +0.1 points (−1.1 to +1.3), the tolerance was ±2.",
        "judgements": [judgement()], "policy_number": 1, "policy_digest": DIGEST, "seed_digest": DIGEST,
        "seed": "5f8a1c", "request_bound": 1001, "token_bound": 52000, "done_count": 1000,
        "planned_count": 1000,
        "fault_side": None, "fault_code": None, "fault_message": None, "repeat_reason": None,
        "run_ids": [uid(601)],
        "flags": [], "requested_at": "2026-11-30T09:20:00Z", "started_at": "2026-11-30T09:20:03Z",
        "finished_at": TIME, **changes,
    }  # fmt: skip


def running_verification(**changes):
    return verification(**{
        "status": "running", "verdict": None, "summary": "", "judgements": [], "done_count": 412,
        "seed": None, "finished_at": None, **changes,
    })  # fmt: skip


def failed_verification():
    return verification(
        status="failed", verdict=None, judgements=[], done_count=388, seed=None, fault_side="provider",
        fault_code="rate_limited", fault_message="The endpoint refused 61 % of calls.",
        summary="Not measured: The endpoint refused 61 % of calls. The fault is the endpoint’s; this says"
        " nothing about the model.",
    )  # fmt: skip


def run(**changes):
    return {
        "id": uid(601), "kind": "quality", "status": "succeeded", "fence": 1, "attempt_count": 1,
        "planned_count": 1000, "done_count": 1000, "requests_settled": 1003, "requests_lost": 0,
        "fault_side": None,
        "fault_code": None, "fault_message": None, "returned_model": "basalt-70b-instruct-2611",
        "metrics": [],
        "flags": [], "snapshot": {}, "fingerprint": DIGEST, "bundle_sha256": DIGEST,
        "public_bundle_sha256": DIGEST,
        "findings": {},
        "bundle_size_bytes": 3_145_728, "created_at": TIME, "started_at": TIME, "finished_at": TIME,
        "groups": [], "input_tokens": 48_211, "output_tokens": 12_090, "cost_usd": None, **changes,
    }  # fmt: skip


def group(name="sums", **changes):
    return {
        "group": name, "sample_count": 500, "accuracy": 0.86, "low": 0.827, "high": 0.888,
        "confidence": 0.95, "answered_count": 499, "answered_accuracy": 0.8617, **changes,
    }  # fmt: skip


def level(concurrency, rate, latency, **changes):
    return {
        "concurrency": concurrency, "requests": 20, "errors": 0, "good_requests": 20, "flags": [],
        "is_knee": False, "is_peak": False, "power": rate * rate / concurrency, "requests_per_second": rate,
        "output_tokens_per_second": 128 * rate, "ttft_p50": latency / 4, "itl_p50": 2.0,
        "request_latency_p50": latency, "error_rate": 0.0, **changes,
    }  # fmt: skip


def sweep(**changes):
    levels = [
        level(1, 3.2, 310.0), level(2, 6.1, 325.0), level(4, 11.8, 338.0),
        level(8, 21.0, 380.0, is_knee=True), level(16, 24.5, 650.0, is_peak=True, good_requests=9),
        level(32, 24.1, 1320.0, errors=2, good_requests=0),
    ]  # fmt: skip
    return {"levels": levels, "knee": 8, "peak": 16, "stopped": None, **changes}


FINDINGS = {
    "times": {"ttft_p50_aiperf": 41.2, "ttft_p50_gateway": 40.9, "latency_p50_aiperf": 298.6,
              "latency_p50_gateway": 298.1},
    "usage": {"input_difference": 0.034, "output_difference": -0.12, "cached_tokens": 640,
              "cached_requests": 5},
}  # fmt: skip


def case(number, claimed, measured, **changes):
    return {
        "key": f"arith-{number:04d}", "claimed_score": claimed, "measured_score": measured,
        "measured_answer": "391" if measured else "390", "reference": "391", "error": None,
        "answer_digest": DIGEST,
        **changes,
    }  # fmt: skip


def cases(total=1000):
    found = [case(n, float((n * 7) % 100 >= 14), float((n * 7) % 100 >= 14)) for n in range(1, total + 1)]
    for at in range(20, total, 41):
        found[at] = case(at + 1, 1.0, 0.0) if at % 2 else case(at + 1, 0.0, 1.0)
    found[3] = case(4, 1.0, None, measured_answer=None, error="no answer within 60 s")
    return found


def evidence():
    return [
        {"id": uid(701), "name": "answers.jsonl", "media_type": "application/x-ndjson", "size_bytes": 812_331,
         "sha256": DIGEST, "created_at": TIME},
    ]  # fmt: skip


def bound():
    return {"requests": 1001, "tokens": 52000, "accept_bound": "v1.1001.52000"}


def model(number=401, **changes):
    return {
        "id": uid(number), "publisher": "Basalt Collective", "name": "Basalt 70B Instruct", "version": "2611",
        "publisher_verified": True, "aliases": ["basalt-70b", "basalt-70b-instruct-2611"],
        "is_demo": False, "created_at": TIME, **changes,
    }  # fmt: skip


def organization(**changes):
    return {
        "id": uid(2), "slug": "exchange-demo", "name": "Exchange Demo",
        "description": "Owns what the demo shows.",
        "website": "https://demo.example", "type": "open_source", "verified": False, "is_demo": True,
        "created_at": TIME, **changes,
    }  # fmt: skip


def members():
    return [
        {
            "user_id": uid(801),
            "username": "demo",
            "display_name": "Demo Owner",
            "role": "owner",
            "joined_at": TIME,
        },
        {"user_id": uid(802), "username": "ada", "display_name": "", "role": "viewer", "joined_at": TIME},
    ]


def membership():
    return {
        "organization_id": uid(2), "organization_slug": "exchange-demo", "organization_name": "Exchange Demo",
        "role": "owner", "joined_at": TIME,
    }  # fmt: skip


def endpoint(**changes):
    return {
        "id": uid(901), "organization_id": uid(2), "name": "Simulator", "provider_name": "Simulated provider",
        "base_url": "http://127.0.0.1:9101/v1", "dialect": "openai", "has_credential": True,
        "credential_source": "stored", "operator_allowed": True,
        "is_simulated": True, "is_demo": True, "deployment_count": 1, "discovered_at": TIME,
        "created_at": TIME, "protocol": "", **changes,
    }  # fmt: skip


def deployment(**changes):
    return {
        "id": uid(501), "endpoint_id": uid(901), "organization_id": uid(2),
        "provider_name": "Simulated provider",
        "served_name": "simulated-chat", "model_id": uid(401), "model_name": "simulated-chat",
        "model_publisher": "Exchange Demo", "model_version": "1", "is_listed": True, "is_simulated": True,
        "is_demo": True, "created_at": TIME, "status": "active", "status_reason": "answered",
        "capability": "chat_text", "capability_source": "probe", "capability_confidence": 0.9,
        "protocol": "chat", "first_seen_at": TIME, "last_seen_at": TIME, "last_success_at": TIME,
        "last_failure_at": None, **changes,
    }  # fmt: skip


def token(**changes):
    return {
        "id": uid(951), "name": "laptop", "prefix": "lbx_pat_7Kq2", "scopes": ["submissions:read",
        "submissions:write"],
        "expires_at": TIME, "last_used_at": None, "revoked_at": None, "created_at": TIME, **changes,
    }  # fmt: skip


def refusal(**changes):
    return {
        "type": "about:blank", "title": "The present state forbids it", "status": 409,
        "detail": "A verification of this submission is already running.", "instance": "/submissions/x",
        "code": "verification_running", "request_id": "01JE0000000000000000000000",
        "errors": [{"field": "submission_id", "code": "running", "message": "It ends within a few minutes."}],
        **changes,
    }  # fmt: skip
