"""Boards and comparisons as the API answers them, for tests that look at how they are shown."""

BENCHMARK_ID = "5b213f48-0782-4b4f-b498-092fdb975653"
MEASURED_AT = "2026-12-01T11:02:12Z"


def entry(rank=1, value=0.9, *, name="large", margin=0.05, **changes):
    """A measured row; rank None makes it a claim."""
    is_ranked = rank is not None
    return {
        "id": f"00000000-0000-4000-8000-{abs(hash((rank, name))) % 10**12:012}",
        "rank": rank, "rank_low": rank, "rank_high": rank, "tie_group": None,
        "submission_id": f"11111111-0000-4000-8000-{abs(hash((rank, name))) % 10**12:012}",
        "verification_id": None, "model_id": f"22222222-0000-4000-8000-{abs(hash(name)) % 10**12:012}",
        "model_name": name, "model_publisher": "acme", "model_version": "", "deployment_id": None,
        "provider_name": "Acme", "organization_id": BENCHMARK_ID, "organization_name": "Acme",
        "level": "platform_verified" if is_ranked else "unverified",
        "verdict": "consistent" if is_ranked else None, "claim_refuted": False,
        "value": value if is_ranked else None, "low": value - margin if is_ranked else None,
        "high": value + margin if is_ranked else None, "confidence": 0.95, "sample_count": 100,
        "claimed_value": 0.8, "metrics": [], "fingerprint": "f" * 64, "is_simulated": False,
        "measured_at": MEASURED_AT if is_ranked else None, "is_demo": False, **changes,
    }  # fmt: skip


def board(*items, **changes):
    ranked = sum(item["rank"] is not None for item in items)
    return {
        "benchmark_id": BENCHMARK_ID, "benchmark_slug": "mmlu", "benchmark_name": "MMLU",
        "version_id": BENCHMARK_ID, "version": "1.0.0", "metric": "accuracy", "metric_title": "Accuracy",
        "unit": "", "direction": "higher_is_better", "verified_only": True, "ranked_count": ranked,
        "unranked_count": len(items) - ranked, "separable_neighbour_count": 1, "is_demo": False,
        "items": list(items), "next_page_token": "", "updated_at": MEASURED_AT, **changes,
    }  # fmt: skip


def answers(shown):
    """What a stub answers, so that the board can be asked for by its slug."""
    found = {"id": BENCHMARK_ID, "slug": "mmlu", "name": "MMLU", "description": "", "kind": "quality",
             "category": "accuracy", "status": "active", "visibility": "public", "tags": [],
             "long_description": "", "license": None, "custom_license": "", "citation": None,
             "documentation_url": "", "source_url": "", "maintainers": [], "is_endorsed": False,
             "organization_id": BENCHMARK_ID, "organization_name": "Acme", "is_demo": False,
             "current_version": "1.0.0", "current_version_id": BENCHMARK_ID, "created_at": MEASURED_AT,
             "updated_at": MEASURED_AT}  # fmt: skip
    return {"GET /benchmarks/slug/mmlu": found, f"GET /benchmarks/{BENCHMARK_ID}/leaderboard": shown}
