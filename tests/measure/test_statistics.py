import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from llm_benchmark.measure import statistics as own

near = pytest.approx


class TestQuantilesAgreeWithScipy:
    @pytest.mark.parametrize("p", [1e-6, 0.005, 0.025, 0.05, 0.3, 0.5, 0.9, 0.975, 0.995, 1 - 1e-6])
    @pytest.mark.parametrize("df", [1, 2, 4, 9, 71, 1000])
    def test_of_student(self, p, df):
        assert own.t_quantile(p, df) == near(stats.t.ppf(p, df), rel=1e-9, abs=1e-12)

    @pytest.mark.parametrize("p", [1e-8, 0.005, 0.05, 0.5, 0.975, 0.995])
    @pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 50), (3, 8), (50, 1), (140, 861), (5000, 5001)])
    def test_of_beta(self, p, a, b):
        assert own.beta_quantile(p, a, b) == near(stats.beta.ppf(p, a, b), rel=1e-9)

    @settings(max_examples=150, deadline=None)
    @given(st.floats(1e-4, 1 - 1e-4), st.floats(0.3, 2000), st.floats(0.3, 2000))
    def test_of_the_beta_distribution_function(self, x, a, b):
        assert own.beta_cdf(x, a, b) == near(stats.beta.cdf(x, a, b), rel=1e-9, abs=1e-13)

    @settings(max_examples=100, deadline=None)
    @given(
        st.integers(1, 2000),
        st.sampled_from([0.01, 0.5, 0.9, 0.95, 0.99]),
        st.sampled_from([0.005, 0.025, 0.975, 0.995]),
    )
    def test_of_the_binomial(self, n, p, probability):
        assert own.binomial_quantile(probability, n, p) == stats.binom.ppf(probability, n, p)

    def test_of_the_normal(self):
        assert own.normal_quantile(0.99) == near(stats.norm.ppf(0.99), rel=1e-12)

    def test_refuses_a_probability_above_one(self):
        with pytest.raises(ValueError, match="probability"):
            own.beta_quantile(1.5, 2, 2)


class TestProportions:
    def test_wilson_s1(self):
        assert own.wilson(860, 1000) == near((0.837113, 0.880131), abs=1e-6)

    def test_all_right_s2(self):
        assert own.wilson(10, 10)[0] == near(0.722467, abs=1e-6)
        assert own.wilson(10, 10)[1] == 1
        assert own.clopper_pearson(10, 10) == near((0.691503, 1), abs=1e-6)

    def test_none_right_s3(self):
        assert own.wilson(0, 50) == near((0, 0.071348), abs=1e-6)

    @settings(max_examples=60, deadline=None)
    @given(st.integers(1, 3000), st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.99]))
    def test_equals_scipy(self, n, share, confidence):
        k = round(n * share)
        test = stats.binomtest(k, n)
        exact, score = test.proportion_ci(confidence), test.proportion_ci(confidence, method="wilson")
        assert own.clopper_pearson(k, n, confidence) == near((exact.low, exact.high), rel=1e-9, abs=1e-12)
        assert own.wilson(k, n, confidence) == near((score.low, score.high), rel=1e-9, abs=1e-12)

    def test_newcombe_s4(self):
        assert own.newcombe((860, 1000), (842, 1000)) == near((-0.013260, 0.049256), abs=1e-6)

    @pytest.mark.parametrize("interval", [own.wilson, own.clopper_pearson])
    def test_refuses_no_observations(self, interval):
        with pytest.raises(ValueError, match="at least one"):
            interval(0, 0)


class TestMeans:
    def test_standard_error_s7(self):
        assert own.standard_error([1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1]) == near(0.148647, abs=1e-6)

    def test_interval_equals_scipy(self):
        values = [0.2, 0.5, 0.9, 0.4, 0.45]
        expected = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
        assert own.mean_t_interval(values) == near(expected, rel=1e-9)

    @pytest.mark.parametrize("values", [[0.5], [], [1.0, 1.0, 1.0]])
    def test_has_no_interval_without_spread(self, values):
        assert own.mean_t_interval(values) is None

    def test_of_wild_log_ratios_is_finite(self):
        low, high = own.log_ratio_t_interval([1e-9, 1e9], 1.0, 0.999)
        assert 0 < low < high < math.inf

    def test_of_log_ratios_equals_scipy(self):
        values = [98.0, 105.0, 101.0, 99.0, 110.0]
        logs = np.log(np.array(values) / 100)
        expected = np.exp(stats.t.interval(0.9, 4, logs.mean(), stats.sem(logs)))
        assert own.log_ratio_t_interval(values, 100, 0.9) == near(tuple(expected), rel=1e-9)


class TestPairs:
    @pytest.mark.parametrize(
        ("b", "c", "interval"),
        [(25, 24, (-0.010610, 0.012606)), (22, 40, (-0.030960, -0.004968))],
    )
    def test_adjusted_s27(self, b, c, interval):
        assert own.PairedDifference(b - c, b + c, 1000).interval(0.9) == near(interval, abs=1e-6)

    def test_counts_each_pair_by_its_share(self):
        pairs = own.paired_difference([1, 0, 0], [0, 1, 0], [1.0, 0.5, 0.5])
        assert pairs == own.PairedDifference(0.5, 1.5, 2.0)

    def test_counts_and_scores_agree(self):
        rerun, claimed = [1, 0, 1, 0, 1], [1, 1, 0, 1, 1]
        assert own.paired_difference(rerun, claimed) == own.PairedDifference(-1, 3, 5)

    def test_refuses_unequal_lengths(self):
        with pytest.raises(ValueError, match="zip"):
            own.paired_difference([1, 0], [1])


class TestPercentiles:
    @pytest.mark.parametrize(
        ("n", "q", "ranks"),
        [(100, 0.5, (40, 61)), (1000, 0.95, (936, 964)), (1000, 0.99, (983, 997)), (50, 0.95, (None, None))],
    )
    def test_ranks_s11(self, n, q, ranks):
        low, high = own.order_statistic_interval(n, q)
        assert high == ranks[1]
        assert ranks[0] is None or low == ranks[0]

    @pytest.mark.parametrize(("q", "n"), [(0.95, 72), (0.99, 368)])
    def test_are_stated_from_the_first_bounded_interval(self, q, n):
        assert own.requests_to_state(q) == n
        assert own.order_statistic_interval(n, q)[1] is not None
        assert own.order_statistic_interval(n - 1, q)[1] is None

    def test_leave_p95_of_72_unbounded_above_at_99_percent(self):
        low, high = own.quantile_interval(range(72), 0.95, 0.99)
        assert low is not None
        assert high is None

    @settings(max_examples=80, deadline=None)
    @given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
    def test_equal_numpy(self, values, q):
        assert own.percentile(values, q) == near(float(np.percentile(values, q * 100)), rel=1e-12)


class TestSampleSizes:
    @pytest.mark.parametrize(("delta", "n"), [(0.02, 149), (0.01, 299), (0.05, 59)])
    def test_minimum(self, delta, n):
        assert own.minimum_n(0.05, delta) == n


class TestRanks:
    def test_competition_s14(self):
        assert own.competition_ranks([0.91, 0.89, 0.89, 0.85, 0.89, 0.70]) == [1, 2, 2, 5, 2, 6]

    def test_lower_is_better_and_the_unknown_has_no_rank(self):
        assert own.competition_ranks([30.0, None, 10.0, 30.0], higher_is_better=False) == [2, None, 1, 2]

    def test_refuse_nan(self):
        with pytest.raises(ValueError, match="NaN"):
            own.competition_ranks([1.0, math.nan])

    def test_ranges_s15(self):
        intervals = [own.wilson(k, 1000) for k in (910, 900, 880, 860, 700)]
        assert own.rank_ranges(intervals) == [(1, 3), (1, 4), (1, 4), (2, 4), (5, 5)]

    def test_ranges_mirror_when_lower_is_better(self):
        intervals = [(1.0, 2.0), (3.0, 4.0), (3.5, 5.0)]
        assert own.rank_ranges(intervals, higher_is_better=False) == [(1, 1), (2, 3), (2, 3)]


def test_intervals_cover_what_they_say():
    draw = random.Random(7)
    covered = 0
    for _ in range(2000):
        values = [draw.gauss(5, 2) for _ in range(10)]
        low, high = own.mean_t_interval(values)
        covered += low <= 5 <= high
    assert 0.935 <= covered / 2000 <= 0.965
