"""The arithmetic of votes against fractions, which cannot round."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance import tally as arithmetic


@dataclass(frozen=True)
class Rules:
    quorum_percent: int = 10
    quorum_minimum: int = 3
    threshold_numerator: int = 2
    threshold_denominator: int = 3


BALLOTS = st.integers(0, 10**9)
PEOPLE = st.integers(0, 10**9)
# from one half to one, as a fraction that need not be in lowest terms
THRESHOLDS = st.integers(1, 1000).flatmap(
    lambda denominator: st.tuples(st.integers(-(-denominator // 2), denominator), st.just(denominator))
)


def counted(approve, reject, abstain=0, proposer=0):
    ballots = approve + reject + abstain
    sides = {"approve": approve, "reject": reject, "abstain": abstain}
    return {**sides, "ballot_count": ballots, "ballots_without_proposer": ballots - proposer}


class TestThreshold:
    @given(THRESHOLDS, BALLOTS, BALLOTS, BALLOTS)
    def test_is_the_fraction_of_those_who_took_a_side(self, threshold, approve, reject, abstain):
        rules = Rules(threshold_numerator=threshold[0], threshold_denominator=threshold[1])
        met = arithmetic.is_threshold_met(rules, counted(approve, reject, abstain))

        assert met == (approve + reject > 0 and Fraction(approve, approve + reject) >= Fraction(*threshold))

    @given(st.integers(1, 10**15))
    def test_is_met_by_exactly_two_thirds_and_not_by_one_vote_less(self, third):
        assert arithmetic.is_threshold_met(Rules(), counted(2 * third, third))
        assert not arithmetic.is_threshold_met(Rules(), counted(2 * third - 1, third + 1))

    @pytest.mark.parametrize("abstain", [0, 7])
    def test_is_met_by_nobody_when_nobody_took_a_side(self, abstain):
        assert not arithmetic.is_threshold_met(Rules(), counted(0, 0, abstain))

    def test_of_one_half_lets_a_tie_pass(self):
        half = Rules(threshold_numerator=1, threshold_denominator=2)

        assert arithmetic.is_threshold_met(half, counted(5, 5))
        assert not arithmetic.is_threshold_met(half, counted(5, 6))


class TestQuorum:
    @given(st.integers(1, 100), st.integers(1, 1000), PEOPLE)
    def test_is_a_share_rounded_up_and_at_least_the_minimum(self, percent, minimum, people):
        rules = Rules(quorum_percent=percent, quorum_minimum=minimum)

        needed = arithmetic.ballots_needed(rules, people)

        assert needed == max(minimum, ceil(Fraction(percent * people, 100)))

    @pytest.mark.parametrize(
        ("people", "needed"), [(0, 3), (30, 3), (31, 4), (40, 4), (41, 5), (2500, 250), (2501, 251)]
    )
    def test_of_ten_percent_and_three(self, people, needed):
        assert arithmetic.ballots_needed(Rules(), people) == needed

    def test_counts_abstentions_and_leaves_the_proposer_out(self):
        assert arithmetic.is_quorum_met(counted(1, 1, 1), needed=3)
        assert not arithmetic.is_quorum_met(counted(1, 1, 1, proposer=1), needed=3)


class TestCount:
    @given(st.lists(st.tuples(st.sampled_from(["approve", "reject", "abstain"]), st.just(False))))
    def test_adds_up(self, ballots):
        tally = arithmetic.count([*ballots, ("approve", True)])

        assert tally["approve"] + tally["reject"] + tally["abstain"] == tally["ballot_count"]
        assert tally["ballot_count"] == len(ballots) + 1
        assert tally["ballots_without_proposer"] == len(ballots)


class TestSentences:
    def test_say_the_rule_before_there_is_an_electorate(self):
        text = arithmetic.quorum_sentence(Rules(), electorate_size=None, needed=None, tally=None)

        assert text.startswith("Quorum: 10 % of the electorate, rounded up, and at least 3 must vote.")

    def test_say_the_ballots_needed_while_voting_is_open(self):
        text = arithmetic.quorum_sentence(Rules(), electorate_size=41, needed=5, tally=None)

        assert "the larger of 3 and 10 % of 41, rounded up, which is 5 ballots" in text

    @pytest.mark.parametrize(
        ("tally", "quorum", "threshold"),
        [
            (counted(4, 2, 1), "7 of 41 voted", "3 × 4 = 12 is at least 2 × (4 + 2) = 12. It was met."),
            (counted(3, 2, 0), "5 of 41 voted", "3 × 3 = 9 is less than 2 × (3 + 2) = 10. It was not met."),
            (counted(0, 0, 4), "It was not met.", "nobody voted for or against, so nothing is approved."),
        ],
    )
    def test_say_both_with_their_numbers_once_counted(self, tally, quorum, threshold):
        assert quorum in arithmetic.quorum_sentence(Rules(), electorate_size=41, needed=5, tally=tally)
        assert threshold in arithmetic.threshold_sentence(Rules(), tally=tally)

    def test_say_the_threshold_before_the_count(self):
        assert "3 × approve must be at least 2 × (approve + reject)" in arithmetic.threshold_sentence(
            Rules(), tally=None
        )
