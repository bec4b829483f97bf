import json
import threading
from pathlib import Path

import pytest

import benchmarks.demo
from benchmarks.loads import settled
from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.faults import failure
from llm_benchmark.measure.performance import runner as performance
from llm_benchmark.measure.performance.acceptance import Accepted, NotAccepted
from llm_benchmark.measure.performance.runner import run_performance, target_of
from llm_benchmark.measure.performance.session import Failed
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.performance.sweep import findings, knee_of, power
from llm_benchmark.measure.plans import (
    Failure,
    PerformancePlan,
    RequestRecord,
    Session,
    Side,
    Target,
    Usage,
)

SHIPPED = json.loads(Path(benchmarks.demo.__file__).with_name("profiles.json").read_text())
SECOND_NS = 1_000_000_000


def level(concurrency, *, rate, ttft=10.0, tokens=20, flags=(), failed=0, slo=None):
    """Forty answers, `rate` a second, all in flight as they must be by Little's law."""
    latency = concurrency / rate * 1000
    starts = [round(n * SECOND_NS / rate) for n in range(40)]
    good = [RequestRecord(start, ttft, latency, 1.0, 8, tokens, Usage(8, tokens)) for start in starts]
    bad = [RequestRecord(0, None, None, None, 8, None, Usage(), "rate_limited")] * failed
    return Session([*good, *bad], flags, concurrency, slo or {})


# Throughput doubles, then grows less and less, while each request takes longer.
LEVELS = [level(1, rate=10), level(2, rate=20), level(4, rate=32), level(8, rate=36, ttft=90.0)]


class TestKnee:
    def test_is_where_throughput_over_response_time_is_greatest(self):
        assert knee_of(LEVELS).concurrency == 4

    def test_takes_power_as_throughput_over_response_time(self):
        one = level(2, rate=20)
        rate = session_metrics(one)["requests_per_second"].value

        assert power(one) == pytest.approx(rate / (2 / rate))

    def test_is_not_there_where_nothing_answered(self):
        assert knee_of([Session([], (), 1)]) is None


class TestFindings:
    def test_draw_the_curve_level_by_level(self):
        rows = findings(LEVELS)["levels"]

        assert [row["concurrency"] for row in rows] == [1, 2, 4, 8]
        assert [row["is_knee"] for row in rows] == [False, False, True, False]
        assert [row["is_peak"] for row in rows] == [False, False, False, True]
        assert rows[3]["ttft_p50"] == 90.0

    def test_count_errors_and_good_requests(self):
        found = findings([level(1, rate=10, failed=2, flags={"provider_errors"}, slo={"ttft_ms": 10.0})])

        [row] = found["levels"]
        assert (row["requests"], row["errors"], row["good_requests"]) == (42, 2, 40)
        assert row["flags"] == ["provider_errors"]

    def test_say_where_the_provider_gave_up(self):
        found = findings(LEVELS, (16, failure("rate_limited", status=429)))

        assert found["stopped"]["concurrency"] == 16
        assert found["stopped"]["code"] == "rate_limited"


class TestSweepMetrics:
    def test_are_the_peak_and_the_knee(self):
        found = session_metrics(Session((), (), 8, levels=LEVELS))

        assert found.keys() == {
            "peak_output_tokens_per_second",
            "knee_concurrency",
            "knee_ttft_p50",
            "error_rate",
        }
        assert found["knee_concurrency"].value == 4
        assert found["knee_ttft_p50"].value == 10.0
        top = session_metrics(LEVELS[3])["output_tokens_per_second"].value
        assert found["peak_output_tokens_per_second"].value == top

    def test_count_errors_over_all_levels(self):
        sweep = Session((), (), 2, levels=[level(1, rate=10), level(2, rate=20, failed=20)])

        assert session_metrics(sweep)["error_rate"].value == 0.2


class TestKeptSessions:
    def test_come_back_with_their_levels_and_goals(self):
        sweep = Session((), frozenset({"saturated"}), 8, {"ttft_ms": 50.0}, levels=LEVELS)

        read = formats.read_session(formats.session(sweep))

        assert session_metrics(read) == session_metrics(sweep)
        assert (read.slo, read.flags) == (sweep.slo, sweep.flags)

    def test_look_as_before_without_any(self):
        assert formats.session(LEVELS[0]).keys() == {"concurrency", "flags", "records"}


PLAN = PerformancePlan(
    8, 20, requests=40, seed=2**31 - 2, concurrencies=[1, 2, 4], request_bound=100, token_bound=5000
)
TARGET = Target("http://127.0.0.1:9/v1", "m")
REFUSED = failure("rate_limited", status=429)


@pytest.fixture
def measured(monkeypatch):
    """Runs a sweep without processes: `brought` says what comes of each level."""

    def run(brought, plan=PLAN):
        plans = []

        class Stub:
            returned_model, spent_tokens, expected_latency_seconds = "m", 1000, 0.1

            def __init__(self, conditions, plan, workdir, *, level):
                self.plan, self.ledger = plan, Sent()
                self.files = {f"aiperf/{level}/inputs.json": workdir / "inputs.json"}
                self.digests = dict.fromkeys(self.files, "0" * 64)
                plans.append(plan)

            def describe(self):
                return {"request_rate": 500.0}

            def run(self):
                result = brought[self.plan.concurrency]
                if isinstance(result, Exception):
                    raise result
                return Accepted(result.records, frozenset(result.flags), {"times": {}})

        monkeypatch.setattr(performance, "LoadSession", Stub)
        monkeypatch.setattr(performance, "_prepare", lambda *_, **__: Prepared())
        outcome = run_performance(plan, TARGET, None, threading.Event(), workdir=Path("/nowhere"))
        return outcome, plans

    return run


class Sent:
    sent_count = 43


class Prepared:
    calibration: dict = {}


def honest(**changes):
    return {n: level(n, rate=10 * n) for n in (1, 2, 4)} | {int(k[1:]): v for k, v in changes.items()}


class TestRunSweep:
    def test_measures_each_level_on_its_own(self, measured):
        outcome, plans = measured(honest())

        assert [plan.concurrency for plan in plans] == [1, 2, 4]
        assert len(outcome.session.levels) == 3
        assert len(outcome.records) == 120
        assert outcome.findings["sweep"]["levels"][0]["checks"]["request_rate"] == 500.0
        assert min(outcome.files) == "aiperf/c001/inputs.json"

    def test_gives_no_two_levels_the_same_prompts(self, measured):
        _, plans = measured(honest())

        assert [plan.seed for plan in plans] == [2**31 - 2, 2**31 - 1, 0]

    def test_leaves_later_levels_what_earlier_ones_did_not_use(self, measured):
        _, plans = measured(honest())

        assert [plan.request_bound for plan in plans] == [100, 57, 14]
        assert [plan.token_bound for plan in plans] == [5000, 4000, 3000]

    @pytest.mark.parametrize("refusal", [Failed(REFUSED), NotAccepted(REFUSED)])
    def test_stands_up_to_the_level_that_the_provider_does_not_serve(self, measured, refusal):
        outcome, plans = measured(honest(c2=refusal))

        assert outcome.failure is None
        assert [plan.concurrency for plan in plans] == [1, 2]
        assert "sweep_stopped" in outcome.flags
        assert outcome.findings["sweep"]["stopped"]["code"] == "rate_limited"
        assert outcome.metrics["knee_concurrency"] == 1

    @pytest.mark.parametrize(
        "ending",
        [
            failure("request_bound_reached"),
            Failure(Side.PLATFORM, "times_disagree", "x"),
            failure("authentication_failed"),
        ],
    )
    def test_fails_where_the_fault_is_not_a_limit_of_the_provider(self, measured, ending):
        outcome, _ = measured(honest(c4=NotAccepted(ending)))

        assert outcome.failure == ending
        assert outcome.metrics == {}

    def test_fails_where_the_first_level_does(self, measured):
        outcome, _ = measured(honest(c1=Failed(REFUSED)))

        assert outcome.failure == REFUSED

    def test_gathers_the_flags_of_its_levels(self, measured):
        outcome, _ = measured(honest(c4=level(4, rate=40, flags={"saturated"})))

        assert outcome.flags == {"saturated"}


class TestPlan:
    @pytest.mark.parametrize("shipped", SHIPPED, ids=lambda each: each["benchmark"]["slug"])
    def test_is_made_of_every_shipped_profile(self, shipped):
        plan = PerformancePlan(**settled(shipped["load_profile"]), seed=1)

        assert target_of(plan, TARGET).protocol == (plan.protocol or "chat")
        assert formats.performance_plan(plan)["requests"] == plan.requests


class TestTargetOf:
    @pytest.mark.parametrize(
        ("profile", "asked", "expected"),
        [
            (None, "chat", "chat"),
            (None, "messages", "messages"),
            ("embeddings", "chat", "embeddings"),
            ("embeddings", "embeddings", "embeddings"),
            ("rerank", "rerank_tei", "rerank_tei"),
            ("rerank", "chat", "rerank"),
        ],
    )
    def test_asks_as_the_profile_wants(self, profile, asked, expected):
        plan = PerformancePlan(8, 0, requests=1, seed=1, protocol=profile)

        assert target_of(plan, Target("http://x.example", "m", protocol=asked)).protocol == expected

    @pytest.mark.parametrize(
        ("profile", "asked"), [(None, "embeddings"), ("embeddings", "rerank"), ("rerank", "messages")]
    )
    def test_refuses_a_model_that_is_asked_otherwise(self, profile, asked):
        plan = PerformancePlan(8, 0, requests=1, seed=1, protocol=profile)

        with pytest.raises(Failed) as refused:
            target_of(plan, Target("http://x.example", "m", protocol=asked))

        assert (refused.value.failure.side, refused.value.failure.code) == (
            Side.SUBMITTER,
            "profile_mismatch",
        )
