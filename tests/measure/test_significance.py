import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from llm_benchmark.measure import significance as own

near = pytest.approx
values = st.lists(st.floats(-100, 100).map(lambda x: round(x, 3)), min_size=3, max_size=30)


class TestPaired:
    def test_mcnemar_s5(self):
        assert own.mcnemar_exact(22, 40) == near(0.030016, abs=1e-6)

    @settings(max_examples=100, deadline=None)
    @given(st.integers(0, 400), st.integers(0, 400))
    def test_mcnemar_is_the_binomial_test_of_the_changed_pairs(self, gained, lost):
        expected = stats.binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
        assert own.mcnemar_exact(gained, lost) == near(expected, rel=1e-8)

    @settings(max_examples=60, deadline=None)
    @given(values, st.data())
    def test_t_agrees_with_scipy_when_all_weigh_the_same(self, first, data):
        second = data.draw(st.lists(st.floats(-100, 100), min_size=len(first), max_size=len(first)))
        differences = [a - b for a, b in zip(first, second, strict=True)]
        assume(max(differences) - min(differences) > 1e-3)
        tested = own.paired_t(differences, [2.0] * len(differences))
        expected = stats.ttest_rel(first, second)

        assert tested.p_value == near(expected.pvalue, rel=1e-6, abs=1e-12)
        assert (tested.low, tested.high) == near(tuple(expected.confidence_interval()), rel=1e-6, abs=1e-8)

    def test_t_weighs_differences(self):
        """By hand: mean (2·1 + 0 + 0)/4 = 0.5; Σ(w(d−0.5))² = 1.5; se = √(1.5·3/2)/4 = 0.375."""
        tested = own.paired_t([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])

        assert (tested.low + tested.high) / 2 == near(0.5)
        assert tested.p_value == near(2 * stats.t.sf(0.5 / 0.375, 2), rel=1e-9)

    def test_t_says_nothing_without_a_spread(self):
        assert own.paired_t([0.5, 0.5, 0.5], [1.0, 1.0, 1.0]) is None

    @pytest.mark.parametrize(("changed", "p"), [(0, 1.0), (1, 1.0), (2, 0.5), (5, 0.0625)])
    def test_equal_differences_count_sign_patterns(self, changed, p):
        assert own.sign_flips(changed) == p


class TestTwoSamples:
    @settings(max_examples=60, deadline=None)
    @given(values, values)
    def test_welch_agrees_with_scipy(self, first, second):
        assume(max(first) - min(first) > 1e-3)
        assume(max(second) - min(second) > 1e-3)
        tested = own.welch(own.sample_of(first), own.sample_of(second))
        expected = stats.ttest_ind(first, second, equal_var=False)

        assert tested.p_value == near(expected.pvalue, rel=1e-6, abs=1e-12)
        assert (tested.low, tested.high) == near(tuple(expected.confidence_interval()), rel=1e-6, abs=1e-8)

    def test_welch_says_nothing_without_a_spread(self):
        assert own.welch(own.Sample(1.0, 0.0, 3), own.Sample(2.0, 0.0, 3)) is None

    @pytest.mark.parametrize(
        ("first", "second"), [((860, 1000), (842, 1000)), ((8, 10), (3, 12)), ((1, 9), (1, 9))]
    )
    def test_proportions_are_the_chi_square_test_without_correction(self, first, second):
        table = [[k, n - k] for k, n in (first, second)]
        expected = stats.chi2_contingency(table, correction=False).pvalue
        assert own.two_proportions(first, second) == near(expected, rel=1e-9)

    @pytest.mark.parametrize("right", [0, 5])
    def test_proportions_that_are_all_or_nothing_do_not_differ(self, right):
        assert own.two_proportions((right, 5), (right, 5)) == 1.0


class TestHolm:
    def test_s19(self):
        assert own.holm([0.001, 0.012, 0.021, 0.04, 0.2]) == near([0.005, 0.048, 0.063, 0.08, 0.2])

    def test_keeps_the_order_and_leaves_the_unknown_out(self):
        assert own.holm([0.04, None, 0.01]) == [near(0.04), None, near(0.02)]

    @given(st.lists(st.floats(0, 1), max_size=12))
    def test_never_makes_a_p_value_smaller_or_more_than_one(self, p_values):
        assert all(p <= q <= 1 for p, q in zip(p_values, own.holm(p_values), strict=True))


class TestTails:
    @pytest.mark.parametrize("t", [0.0, 0.5, 2.0, 12.0, 40.0])
    @pytest.mark.parametrize("df", [1, 3.7, 30, 999])
    def test_of_student(self, t, df):
        assert own.t_two_sided(t, df) == near(2 * stats.t.sf(t, df), rel=1e-8)

    def test_of_the_normal_keep_their_digits(self):
        assert own.normal_cdf(-10) == near(stats.norm.cdf(-10), rel=1e-12)
        assert math.isclose(own.normal_cdf(0), 0.5)
