import math
from dataclasses import replace

import numpy as np
import pytest

from llm_benchmark.measure import metrics
from llm_benchmark.measure.metrics import CaseScore, Covers, MetricKind, interval
from llm_benchmark.measure.plans import Answer, Question, RequestRecord, Usage

near = pytest.approx


def record(start_ms=0.0, *, ttft=50.0, latency=200.0, itl=5.0, tokens=32, error=None):
    return RequestRecord(int(start_ms * 1e6), ttft, latency, itl, 64, tokens, Usage(), error)


def session(count, **changes):
    return [record(start_ms=i * 250, ttft=40 + i, latency=200 + i, **changes) for i in range(count)]


def question(key, reference="4", weight=1.0):
    return Question(key, f"What is {key}?", reference, "numeric_v1", weight=weight)


def answer(key, text, **changes):
    raw = b"" if text is None else text.encode()
    return Answer(key, text, raw, latency_ms=10.0, http_status=200, **changes)


class TestInterval:
    def test_of_right_or_wrong_is_wilsons_about_the_questions(self):
        found = interval(MetricKind.PROPORTION, [1.0] * 860 + [0.0] * 140)
        assert (found.low, found.high) == near((0.837113, 0.880131), abs=1e-6)
        assert (found.kind, found.covers) == ("proportion", "questions")

    @pytest.mark.parametrize(("values", "weights"), [([1, 0, 0.5], None), ([1, 0, 1], [1, 1, 2])])
    def test_of_other_scores_is_students(self, values, weights):
        found = interval(MetricKind.PROPORTION, values, weights=weights)
        assert found.kind == "mean"
        assert 0 <= found.low < found.high <= 1

    def test_of_a_percentile_is_order_statistics_of_one_session(self):
        found = interval(MetricKind.PERCENTILE, list(range(1, 101)), quantile=0.5)
        assert (found.low, found.high, found.covers) == (40, 61, "requests_of_one_session")

    def test_of_a_percentile_is_unknown_above_concurrency_one(self):
        found = interval(MetricKind.PERCENTILE, list(range(100)), quantile=0.5, concurrency=2)
        assert (found.low, found.high, found.covers) == (None, None, "nothing")

    def test_of_a_rate_needs_several_sessions(self):
        assert interval(MetricKind.RATE, [40.0]).low is None
        found = interval(MetricKind.RATE, [40.0, 42.0, 41.0])
        assert found.low < 41 < found.high
        assert found.covers == Covers.SESSIONS

    def test_of_an_error_rate_is_exact(self):
        found = interval(MetricKind.ERROR_RATE, [0.0] * 10)
        assert (found.low, found.high) == near((0, 1 - 0.025 ** (1 / 10)))

    @pytest.mark.parametrize("kind", MetricKind)
    def test_of_nothing_is_unknown(self, kind):
        assert interval(kind, []).covers == "nothing"


class TestScoreAnswers:
    def test_gives_nothing_for_what_was_never_asked(self):
        scores = metrics.score_answers([question("a"), question("b")], [answer("a", "4")])
        assert [(s.key, s.score, s.answered, s.error) for s in scores] == [
            ("a", 1.0, True, None),
            ("b", 0.0, False, "not_asked"),
        ]

    @pytest.mark.parametrize(
        ("given", "error", "answered"),
        [
            (answer("a", None, error="read_timeout"), "read_timeout", False),
            (answer("a", ""), "empty_response", False),
            (answer("a", "no idea"), "numeric_not_found", True),
            (answer("a", "so far", finish_reason="length"), "output_truncated", True),
            (answer("a", "4", error="content_filter"), "content_filter", False),
        ],
    )
    def test_says_why_an_answer_does_not_count(self, given, error, answered):
        (score,) = metrics.score_answers([question("a")], [given])
        assert (score.score, score.error, score.answered) == (0, error, answered)

    def test_names_the_raw_answer_by_its_digest(self):
        (score,) = metrics.score_answers([question("a")], [answer("a", "4")])
        assert score.answer_sha256.startswith("4b227777d4dd1fc6")


class TestQualityMetrics:
    SCORES = (
        CaseScore("a", 1.0, answered=True),
        CaseScore("b", 0.0, answered=True),
        CaseScore("c", 0.0, answered=True, error="numeric_not_found"),
        CaseScore("d", 0.0, answered=False, error="read_timeout"),
    )

    def test_count_over_what_was_planned(self):
        found = metrics.quality_metrics(self.SCORES)
        assert {name: (m.value, m.sample_count) for name, m in found.items()} == {
            "accuracy": (0.25, 4),
            "answered_accuracy": (0.5, 2),
            "completion_rate": (0.75, 4),
        }

    def test_leave_unknown_what_nobody_answered(self):
        found = metrics.quality_metrics([CaseScore("d", 0.0, answered=False, error="read_timeout")])
        assert found["answered_accuracy"].value is None
        assert found["accuracy"].value == 0

    def test_weigh_the_cases(self):
        scores = [CaseScore("a", 1.0, answered=True, weight=3), CaseScore("b", 0.0, answered=True)]
        assert metrics.quality_metrics(scores)["accuracy"].value == 0.75
        assert metrics.quality_metrics(scores)["accuracy"].kind == "mean"

    def test_have_the_interval_of_their_declared_kind(self):
        found = metrics.quality_metrics(self.SCORES, kinds={"accuracy": metrics.MetricKind.MEAN})
        expected = metrics.interval(metrics.MetricKind.MEAN, [1.0, 0.0, 0.0, 0.0])
        assert (found["accuracy"].kind, found["completion_rate"].kind) == ("mean", "proportion")
        assert (found["accuracy"].low, found["accuracy"].high) == (0.0, expected.high)
        assert expected.high > metrics.interval(metrics.MetricKind.PROPORTION, [1.0, 0.0, 0.0, 0.0]).high


class TestPerformanceMetrics:
    def test_are_numpys_percentiles_of_the_successes(self):
        records = [*session(20), record(ttft=9999.0, error="http_500")]
        found = metrics.performance_metrics(records)
        for name, q in (("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99)):
            assert found[f"ttft_{name}"].value == near(float(np.percentile(range(40, 60), q)), rel=1e-12)
        assert found["error_rate"].value == near(1 / 21)

    def test_are_rates_over_the_span_of_the_successes(self):
        found = metrics.performance_metrics([record(0, latency=200), record(300, latency=700)])
        assert found["output_tokens_per_second"].value == near(64.0)
        assert found["requests_per_second"].value == near(2.0)

    def test_keep_nanoseconds_of_late_starts(self):
        late = [record(1.7e12, latency=200), record(1.7e12 + 300, latency=700)]
        assert metrics.performance_metrics(late)["requests_per_second"].value == near(2.0, rel=1e-9)

    @pytest.mark.parametrize(
        ("count", "name", "stated"),
        [(71, "p95", False), (72, "p95", True), (367, "p99", False), (368, "p99", True)],
    )
    def test_are_stated_when_enough_requests_bound_them(self, count, name, stated):
        found = metrics.performance_metrics(session(count))[f"request_latency_{name}"]
        assert found.value is not None
        assert (found.is_stated, found.high is not None) == (stated, stated)

    def test_stay_unknown_where_nothing_was_measured(self):
        found = metrics.performance_metrics([record(ttft=None, itl=None, tokens=None)])
        unknown = {name for name, metric in found.items() if metric.value is None}
        assert unknown >= {"ttft_p50", "itl_p50", "output_tokens_per_second"}
        assert found["requests_per_second"].value == near(5.0)

    def test_show_the_providers_own_count_beside_ours(self):
        records = [replace(r, usage=Usage(64, 40)) for r in (record(0), record(300, latency=700))]
        found = metrics.performance_metrics(records)["native_output_tokens_per_second"]
        assert (found.value, found.kind) == (near(80.0), "rate")

    def test_know_no_native_rate_when_one_usage_is_missing(self):
        records = [replace(record(0), usage=Usage(64, 40)), record(300)]
        found = metrics.performance_metrics(records)
        assert found["native_output_tokens_per_second"].value is None
        assert found["output_tokens_per_second"].value is not None

    def test_stay_unknown_when_every_request_failed(self):
        found = metrics.performance_metrics([record(error="http_500")] * 3)
        assert {name for name, metric in found.items() if metric.value is not None} == {"error_rate"}
        assert found["error_rate"].value == 1


class TestGoals:
    def test_count_a_request_that_is_exactly_at_each(self):
        slo = {"ttft_ms": 50.0, "itl_ms": 5.0, "request_latency_ms": 200.0}
        found = metrics.performance_metrics([record(), record(1000, ttft=50.1)], slo=slo)

        assert found["good_request_fraction"].value == 0.5
        assert found["goodput"].value == near(found["requests_per_second"].value / 2)

    def test_are_missed_by_what_failed_and_by_what_has_no_such_time(self):
        records = [record(), record(itl=None), record(error="http_500")]
        found = metrics.performance_metrics(records, slo={"itl_ms": 10.0})["good_request_fraction"]

        assert (found.value, found.sample_count) == (near(1 / 3), 3)
        assert found.low < found.value < found.high

    def test_are_measured_only_where_there_are_any(self):
        assert not {"goodput", "good_request_fraction"} & metrics.performance_metrics([record()]).keys()


class TestInputRate:
    def test_is_of_requests_that_generate_nothing(self):
        records = [record(n * 1000, tokens=None) for n in range(2)]
        assert metrics.performance_metrics(records)["input_tokens_per_second"].value == near(128 / 1.2)

    def test_is_absent_where_text_is_generated(self):
        assert "input_tokens_per_second" not in metrics.performance_metrics([record()])


class TestAcrossSessions:
    def test_is_the_geometric_mean_with_an_interval_over_sessions(self):
        sessions = [metrics.performance_metrics(session(10, tokens=n)) for n in (30, 32, 36)]
        found = metrics.across_sessions(sessions)["output_tokens_per_second"]
        expected = [s["output_tokens_per_second"].value for s in sessions]
        assert found.value == near(math.prod(expected) ** (1 / 3))
        assert found.low < found.value < found.high
        assert (found.covers, found.sample_count) == ("sessions", 3)

    def test_is_unknown_when_one_session_lacks_it(self):
        sessions = [metrics.performance_metrics(session(10, tokens=n)) for n in (30, None)]
        assert metrics.across_sessions(sessions)["output_tokens_per_second"].value is None

    def test_leaves_one_session_as_it_is(self):
        one = metrics.performance_metrics(session(10))
        assert metrics.across_sessions([one]) == one

    @pytest.mark.parametrize("value", [35.29527349999999, 0.1, 3e-9, -1.5])
    def test_has_one_value_in_its_own_middle(self, value):
        """A verdict shows the number that the board ranks, to the last digit."""
        assert metrics.centre([value]) == value
