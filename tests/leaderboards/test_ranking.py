import pytest

from leaderboards.ranking import Measured, separable_neighbours, standings
from llm_benchmark.measure.statistics import wilson


def row(value, half=0.0):
    return Measured(value, value - half, value + half)


def places(rows, *, higher=True, what="rank"):
    return [getattr(place, what) for place in standings(rows, higher_is_better=higher)]


def test_equal_values_share_a_rank_and_the_next_is_skipped():
    rows = [row(value) for value in (0.91, 0.89, 0.89, 0.89, 0.85, 0.70)]
    assert places(rows) == [1, 2, 2, 2, 5, 6]


def test_lower_is_better_ranks_the_other_way_round():
    assert places([row(10), row(20), row(30)], higher=False) == [1, 2, 3]


def test_an_unknown_value_has_no_rank_and_no_range():
    place = standings([row(0.5), Measured(None, None, None)], higher_is_better=True)[1]
    assert (place.rank, place.rank_low, place.rank_high, place.tie_group) == (None, None, None, None)


def test_rank_ranges_follow_the_intervals():
    """Hand-checked: 910, 900, 880, 860 and 700 right of 1,000, Wilson 95 %."""
    rows = [Measured(k / 1000, *wilson(k, 1000)) for k in (910, 900, 880, 860, 700)]
    ranges = list(zip(places(rows, what="rank_low"), places(rows, what="rank_high"), strict=True))
    assert ranges == [(1, 3), (1, 4), (1, 4), (2, 4), (5, 5)]


@pytest.mark.parametrize("higher", [True, False])
def test_an_unbounded_side_never_separates(higher):
    rows = [Measured(10.0, None, None), row(20.0, 1), row(30.0, 1)]
    ordered = rows if not higher else [row(30.0, 1), row(20.0, 1), Measured(10.0, None, None)]
    unbounded = standings(ordered, higher_is_better=higher)[ordered.index(Measured(10.0, None, None))]
    assert (unbounded.rank_low, unbounded.rank_high) == (1, 3)


def test_a_bracket_joins_what_cannot_be_told_from_its_first_row():
    rows = [row(0.9, 0.03), row(0.88, 0.03), row(0.80, 0.03), row(0.70, 0.01), row(0.69, 0.01)]
    assert places(rows, what="tie_group") == [1, 1, None, 2, 2]


def test_counts_the_neighbours_that_can_be_told_apart():
    rows = [row(0.9, 0.01), row(0.8, 0.01), row(0.79, 0.01)]
    assert separable_neighbours(rows, higher_is_better=True) == 1
