"""Every page with a context made of fixtures: what the tests render and the preview shows."""

from tests.web import (
    accounts_pages,
    benchmark_pages,
    board_pages,
    campaign_pages,
    governance_pages,
    submit_pages,
)
from tests.web import fixtures as fx

PAGING = {"next_page_token": ""}
BOARD_FILTERS = {"version": "", "verified_only": False, "level": "", "organization_id": None, "query": ""}


def submission_context(**changes):
    return {
        "submission": fx.submission(), "version": fx.version(), "verification": fx.verification(),
        "running": None, "now": None,
        "failed": None, "verifications": [fx.verification()], "runs": [fx.run()], "evidence": fx.evidence(),
        "cases": fx.cases()[:8], "next_page_token": "abc", "case_outcomes": fx.cases(), "latencies": [],
        "may_verify": False, "bound": None, "may_withdraw": False, **changes,
    }  # fmt: skip


def refuted():
    low, high = fx.wilson(0.6, 200, fx.Z95)
    judged = fx.judgement(
        verdict="refuted", claim=0.7, measured=0.6, difference=-0.1, difference_low=-0.151,
        difference_high=-0.06,
        difference_confidence=0.98, measured_low=low, measured_high=high, sample_count=200,
        reasons=[fx.reason("above", "The upper end of the 99 % bound, −5.6 points, is below −2.")],
    )  # fmt: skip
    decided = fx.verification(
        verdict="refuted", judgements=[judged], done_count=200, planned_count=200,
        summary="Refuted: claimed 70.0 %, measured 60.0 %. It is at least 5.6 points above what we found.",
    )  # fmt: skip
    return submission_context(
        submission=fx.submission(level="unverified", verdict="refuted", is_simulated=True,
        model_name="simulated-chat"),
        verification=decided, verifications=[decided], cases=fx.cases(200)[:8], case_outcomes=fx.cases(200),
        may_verify=True, may_withdraw=True, bound=fx.bound(),
    )  # fmt: skip


def performance():
    judged = [
        fx.performance_judgement(),
        fx.performance_judgement(
            metric="request_latency_p50", verdict="refuted", claim=150.0, measured=298.6, difference=1.99,
            difference_low=1.91, difference_high=None, measured_low=295.0, measured_high=302.9,
        ),
        fx.performance_judgement(
            metric="output_tokens_per_second", is_deciding=False, claim=480.0, measured=430.2,
            difference=0.896,
            difference_low=None, difference_high=None, measured_low=None, measured_high=None,
        ),
    ]  # fmt: skip
    decided = fx.verification(
        verdict="refuted", judgements=judged, done_count=12, planned_count=12,
        summary="Refuted: claimed a median request latency of 150 ms, measured 299, 1.91 times as long.",
    )  # fmt: skip
    values = [38.9 + (n * 37 % 23) * 0.21 + (6 if n % 29 == 0 else 0) for n in range(72)]
    return submission_context(
        submission=fx.submission(kind="performance", benchmark_name="Baseline Chat", is_simulated=True,
                                 model_name="simulated-chat", case_count=0),
        version=fx.performance_version(), verification=decided, verifications=[decided], cases=[],
        case_outcomes=[],
        next_page_token="", latencies=[{"metric": fx.TTFT, "values": values}, {"metric": fx.LATENCY,
        "values": [
            290.0 + (n * 13 % 10) * 1.7 for n in range(10)]}],
    )  # fmt: skip


def running(**changes):
    now = fx.running_verification(**changes)
    return submission_context(
        submission=fx.submission(level="unverified", verdict=None), verification=None, running=now,
        verifications=[now], cases=[], case_outcomes=[], now=submit_pages.NOW,
        runs=[fx.run(status="running", done_count=now["done_count"], public_bundle_sha256=None)],
        next_page_token="",
    )  # fmt: skip


def failed():
    ended = fx.failed_verification()
    return submission_context(
        submission=fx.submission(level="unverified", verdict=None), verification=None, failed=ended,
        verifications=[ended], runs=[], cases=[], case_outcomes=[], next_page_token="", may_verify=True,
        bound=fx.bound(),
    )  # fmt: skip


def unverified():
    return submission_context(
        submission=fx.submission(level="unverified", verdict=None, notes="Measured at home."),
        verification=None,
        verifications=[], runs=[], cases=[], case_outcomes=[], next_page_token="", may_verify=True,
        may_withdraw=True, bound=fx.bound(), evidence=[],
    )  # fmt: skip


def withdrawn():
    return submission_context(
        submission=fx.submission(status="withdrawn", status_reason="Wrong precision named.")
    )


def board_context(**changes):
    return {
        "benchmark": fx.benchmark(), "version": fx.version(), "board": fx.leaderboard(),
        "next_page_token": "",
        "versions": [fx.version(), fx.version(version="0.9.0", status="superseded", changelog="A trial.")],
        "filters": BOARD_FILTERS, "reference": None,
        "organizations": [{"id": fx.uid(2), "name": "Exchange Demo"}, {"id": fx.uid(7), "name": "Halden"}],
        **changes,
    }  # fmt: skip


def home():
    decided = [
        {"submission": fx.submission(), "verification": fx.verification()},
        {"submission": fx.submission(model_name="simulated-chat", is_simulated=True),
         "verification": refuted()["verification"]},
        {"submission": fx.submission(model_name="Aster Ultra"), "verification": fx.failed_verification() | {
            "summary": "Not measured: the endpoint refused 61 % of our calls (HTTP 429)."}},
    ]  # fmt: skip
    latest = {"submission": fx.submission(), "verification": fx.verification(), "judgement": fx.judgement(),
              "metric": fx.ACCURACY}  # fmt: skip
    counts = {
        "confirmed": 612,
        "consistent": 171,
        "understated": 40,
        "inconclusive": 118,
        "refuted": 96,
        "failed": 41,
    }
    boards = [fx.leaderboard(), fx.performance_board(),
              fx.leaderboard(benchmark_name="Demo General", items=[], ranked_count=0,
              unranked_count=3)]  # fmt: skip
    return {"latest": latest, "boards": boards, "decided": decided, "verdict_counts": counts, "is_demo": True}


NO_FILTERS = {
    "kind": "", "category": "", "status": "", "query": "", "tags": [], "organization": "", "license": "",
    "endorsed": None, "ordering": "name",
}  # fmt: skip
NARROWED = {"is_narrowed": True, "may_draft": False}
PAGES = {
    "home": ("home.html", "/", home()),
    "home-empty": ("home.html", "/", {"latest": None, "boards": [], "decided": [], "verdict_counts": {}}),
    "benchmarks": ("benchmarks/benchmarks.html", "/benchmarks", {
        "benchmarks": [fx.benchmark(), fx.benchmark(name="Baseline Chat", kind="performance",
        slug="baseline-chat",
            category="performance"), fx.benchmark(name="A draft", status="draft", current_version=None)],
        "filters": NO_FILTERS, "next_page_token": "abc", "is_demo": True, "is_narrowed": False,
        "may_draft": True}),
    "benchmarks-empty": ("benchmarks/benchmarks.html", "/benchmarks", {
        "benchmarks": [], "filters": NO_FILTERS | {"tags": ["zzz"]}, **NARROWED, **PAGING}),
    "board": ("leaderboards/benchmark.html", "/benchmarks/demo-arithmetic", board_context()),
    "board-author": ("leaderboards/benchmark.html", "/benchmarks/demo-arithmetic", board_context(
        lifecycle=benchmark_pages.lifecycle(), benchmark=fx.benchmark(
            long_description="Made by a program from a published seed.\n\nIt says nothing about fractions.",
            citation={"title": "Demo Arithmetic", "authors": ["A. Author"], "venue": "", "year": 2026,
                      "doi": "", "bibtex": "@misc{demo}"}))),
    "board-performance": ("leaderboards/benchmark.html", "/benchmarks/baseline-chat", board_context(
        benchmark=fx.benchmark(name="Baseline Chat", kind="performance", category="performance"),
        version=fx.performance_version(), versions=[fx.performance_version()], board=fx.performance_board())),
    "board-sweep": ("leaderboards/benchmark.html", "/benchmarks/latency-sweep", board_context(
        benchmark=fx.benchmark(name="Latency Sweep", kind="performance", category="performance"),
        version=fx.performance_version({
            "concurrency": None, "concurrencies": [1, 2, 4, 8], "requests": 1000,
            "slo": {"ttft_ms": 200.0, "itl_ms": 0.5, "request_latency_ms": 20000.0}}),
        board=fx.performance_board())),
    "board-rerank": ("leaderboards/benchmark.html", "/benchmarks/baseline-rerank", board_context(
        benchmark=fx.benchmark(name="Baseline Rerank", kind="performance", category="performance"),
        version=fx.performance_version({"protocol": "rerank", "documents": 10, "streaming": False}),
        board=fx.performance_board())),
    "board-held-against": ("leaderboards/benchmark.html", "/benchmarks/demo-arithmetic", board_context(
        reference=fx.leaderboard()["items"][4])),
    "board-filtered": ("leaderboards/benchmark.html", "/benchmarks/demo-arithmetic?query=r", board_context(
        filters=BOARD_FILTERS | {"query": "r", "organization_id": fx.uid(7), "level": "audited"},
        board=fx.leaderboard(items=fx.leaderboard()["items"][2:6]))),
    "board-empty": ("leaderboards/benchmark.html", "/benchmarks/demo-arithmetic", board_context(
        board=fx.leaderboard(items=[], ranked_count=0, unranked_count=2, verified_only=True,
        updated_at=None))),
    "board-draft": ("leaderboards/benchmark.html", "/benchmarks/demo-arithmetic", board_context(
        benchmark=fx.benchmark(status="draft", current_version=None), version=None, versions=[], board=None)),
    "submissions": ("submissions/submissions.html", "/submissions", {
        "submissions": [fx.submission(), fx.submission(verdict=None, level="unverified", status="withdrawn"),
            fx.submission(verdict="refuted", level="unverified", is_simulated=True)],
        "filters": {"verdict": ""}, "next_page_token": "", "is_demo": True}),
    "submissions-empty": ("submissions/submissions.html", "/submissions", {
        "submissions": [], "filters": {"verdict": ""}, **PAGING}),
    "submission": ("submissions/submission.html", "/submissions/x", submission_context()),
    "submission-refuted": ("submissions/submission.html", "/submissions/x", refuted()),
    "submission-performance": ("submissions/submission.html", "/submissions/x", performance()),
    "submission-groups": ("submissions/submission.html", "/submissions/x", submission_context(
        runs=[fx.run(cost_usd="0.0143", groups=[
            fx.group(), fx.group("__ungrouped__", answered_accuracy=None)])])),
    "submission-clocks": ("submissions/submission.html", "/submissions/x", performance() | {
        "runs": [fx.run(kind="performance", findings=fx.FINDINGS, input_tokens=None)]}),
    "submission-sweep": ("submissions/submission.html", "/submissions/x", performance() | {
        "runs": [fx.run(kind="performance", findings={"sweep": fx.sweep(
            stopped={"concurrency": 64, "code": "rate_limited", "message": "HTTP 429"})})]}),
    "submission-running": ("submissions/submission.html", "/submissions/x", running()),
    "submission-waiting": ("submissions/submission.html", "/submissions/x", running(
        status="requested", done_count=0, started_at=None)),
    "submission-failed": ("submissions/submission.html", "/submissions/x", failed()),
    "submission-unverified": ("submissions/submission.html", "/submissions/x", unverified()),
    "submission-withdrawn": ("submissions/submission.html", "/submissions/x", withdrawn()),
    "cases": ("submissions/cases.html", "/submissions/x/cases", submission_context()),
    "progress": ("submissions/_progress.html", "/submissions/x/progress", running()),
    "progress-done": ("submissions/_progress.html", "/submissions/x/progress", {
        "running": None, "runs": [], "now": None}),
    "models": ("leaderboards/models.html", "/models", {
        "models": [fx.model(), fx.model(402, name="SmolLM2 135M Instruct", publisher="HuggingFaceTB",
            publisher_verified=False, aliases=[])], "query": "", **PAGING}),
    "models-empty": ("leaderboards/models.html", "/models", {"models": [], "query": "nobody", **PAGING}),
    "model": ("leaderboards/model.html", "/models/x", {
        "model": fx.model(), "results": [
            {"board": fx.leaderboard(), "entry": fx.leaderboard()["items"][6]},
            {"board": fx.performance_board(), "entry": fx.performance_board()["items"][0]}],
        "submissions": [fx.submission()], "measurements": board_pages.measurements(), "is_demo": True}),
    "model-empty": ("leaderboards/model.html", "/models/x", {
        "model": fx.model(publisher_verified=False), "results": [], "submissions": [], "measurements": []}),
    "refused": ("refused.html", "/submissions/x", {"refusal": fx.refusal()}),
    "refused-401": ("refused.html", "/organizations", {"refusal": fx.refusal(status=401, errors=[])}),
    "404": ("404.html", "/nowhere", {"refusal": fx.refusal(status=404, code="not_found")}),
    "500": ("500.html", "/", {"refusal": fx.refusal(status=500, code="internal_error")}),
    "503": ("503.html", "/", {"refusal": fx.refusal(status=503, code="unavailable")}),
}  # fmt: skip
PAGES |= accounts_pages.PAGES | benchmark_pages.PAGES | board_pages.PAGES
PAGES |= governance_pages.PAGES | submit_pages.PAGES | campaign_pages.PAGES
