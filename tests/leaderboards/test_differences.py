import math

import pytest
from scipy import stats

from leaderboards import differences as own
from leaderboards.differences import Method, Obstacle, Reading
from llm_benchmark.measure.metrics import MetricKind

near = pytest.approx


def questions(*scores, weights=None, kind=MetricKind.PROPORTION):
    """A reading of these questions' scores."""
    mean = sum(scores) / len(scores)
    keyed = {f"q{n}": score for n, score in enumerate(scores)}
    weighed = weights and {f"q{n}": weight for n, weight in enumerate(weights)}
    return Reading(mean, None, None, len(scores), kind, cases=keyed, weights=weighed)


def share(right, count):
    return Reading(right / count, None, None, count, MetricKind.PROPORTION)


def speed(*sessions, low=None, high=None):
    value = math.exp(sum(map(math.log, sessions)) / len(sessions)) if min(sessions) > 0 else 0.0
    return Reading(value, low, high, 20, MetricKind.PERCENTILE, sessions=sessions)


def quality(first, second):
    return own.between(first, second, is_speed=False)


def load(first, second):
    return own.between(first, second, is_speed=True)


class TestQuestionsThatBothAnswered:
    def test_right_or_wrong_ones_are_judged_by_the_changed_pairs(self):
        """22 only right for the first, 40 only for the second, of 1,000."""
        first = questions(*[1.0] * 22, *[0.0] * 40, *[1.0] * 938)
        second = questions(*[0.0] * 22, *[1.0] * 40, *[1.0] * 938)
        found = quality(first, second)

        assert (found.method, found.shared_count) == (Method.MCNEMAR, 1000)
        assert found.difference == near(-0.018)
        assert found.p_value == near(0.030016, abs=1e-6)
        assert (found.low, found.high) == near((-0.0334, -0.0026), abs=2e-4)

    def test_partly_right_ones_are_judged_by_students_t(self):
        first, second = (1.0, 0.5, 0.5, 1.0, 0.0), (0.5, 0.5, 0.0, 0.5, 0.5)
        found = quality(questions(*first), questions(*second))
        expected = stats.ttest_rel(first, second)

        assert found.method is Method.PAIRED_T
        assert found.p_value == near(expected.pvalue)
        assert (found.low, found.high) == near(tuple(expected.confidence_interval()))

    def test_weighted_ones_count_what_they_weigh(self):
        weights = (3.0, 1.0, 1.0)
        found = quality(questions(1.0, 0.0, 1.0, weights=weights), questions(0.0, 0.0, 1.0, weights=weights))

        assert (found.method, found.difference) == (Method.PAIRED_T, near(3 / 5))

    def test_that_all_differ_alike_are_judged_by_their_signs(self):
        found = quality(questions(*[0.5] * 6), questions(*[0.25] * 6))

        assert (found.method, found.p_value, found.difference) == (Method.SIGN_FLIPS, 2 / 64, 0.25)

    def test_that_differ_alike_but_for_rounding_are_no_proof(self):
        found = quality(questions(0.9, 0.8, 0.7), questions(0.6, 0.5, 0.4))

        assert (found.method, found.p_value) == (Method.SIGN_FLIPS, 0.25)

    def test_that_do_not_differ_have_a_p_value_of_one_and_an_interval_all_the_same(self):
        found = quality(questions(*[1.0] * 10), questions(*[1.0] * 10))

        assert (found.p_value, found.difference) == (1.0, 0.0)
        assert found.low < 0 < found.high

    def test_count_only_where_both_have_them(self):
        first, second = questions(1.0, 1.0, 0.0), questions(1.0, 1.0)
        assert quality(first, second).shared_count == 2


class TestQuestionsWithoutEvidenceOfEach:
    def test_are_compared_as_two_samples(self):
        found = quality(share(860, 1000), share(842, 1000))
        expected = stats.chi2_contingency([[860, 140], [842, 158]], correction=False).pvalue

        assert found.method is Method.TWO_PROPORTIONS
        assert (found.low, found.high) == near((-0.013260, 0.049256), abs=1e-6)
        assert (found.p_value, found.shared_count) == (near(expected), None)

    def test_whose_mean_has_an_interval_are_compared_by_welch(self):
        half = stats.t.ppf(0.975, 19) * 0.05
        first = Reading(0.7, 0.7 - half, 0.7 + half, 20, MetricKind.MEAN)
        second = Reading(0.5, 0.5 - half, 0.5 + half, 20, MetricKind.MEAN)
        expected = stats.ttest_ind_from_stats(
            0.7, 0.05 * 20**0.5, 20, 0.5, 0.05 * 20**0.5, 20, equal_var=False
        )

        assert quality(first, second).p_value == near(expected.pvalue)

    def test_whose_spread_is_unknown_have_no_p_value(self):
        bare = Reading(0.5, None, None, 20, MetricKind.MEAN)
        found = quality(bare, bare)

        assert (found.method, found.obstacle, found.p_value) == (Method.NONE, Obstacle.NO_SPREAD, None)


class TestSpeed:
    def test_over_sessions_is_a_ratio(self):
        first, second = (40.0, 42.0, 41.0), (50.0, 49.0, 52.0)
        found = load(speed(*first), speed(*second))
        logs = [[math.log(v) for v in values] for values in (first, second)]
        expected = stats.ttest_ind(*logs, equal_var=False)

        assert (found.method, found.shared_count) == (Method.LOG_RATIO_T, 3)
        assert found.p_value == near(expected.pvalue)
        ends = [100 * math.expm1(end) for end in expected.confidence_interval()]
        assert (found.percent_low, found.percent_high) == near(tuple(ends))
        assert found.low is None
        assert found.sign == -1

    def test_of_one_session_each_has_the_intervals_of_its_requests_and_no_p_value(self):
        found = load(speed(40.0, low=38.0, high=43.0), speed(50.0, low=47.0, high=55.0))

        assert (found.method, found.p_value, found.obstacle) == (Method.INTERVALS, None, Obstacle.ONE_SESSION)
        assert (found.low, found.high, found.sign) == (38.0 - 55.0, 43.0 - 47.0, -1)
        assert found.confidence == 0.9

    def test_of_one_session_against_many_is_still_of_one_session(self):
        assert load(speed(40.0), speed(50.0, 51.0)).obstacle is Obstacle.ONE_SESSION

    def test_without_any_interval_is_not_judged(self):
        found = load(speed(40.0), speed(50.0))
        assert (found.method, found.difference, found.sign) == (Method.NONE, near(-10.0), 0)

    def test_of_rates_that_may_be_zero_is_a_plain_difference(self):
        found = load(speed(0.0, 0.1, 0.0), speed(0.2, 0.3, 0.1))
        assert found.method is Method.WELCH_T

    def test_of_equal_sessions_shows_no_spread(self):
        assert load(speed(40.0, 40.0), speed(50.0, 50.0)).obstacle is Obstacle.NO_SPREAD


class TestDeciding:
    def test_needs_the_interval_and_the_adjusted_p_value(self):
        clear = own.Difference(Method.MCNEMAR, 0.2, 0.1, 0.3, p_value=0.01)
        [one], many = own.adjusted([clear]), own.adjusted([clear] * 6)

        assert (one.sign, one.p_adjusted) == (1, 0.01)
        assert [found.sign for found in many] == [0] * 6
        assert many[0].p_adjusted == near(0.06)

    def test_is_not_done_by_a_p_value_whose_interval_holds_zero(self):
        assert own.adjusted([own.Difference(Method.MCNEMAR, 0.1, -0.01, 0.2, p_value=0.04)])[0].sign == 0

    def test_turns_with_its_numbers(self):
        turned = own.Difference(
            Method.LOG_RATIO_T, 5.0, percent=25.0, percent_low=0.0, percent_high=100.0
        ).turned()

        assert (turned.difference, turned.percent) == (-5.0, near(-20.0))
        assert (turned.percent_low, turned.percent_high) == (near(-50.0), near(0.0))

    def test_says_nothing_of_what_is_unknown(self):
        unknown = Reading(None, None, None, None, MetricKind.PROPORTION)
        assert quality(unknown, share(1, 2)).obstacle is Obstacle.NO_VALUE
