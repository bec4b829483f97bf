"""The pages of authors and reviewers, with contexts made of fixtures."""

from tests.web import fixtures as fx

ABOUT = (
    "organization_id", "slug", "kind", "name", "description", "long_description", "custom_license",
    "documentation_url", "source_url", "category", "visibility", "license", "tags", "maintainers",
    *(f"citation.{name}" for name in ("title", "authors", "venue", "year", "doi", "bibtex")),
)  # fmt: skip
SAID = dict.fromkeys(ABOUT, "") | {
    "name": "Demo Arithmetic", "slug": "demo-arithmetic", "kind": "quality", "category": "accuracy",
    "description": "200 generated whole-number problems, one number each, scored exactly.",
    "visibility": "public", "tags": "arithmetic, generated", "maintainers": "demo", "license": "cc_by_4_0",
    "citation.title": "Demo Arithmetic", "citation.authors": "A. Author\nB. Author", "citation.year": "2026",
}  # fmt: skip
VERSION = (
    "version", "changelog", "migration_notes", "system_prompt", "prompt_template", "test_cases", "cases_name",
    "cases_public",
    *(f"generation.{name}" for name in ("temperature", "top_p", "max_tokens", "seed", "stop")),
    *(f"load_profile.{name}" for name in ("input_tokens", "output_tokens", "requests", "warmup_requests",
                                          "concurrency", "streaming", "protocol", "documents", "batch_size",
                                          "slo.ttft_ms", "slo.itl_ms", "slo.request_latency_ms")),
    *(f"policy.{name}" for name in ("delta", "alpha", "gamma", "sessions")),
)  # fmt: skip
FIRST = dict.fromkeys(VERSION, "") | {
    "version": "1.0.0", "prompt_template": "{prompt}", "generation.temperature": "0",
    "generation.max_tokens": "12", "load_profile.streaming": "on", "load_profile.concurrency": "1",
}  # fmt: skip
EMPTY = dict.fromkeys(("name", "title", "unit", "direction", "kind", "minimum", "maximum", "tolerance"), "")
ORGANIZATIONS = [(fx.uid(2), "Exchange Demo")]
WHY = "The cases repeat each other: q3, q17 and q40 ask the same sum."


def rows(*metrics):
    """The metrics as the editor has them, and one empty row."""
    shown = [
        {**EMPTY, **{name: metric[name] for name in EMPTY if name in metric}, "minimum": "0", "maximum": "",
         "is_primary": metric["is_primary"], "decides": metric["is_primary"]}
        for metric in metrics
    ]  # fmt: skip
    shown.append({**EMPTY, "is_primary": False, "decides": False})
    return [{**row, "index": index, "path": f"metrics[{index}]"} for index, row in enumerate(shown)]


def case(number):
    return {
        "key": f"q{number}", "prompt": f"What is {number} + {number + 3}?", "reference": str(2 * number + 3),
        "scorer": "numeric_v1", "scorer_config": {}, "choices": {}, "weight": 1.0, "tags": [],
    }  # fmt: skip


def error(field, message):
    return {"field": field, "code": "refused", "message": message}


def change(to_status, **changes):
    return {
        "from_status": "draft", "to_status": to_status, "changed_by_id": fx.uid(9), "changed_by_name": "ada",
        "reason": "", "changed_at": fx.TIME, **changes,
    }  # fmt: skip


def lifecycle(**changes):
    moved = [
        change("active", reason="Clear cases, and a licence."), change("under_review"),
        change("draft", reason=WHY), change("under_review"),
    ]  # fmt: skip
    return {
        "moves": ("deprecate",), "may_edit": True, "may_write": True, "needs_proposal": False,
        "changes": moved, **changes,
    }  # fmt: skip


ABOUT_PAGE = {"benchmark": None, "values": SAID, "organizations": ORGANIZATIONS, "errors": []}
EDITOR = {
    "benchmark": fx.benchmark(status="draft", current_version=None), "parent": None, "draft": None,
    "kept": None, "values": FIRST, "metrics": rows(fx.ACCURACY), "errors": [],
    "scorers": ["exact_match_v1", "multiple_choice_v1", "numeric_v1"], "cases": [], "content_hash": "",
    "most_cases": 20_000, "most_mib": 16,
}  # fmt: skip
DRAFT = fx.version(
    version="1.1.0", status="draft", content_hash=None, published_at=None, parent_version="1.0.0",
    is_compatible=True, changelog="Twenty more cases with negative numbers.",
)  # fmt: skip
SPEED = fx.benchmark(
    name="Baseline Chat", slug="baseline-chat", kind="performance", category="performance", status="draft"
)
MOVE = {
    "benchmark": fx.benchmark(status="under_review"), "version": fx.version(), "move": "reject",
    "takes_reason": True, "needs_reason": True, "reason": "", "expected_status": "under_review",
    "longest": 1000, "errors": [],
}  # fmt: skip
WAITING = [
    {"benchmark": fx.benchmark(status="under_review"), "since": fx.TIME, "by": "ada",
     "moves": ("approve", "reject")},
    {"benchmark": fx.benchmark(status="under_review", name="Contract Law", visibility="unlisted",
                               description="Which clause decides?"),
     "since": fx.TIME, "by": None, "moves": ()},
]  # fmt: skip
PAGES = {
    "new-benchmark": ("benchmarks/about.html", "/benchmarks/new", ABOUT_PAGE),
    "new-benchmark-nobody": ("benchmarks/about.html", "/benchmarks/new", ABOUT_PAGE | {"organizations": []}),
    "new-benchmark-refused": ("benchmarks/about.html", "/benchmarks/new", ABOUT_PAGE | {"errors": [
        error("slug", "Another benchmark has this short name. Choose another one."),
        error("citation.year", "This is a year from 1950 to 2027."),
        error("tags", "At most 20 tags.")]}),
    "edit-benchmark": ("benchmarks/about.html", "/benchmarks/demo-arithmetic/edit", ABOUT_PAGE | {
        "benchmark": fx.benchmark()}),
    "new-version": ("benchmarks/version.html", "/benchmarks/demo-arithmetic/versions/new", EDITOR),
    "new-version-next": ("benchmarks/version.html", "/benchmarks/demo-arithmetic/versions/new", EDITOR | {
        "parent": fx.version(), "kept": fx.version()}),
    "new-version-refused": ("benchmarks/version.html", "/benchmarks/demo-arithmetic/versions/new", EDITOR | {
        "values": FIRST | {"test_cases": '{"key": "q1", "prompt": "2 + 3?", "reference": "five"}'},
        "errors": [error("metrics[0].direction", "accuracy: Say which is better."),
                   error("test_cases", "Line 1 (q1), reference: This is no number."),
                   error("policy.delta", "This is a number above 0 and below 0.5.")]}),
    "new-version-speed": ("benchmarks/version.html", "/benchmarks/baseline-chat/versions/new", EDITOR | {
        "benchmark": SPEED, "metrics": rows(fx.TTFT, fx.LATENCY, fx.THROUGHPUT)}),
    "new-version-load": ("benchmarks/version.html", "/benchmarks/baseline-chat/versions/new", EDITOR | {
        "benchmark": SPEED, "metrics": rows(fx.LATENCY), "values": FIRST | {
            "load_profile.concurrency": "1, 2, 2", "load_profile.slo.request_latency_ms": "0",
            "load_profile.protocol": "rerank", "load_profile.requests": "20"},
        "errors": [error("load_profile.concurrency", "Each level of a sweep is above the one before."),
                   error("load_profile.documents", "Say how many of them a request has."),
                   error("load_profile.slo.request_latency_ms", "A goal is a time above 0.")]}),
    "draft": ("benchmarks/version.html", "/benchmarks/demo-arithmetic/versions/1.1.0", EDITOR | {
        "benchmark": fx.benchmark(), "draft": DRAFT, "kept": DRAFT, "content_hash": fx.DIGEST,
        "values": FIRST | {"changelog": DRAFT["changelog"]}, "cases": [case(n) for n in range(1, 6)],
        "errors": []}),
    "draft-unconfirmed": ("benchmarks/version.html", "/benchmarks/demo-arithmetic/versions/1.1.0", EDITOR | {
        "benchmark": fx.benchmark(), "draft": DRAFT, "kept": DRAFT, "content_hash": fx.DIGEST,
        "errors": [error("confirmed", "Confirm that this edition never changes again.")]}),
    "move-reject": ("benchmarks/move.html", "/benchmarks/x/moves/reject", MOVE),
    "move-refused": ("benchmarks/move.html", "/benchmarks/x/moves/reject", MOVE | {
        "reason": "No.", "errors": [error("reason", "Give a reason of 10 to 1000 characters.")]}),
    "move-submit": ("benchmarks/move.html", "/benchmarks/x/moves/submit", MOVE | {
        "benchmark": fx.benchmark(status="draft"), "move": "submit", "takes_reason": False,
        "needs_reason": False, "expected_status": "draft"}),
    "move-take-back": ("benchmarks/move.html", "/benchmarks/x/moves/take-back", MOVE | {
        "move": "take-back", "needs_reason": False}),
    "move-archive": ("benchmarks/move.html", "/benchmarks/x/moves/archive", MOVE | {
        "benchmark": fx.benchmark(status="deprecated", current_version=None), "version": None,
        "move": "archive", "needs_reason": False}),
    "review": ("benchmarks/review.html", "/review", {"waiting": WAITING}),
    "review-empty": ("benchmarks/review.html", "/review", {"waiting": []}),
}  # fmt: skip
