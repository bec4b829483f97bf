"""How votes decide: whole numbers only, and the same rule in words. Pure functions.

Quorum: at least `ballots_needed` of the electorate voted, abstentions included, the proposer left out.
Threshold: approve / (approve + reject) >= numerator / denominator, with at least one of them.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from django.utils.translation import gettext as _

_PERCENT = 100


class Rules(Protocol):
    """What of the voting rules decides."""

    quorum_percent: int
    quorum_minimum: int
    threshold_numerator: int
    threshold_denominator: int


def ballots_needed(rules: Rules, electorate_size: int) -> int:
    """max(minimum, ceil(percent * electorate / 100)), in ballots: 10 % of 41 people and at least 3 are 5."""
    share = -(-rules.quorum_percent * electorate_size // _PERCENT)
    return max(rules.quorum_minimum, share)


def count(ballots: Iterable[tuple[str, bool]]) -> dict[str, int]:
    """The tally of (choice, whether it is the proposer's)."""
    tally = dict.fromkeys(("approve", "reject", "abstain", "ballot_count", "ballots_without_proposer"), 0)
    for choice, is_proposers in ballots:
        tally[choice] += 1
        tally["ballot_count"] += 1
        tally["ballots_without_proposer"] += not is_proposers
    return tally


def is_quorum_met(tally: Mapping[str, int], *, needed: int) -> bool:
    """Without the proposer's ballot, so that nobody fills their own quorum."""
    return tally["ballots_without_proposer"] >= needed


def is_threshold_met(rules: Rules, tally: Mapping[str, int]) -> bool:
    """approve * denominator >= numerator * (approve + reject); nobody for or against approves nothing."""
    sided = tally["approve"] + tally["reject"]
    return sided > 0 and tally["approve"] * rules.threshold_denominator >= rules.threshold_numerator * sided


def quorum_sentence(
    rules: Rules, *, electorate_size: int | None, needed: int | None, tally: Mapping[str, int] | None
) -> str:
    """The quorum with the numbers known so far: before opening, while voting is open, after the count."""
    numbers = {"percent": rules.quorum_percent, "minimum": rules.quorum_minimum}
    if electorate_size is None or needed is None:
        text = _(
            "Quorum: %(percent)d %% of the electorate, rounded up, and at least %(minimum)d must vote. "
            "Abstentions count; the proposer's ballot does not."
        )
        return text % numbers
    numbers |= {"electorate": electorate_size, "needed": needed}
    if tally is None:
        text = _(
            "Quorum: the larger of %(minimum)d and %(percent)d %% of %(electorate)d, rounded up, which is "
            "%(needed)d ballots. Abstentions count; the proposer's ballot does not."
        )
        return text % numbers
    numbers |= {"cast": tally["ballots_without_proposer"]}
    if is_quorum_met(tally, needed=needed):
        text = _(
            "Quorum: %(cast)d of %(electorate)d voted, the proposer not counted; %(needed)d were needed "
            "(the larger of %(minimum)d and %(percent)d %% of %(electorate)d, rounded up). It was met."
        )
    else:
        text = _(
            "Quorum: %(cast)d of %(electorate)d voted, the proposer not counted; %(needed)d were needed "
            "(the larger of %(minimum)d and %(percent)d %% of %(electorate)d, rounded up). It was not met."
        )
    return text % numbers


def threshold_sentence(rules: Rules, *, tally: Mapping[str, int] | None) -> str:
    """The threshold in the whole numbers that are compared."""
    numbers = {"numerator": rules.threshold_numerator, "denominator": rules.threshold_denominator}
    if tally is None:
        text = _(
            "Threshold: %(denominator)d × approve must be at least %(numerator)d × (approve + reject), "
            "with at least one vote for or against. Abstentions do not count here."
        )
        return text % numbers
    approve, sided = tally["approve"], tally["approve"] + tally["reject"]
    numbers |= {"approve": approve, "reject": tally["reject"]}
    numbers |= {"left": approve * rules.threshold_denominator, "right": rules.threshold_numerator * sided}
    if not sided:
        return _("Threshold: nobody voted for or against, so nothing is approved.")
    if is_threshold_met(rules, tally):
        text = _(
            "Threshold: %(denominator)d × %(approve)d = %(left)d is at least "
            "%(numerator)d × (%(approve)d + %(reject)d) = %(right)d. It was met."
        )
    else:
        text = _(
            "Threshold: %(denominator)d × %(approve)d = %(left)d is less than "
            "%(numerator)d × (%(approve)d + %(reject)d) = %(right)d. It was not met."
        )
    return text % numbers
