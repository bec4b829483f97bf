import math
import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.metrics import CaseScore, Direction, quality_metrics
from llm_benchmark.measure.plans import RequestRecord, Usage
from llm_benchmark.measure.verdict import (
    Claim,
    Judgement,
    MetricRule,
    PerformancePolicy,
    QualityPolicy,
    Session,
    Verdict,
    combine,
    default_rule,
    judge_performance,
    judge_quality,
    judge_scores,
    judge_sessions,
    performance_policy,
)

near = pytest.approx
POLICY = QualityPolicy(delta=0.02, alpha=0.05, gamma=0.01)


def pairs(gained, lost, n):
    rerun = [1.0] * gained + [0.0] * (n - gained)
    claimed = [0.0] * gained + [1.0] * lost + [0.0] * (n - gained - lost)
    return rerun, claimed


def judge(gained, lost, n, policy=POLICY, **changes):
    rerun, claimed = pairs(gained, lost, n)
    given = {"claim": sum(claimed) / n, "planned": n, "rerun": rerun, "claimed": claimed}
    return judge_quality(policy, **(given | changes))


def codes(judgement):
    return [reason.code for reason in judgement.reasons]


class TestJudgeQuality:
    @pytest.mark.parametrize(
        ("b", "c", "n", "verdict"),
        [
            (25, 24, 1000, "confirmed"),
            (22, 40, 1000, "inconclusive"),
            (10, 70, 1000, "refuted"),
            (0, 0, 149, "confirmed"),
            (0, 31, 1000, "inconclusive"),
            (100, 110, 10000, "confirmed"),
            (70, 10, 1000, "understated"),
        ],
    )
    def test_follows_s27(self, b, c, n, verdict):
        assert judge(b, c, n).verdict == verdict

    @pytest.mark.parametrize(("b", "c", "n", "bound"), [(10, 70, 1000, -0.039454), (0, 31, 1000, -0.018003)])
    def test_bounds_refutation_as_s27(self, b, c, n, bound):
        judgement = judge(b, c, n, POLICY)
        found = [reason.params.get("bound", reason.params.get("high")) for reason in judgement.reasons]
        assert any(value == near(bound, abs=1e-6) for value in found if value is not None)

    @pytest.mark.parametrize(("lost", "n"), [(6, 15), (10, 15), (20, 200), (30, 200)])
    def test_refutes_the_lies_of_the_demo(self, lost, n):
        judgement = judge(0, lost, n)
        assert (judgement.verdict, judgement.rule) == ("refuted", "paired")
        assert judgement.difference_high < -POLICY.delta
        assert judgement.difference_confidence == near(0.98)

    @pytest.mark.parametrize(("n", "verdict"), [(15, "consistent"), (100, "consistent"), (200, "confirmed")])
    def test_never_refutes_an_exact_reproduction(self, n, verdict):
        assert judge(0, 0, n).verdict == verdict

    @pytest.mark.parametrize(("b", "c"), [(1, 0), (0, 1), (1, 1), (2, 2)])
    def test_takes_one_case_of_a_small_set_as_reproduced(self, b, c):
        assert judge(b, c, 15).verdict == "consistent"

    def test_finds_two_cases_of_fifteen_too_many_to_be_consistent(self):
        judgement = judge(0, 2, 15)
        assert judgement.verdict == "inconclusive"
        assert "difference_above_limit" in codes(judgement)

    def test_calls_a_partial_rerun_inconclusive_where_a_whole_one_is_consistent(self):
        assert judge(0, 0, 100, planned=100).verdict == "consistent"
        partial = judge(0, 0, 100, planned=1000)
        assert partial.verdict == "inconclusive"
        assert "not_the_whole_set" in codes(partial)

    def test_says_how_many_cases_would_decide(self):
        judgement = judge(0, 0, 100)
        assert (judgement.needed_count, judgement.needed_unit) == (149, "cases")
        assert judge(0, 0, judgement.needed_count).verdict == "confirmed"
        assert judge(0, 0, judgement.needed_count - 1).verdict != "confirmed"

    def test_names_the_n_at_which_the_same_rates_refute(self):
        needed = judge(0, 31, 1000).needed_count
        assert 1000 < needed < 2000
        assert judge(0, round(0.031 * needed) + 1, needed).verdict == "refuted"

    def test_uses_the_weak_rule_without_case_evidence(self):
        judgement = judge_quality(POLICY, claim=13 / 15, planned=15, rerun=[1.0] * 7 + [0.0] * 8)
        assert (judgement.rule, judgement.verdict) == ("two_samples", "inconclusive")
        assert codes(judgement)[0] == "no_case_evidence"
        far = judge_quality(POLICY, claim=0.9, planned=200, rerun=[1.0] * 120 + [0.0] * 80)
        assert far.verdict == "refuted"

    def test_does_not_let_evidence_prove_another_claim(self):
        judgement = judge(0, 0, 200, claim=0.5)
        assert judgement.rule == "two_samples"
        assert codes(judgement)[0] == "evidence_does_not_add_up"
        assert judgement.verdict == "refuted"

    def test_counts_a_case_without_a_claimed_score_as_unanswered(self):
        rerun, claimed = pairs(0, 0, 15)
        judgement = judge_quality(POLICY, claim=0, planned=15, rerun=rerun, claimed=[None, *claimed[1:]])
        assert judgement.verdict == "consistent"

    def test_judges_scores_between_right_and_wrong(self):
        claimed = [0.9] * 300
        honest = judge_quality(POLICY, claim=0.9, planned=300, rerun=[0.9] * 300, claimed=claimed)
        liar = judge_quality(POLICY, claim=0.9, planned=300, rerun=[0.7] * 300, claimed=claimed)
        assert (honest.verdict, liar.verdict) == ("confirmed", "refuted")

    def test_has_no_verdict_to_give_without_a_rerun(self):
        judgement = judge_quality(POLICY, claim=0.5, planned=15, rerun=[])
        assert (judgement.verdict, codes(judgement)) == ("inconclusive", ["no_value"])

    @pytest.mark.parametrize("claim", [math.nan, 78.1, -0.1, math.inf])
    def test_refuses_a_claim_outside_0_to_1(self, claim):
        with pytest.raises(ValueError, match="between 0 and 1"):
            judge_quality(POLICY, claim=claim, planned=2, rerun=[1, 0])

    def test_refuses_cases_that_do_not_pair(self):
        with pytest.raises(ValueError, match="zip"):
            judge_quality(POLICY, claim=0.5, planned=2, rerun=[1, 0], claimed=[1])

    def test_gives_the_measured_value_its_own_interval(self):
        judgement = judge(0, 0, 100)
        assert judgement.measured_low <= judgement.measured <= judgement.measured_high


def cases(*groups):
    """(count, score, weight) of each group of alike cases."""
    return [
        CaseScore(f"{place}-{i}", score, answered=True, weight=weight)
        for place, (count, score, weight) in enumerate(groups)
        for i in range(count)
    ]


def accuracy(scores):
    return quality_metrics(scores)["accuracy"].value


def judge_weighted(rerun, claim, *, evidence=None):
    cases = evidence and {case.key: case.score for case in evidence}
    return judge_scores(POLICY, Claim({"accuracy": claim}, cases), rerun, planned=len(rerun))


class TestJudgeWeightedScores:
    HONEST = cases((200, 1.0, 1.0), (200, 0.0, 4.0))

    def test_does_not_refute_an_honest_claim_without_cases(self):
        judgement = judge_weighted(self.HONEST, accuracy(self.HONEST))
        assert (judgement.rule, judgement.verdict) == ("two_samples", "consistent")
        assert judgement.difference == near(0)

    def test_refutes_a_false_claim_without_cases(self):
        judgement = judge_weighted(self.HONEST, 0.5)
        assert (judgement.rule, judgement.verdict) == ("two_samples", "refuted")

    def test_confirms_an_honest_claim_with_cases(self):
        judgement = judge_weighted(self.HONEST, accuracy(self.HONEST), evidence=self.HONEST)
        assert (judgement.rule, judgement.verdict) == ("paired", "confirmed")

    def test_shows_what_the_board_shows(self):
        for evidence in (None, self.HONEST):
            judgement = judge_weighted(self.HONEST, 0.2, evidence=evidence)
            board = quality_metrics(self.HONEST)["accuracy"]
            shown = (judgement.measured, judgement.measured_low, judgement.measured_high)
            assert shown == near((board.value, board.low, board.high))
            assert judgement.claim == 0.2

    def test_does_not_confirm_a_lie_about_the_heavy_cases(self):
        measured = cases((300, 1.0, 1.0), (5, 0.0, 100.0))
        claimed = cases((300, 1.0, 1.0), (5, 1.0, 100.0))
        judgement = judge_weighted(measured, 1.0, evidence=claimed)
        assert judgement.verdict == "refuted"
        assert judgement.difference == near(-500 / 800)

    def test_says_how_many_such_cases_would_decide(self):
        few = cases((20, 1.0, 1.0), (20, 0.0, 4.0))
        judgement = judge_weighted(few, accuracy(few), evidence=few)
        assert (judgement.verdict, judgement.needed_count) == ("consistent", 239)
        enough = cases((119, 1.0, 1.0), (120, 0.0, 4.0))
        assert judge_weighted(enough, accuracy(enough), evidence=enough).verdict == "confirmed"

    def test_judges_equal_weights_as_none(self):
        scores = cases((90, 1.0, 3.0), (60, 0.0, 3.0))
        plain = judge_quality(POLICY, claim=0.62, planned=150, rerun=[case.score for case in scores])
        weighted = judge_weighted(scores, 0.62)
        assert (weighted.verdict, weighted.difference_low) == (plain.verdict, near(plain.difference_low))

    def test_refutes_an_honest_claim_less_often_than_gamma(self):
        draw = random.Random(3)
        weights = [draw.choice([1.0, 2.0, 10.0]) for _ in range(200)]
        chances = [draw.random() for _ in weights]

        def run():
            scores = [float(draw.random() < chance) for chance in chances]
            return [
                CaseScore(str(i), s, answered=True, weight=w)
                for i, (s, w) in enumerate(zip(scores, weights, strict=True))
            ]

        verdicts = [judge_weighted(run(), accuracy(run())).verdict for _ in range(400)]
        assert verdicts.count("refuted") <= 8


P50 = default_rule("ttft_p50")
P95 = default_rule("ttft_p95")
RATE = default_rule("output_tokens_per_second")
PERFORMANCE = PerformancePolicy((P50, P95, RATE))


def judge_one(rule, claim, values, **changes):
    return judge_performance(PERFORMANCE, rule, claim=claim, values=values, **changes)


def judge_times(rule, claim, sample, **changes):
    middle = sorted(sample)[len(sample) // 2]
    return judge_one(rule, claim, [middle], sample=sample, **changes)


class TestJudgeOneSession:
    SAMPLE = tuple(40 + i / 10 for i in range(10))

    @pytest.mark.parametrize(
        ("claim", "verdict"), [(40, "consistent"), (13.3, "refuted"), (120, "understated")]
    )
    def test_judges_the_demo_baseline(self, claim, verdict):
        assert judge_times(P50, claim, self.SAMPLE).verdict == verdict

    @pytest.mark.parametrize(
        ("ratio", "verdict"),
        [
            (1.149, "consistent"),
            (1 / 1.149, "consistent"),
            (1.16, "inconclusive"),
            (1.29, "inconclusive"),
            (1.31, "refuted"),
            (0.69, "understated"),
            (0.71, "inconclusive"),
        ],
    )
    def test_draws_the_lines_at_tau_and_twice_tau(self, ratio, verdict):
        sample = [100.0 * ratio] * 20
        assert judge_times(P50, 100, sample).verdict == verdict

    def test_never_confirms(self):
        assert judge_times(P50, 40.5, self.SAMPLE).verdict == "consistent"

    @pytest.mark.parametrize("claim", [13.3, 120])
    def test_refutes_nothing_while_saturated(self, claim):
        judgement = judge_times(P50, claim, self.SAMPLE, flags={"saturated"})
        assert judgement.verdict == "inconclusive"
        assert "saturated" in codes(judgement)

    def test_refutes_nothing_at_a_concurrency_above_one(self):
        judgement = judge_times(P50, 13.3, self.SAMPLE, concurrency=4)
        assert (judgement.verdict, judgement.difference_low) == ("inconclusive", None)

    def test_decides_nothing_by_the_unbounded_side(self):
        sample = [10.0 + i / 100 for i in range(72)]
        slower_claim = judge_times(P95, 100, sample)
        assert (slower_claim.verdict, slower_claim.difference_high) == ("inconclusive", None)
        assert judge_times(P95, 1, sample).verdict == "refuted"

    def test_does_not_judge_a_percentile_that_cannot_be_stated(self):
        judgement = judge_times(P95, 40, self.SAMPLE)
        assert (judgement.verdict, codes(judgement)) == ("inconclusive", ["not_stated"])
        assert judgement.reasons[0].params == {"n": 10, "minimum": 72}

    @pytest.mark.parametrize(
        ("measured", "verdict"), [(100, "consistent"), (109, "consistent"), (50, "inconclusive")]
    )
    def test_cannot_refute_a_rate(self, measured, verdict):
        assert judge_one(RATE, 100, [measured]).verdict == verdict

    def test_finds_other_lengths_incomparable(self):
        assert codes(judge_times(P50, 40, self.SAMPLE, flags={"not_comparable"})) == ["not_comparable"]

    @pytest.mark.parametrize(
        ("claim", "values", "code"),
        [(None, [1.0], "not_claimed"), (1, [None], "no_value"), (1, [], "no_value"), (0, [1.0], "no_ratio")],
    )
    def test_is_inconclusive_without_both_numbers(self, claim, values, code):
        judgement = judge_one(RATE, claim, values)
        assert (judgement.verdict, codes(judgement)) == ("inconclusive", [code])


class TestAbsurdNumbers:
    @pytest.mark.parametrize(
        ("rule", "claim", "verdict"),
        [(P50, 1e-310, "refuted"), (P50, 1e308, "understated"), (RATE, 1e308, "refuted")],
    )
    def test_are_judged_in_finite_ones(self, rule, claim, verdict):
        values = [100.0, 101.0, 99.0, 100.0, 102.0]
        judgement = judge_one(rule, claim, values)
        assert judgement.verdict == verdict
        assert judgement.measured_low == near(99, abs=1)

    def test_refute_one_session_too(self):
        assert judge_times(P50, 1e-310, [100.0] * 20).verdict == "refuted"

    def test_have_no_ratio_when_they_are_none(self):
        judgement = judge_one(RATE, math.inf, [1.0])
        assert (judgement.claim, codes(judgement)) == (None, ["no_ratio"])

    @settings(max_examples=300, deadline=None)
    @given(
        rule=st.sampled_from([P50, P95, RATE]),
        claim=st.none() | st.floats(),
        values=st.lists(st.none() | st.just(math.nan) | st.floats(-1e300, 1e300), max_size=6),
        sample=st.lists(st.floats(), max_size=80),
        flags=st.sets(st.sampled_from(["saturated", "not_comparable"])),
    )
    def test_never_reach_a_bundle(self, rule, claim, values, sample, flags):
        given_sample = () if rule is RATE else sample
        judgement = judge_one(rule, claim, values, sample=given_sample, flags=flags)
        written = formats.verdict(judgement.verdict, [judgement])
        assert written["verdict"] == judgement.verdict


class TestJudgeSessions:
    @pytest.mark.parametrize(
        ("values", "verdict"),
        [
            ([100, 101, 99, 100, 102], "confirmed"),
            ([120, 121, 119, 120, 122], "refuted"),
            ([80, 81, 79, 80, 82], "understated"),
            ([100, 118, 92, 125, 90], "consistent"),
            ([125, 118, 92, 145, 110], "inconclusive"),
        ],
    )
    def test_five_decide_at_tau_itself(self, values, verdict):
        assert judge_one(P50, 100, values).verdict == verdict

    def test_four_do_not_confirm(self):
        judgement = judge_one(P50, 100, [100, 101, 99, 100])
        assert (judgement.verdict, judgement.rule, judgement.needed_count) == (
            "consistent",
            "few_sessions",
            5,
        )

    @pytest.mark.parametrize(("measured", "verdict"), [(70, "refuted"), (130, "understated")])
    def test_mirror_when_higher_is_better(self, measured, verdict):
        values = [measured * factor for factor in (0.99, 1, 1.01, 1, 1)]
        assert judge_one(RATE, 100, values).verdict == verdict

    def test_are_not_confirmed_while_saturated(self):
        values = [100, 101, 99, 100, 102]
        assert judge_one(P50, 100, values, flags={"saturated"}).verdict == "consistent"

    def test_say_how_many_more_would_decide(self):
        judgement = judge_one(P50, 100, [100, 118, 92, 125, 90])
        assert judgement.needed_count > 5

    def test_reads_records_and_leaves_out_what_nobody_claimed(self):
        records = [RequestRecord(i * 250_000_000, 40.0 + i, 200.0, 5.0, 64, 32, Usage()) for i in range(10)]
        policy = performance_policy(["ttft_p50", "request_latency_p50"])
        claim = {"ttft_p50": 44.5, "requests_per_second": 4.0}
        judged = judge_sessions(policy, claim, [Session(records)])
        assert [(j.metric, j.verdict, j.is_deciding) for j in judged] == [
            ("ttft_p50", "consistent", True),
            ("request_latency_p50", "inconclusive", True),
            ("requests_per_second", "consistent", False),
        ]
        assert combine(judged) == "inconclusive"


class TestPolicies:
    @pytest.mark.parametrize(
        ("name", "tolerance"),
        [
            ("output_tokens_per_second", 0.10),
            ("ttft_p50", 0.15),
            ("itl_p95", 0.20),
            ("request_latency_p99", 0.25),
        ],
    )
    def test_have_the_default_tolerances(self, name, tolerance):
        assert default_rule(name).tolerance == tolerance

    def test_take_the_given_tolerances(self):
        policy = performance_policy(["ttft_p50"], {"ttft_p50": 0.3})
        assert policy.rules[0] == MetricRule("ttft_p50", Direction.LOWER, 0.3, is_deciding=True)

    @pytest.mark.parametrize("given", [(["accuracy"], {}), (["ttft_p50"], {"nonsense": 0.1})])
    def test_refuse_a_metric_that_is_no_ratio(self, given):
        with pytest.raises(KeyError):
            performance_policy(*given)


def judgement(verdict, *, deciding=True):
    return Judgement(
        "m", verdict, "none", None, None, None, None, None, None, 0.1, 0, (), is_deciding=deciding
    )


class TestCombine:
    def test_takes_the_worst_in_order(self):
        order = ["refuted", "inconclusive", "understated", "consistent", "confirmed"]
        for one, other in product(order, order):
            worst = order[min(order.index(one), order.index(other))]
            assert combine([judgement(Verdict(one)), judgement(Verdict(other))]) == worst

    def test_ignores_what_is_only_shown(self):
        shown = judgement(Verdict.REFUTED, deciding=False)
        assert combine([judgement(Verdict.CONFIRMED), shown]) == "confirmed"

    def test_is_inconclusive_when_nothing_decides(self):
        assert combine([]) == "inconclusive"


class TestErrorRates:
    def test_honest_quality_claims_are_refuted_less_often_than_gamma(self):
        draw = random.Random(11)
        verdicts = [self.honest_run(draw, flips=0.10) for _ in range(1500)]
        assert verdicts.count("refuted") / 1500 <= POLICY.gamma
        assert verdicts.count("understated") / 1500 <= POLICY.gamma

    def test_a_claim_off_by_delta_is_confirmed_about_as_often_as_alpha(self):
        draw = random.Random(12)
        verdicts = [self.honest_run(draw, flips=0.05, lie=0.02) for _ in range(1500)]
        assert verdicts.count("confirmed") / 1500 <= 1.5 * POLICY.alpha

    def test_an_overclaim_of_eight_points_is_refuted(self):
        draw = random.Random(13)
        verdicts = [self.honest_run(draw, flips=0.05, lie=0.08) for _ in range(300)]
        assert verdicts.count("refuted") / 300 >= 0.97

    @staticmethod
    def honest_run(draw, flips, lie=0.0, n=1000):
        changed = [draw.random() for _ in range(n)]
        gained = sum(x < (flips - lie) / 2 for x in changed)
        lost = sum((flips - lie) / 2 <= x < flips + lie / 2 for x in changed)
        return judge(gained, lost, n).verdict

    @pytest.mark.parametrize(("noise", "most"), [(0.05, 0.001), (0.10, 0.016)])
    def test_honest_performance_is_hardly_ever_refuted(self, noise, most):
        assert self.share("refuted", noise, factor=1.0) <= most

    def test_a_halved_latency_is_caught(self):
        assert self.share("refuted", 0.05, factor=2.0) >= 0.95

    @staticmethod
    def share(verdict, noise, factor, runs=2000, requests=20):
        """Claim and re-run are one session each; sessions differ by `noise`, requests by 5 %."""
        draw = random.Random(14)

        def times(middle):
            level = middle * math.exp(draw.gauss(0, noise))
            return [level * math.exp(draw.gauss(0, 0.05)) for _ in range(requests)]

        found = [judge_times(P50, sorted(times(100))[10], times(100 * factor)).verdict for _ in range(runs)]
        return found.count(verdict) / runs
