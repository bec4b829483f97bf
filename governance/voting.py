"""How a vote is opened, cast, closed and counted, and under which rules. Callers have decided who may."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from exchange.accounts.models import User
from exchange.core import clock, events
from exchange.core.actors import SYSTEM, Actor, SiteRole
from exchange.core.errors import FieldError, InvalidInput
from llm_benchmark.measure.canonical import digest as digest_of

from . import tally as arithmetic
from .errors import ElectorateTooSmall, NotOnTheRoll
from .models import Ballot, Procedure, Proposal, ProposalStatus, VotingRules

RULE_FIELDS = (
    "quorum_percent",
    "quorum_minimum",
    "threshold_numerator",
    "threshold_denominator",
    "voting_seconds",
    "timelock_seconds",
    "expiry_seconds",
)
_ROWS_A_STATEMENT = 5000
# The time is read once the lock is there: LockRows of the inner query comes before the outer projection.
# Whoever comes after the end takes no lock, so that a stream of them cannot keep the closer waiting.
_HOLD_OPEN = """
WITH held AS MATERIALIZED (
  SELECT voting_closes_at FROM governance_proposal
  WHERE id = %s AND status = 'voting' AND voting_closes_at > clock_timestamp()
  FOR SHARE
)
SELECT at FROM (SELECT clock_timestamp() AS at, voting_closes_at FROM held) AS now
WHERE at < voting_closes_at
"""


def open_vote(proposal: Proposal) -> None:
    """Freeze rules, electorate and end. Everybody who is a contributor or more at this moment may vote."""
    rules = proposal.procedure.rules
    roll = _roll()
    needed = arithmetic.ballots_needed(rules, len(roll))
    if needed > len(roll) - (proposal.proposer_id in roll):
        raise ElectorateTooSmall
    now = clock.now()
    proposal.move_to(
        ProposalStatus.VOTING,
        frozen_rules=rules,
        electorate_size=len(roll),
        electorate_digest=digest_of_roll(roll),
        ballots_needed=needed,
        voting_opens_at=now,
        voting_closes_at=now + timedelta(seconds=rules.voting_seconds),
    )
    Ballot.objects.bulk_create(
        (Ballot(proposal=proposal, voter_id=voter_id) for voter_id in roll), batch_size=_ROWS_A_STATEMENT
    )


def _roll() -> list[UUID]:
    """Sorted as their text sorts, so that anybody can recompute the digest."""
    return sorted(_electorate().values_list("pk", flat=True), key=str)


def digest_of_roll(voter_ids: Iterable[UUID]) -> str:
    """SHA-256 over the canonical JSON of the sorted ids."""
    return digest_of(sorted(map(str, voter_ids)))


def _electorate() -> QuerySet[User]:
    """Whoever could vote if a vote opened now."""
    return User.objects.filter(is_active=True, role__gte=SiteRole.CONTRIBUTOR)


def hold_open(proposal_id: UUID) -> datetime | None:
    """The time, before the end of an open vote; it cannot close until the transaction ends. Else None."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD_OPEN, [proposal_id])
        row = cursor.fetchone()
    return row[0] if row else None


def mark_ballot(*, proposal_id: UUID, voter_id: UUID, choice: str, reason: str, at: datetime) -> Ballot:
    """The last choice counts. The proposal's row stays as it is, or it would tell that somebody voted."""
    cast: dict[str, Any] = {"choice": choice, "reason": reason, "cast_at": at}
    if not Ballot.objects.filter(proposal_id=proposal_id, voter_id=voter_id).update(**cast):
        raise NotOnTheRoll
    return Ballot(proposal_id=proposal_id, voter_id=voter_id, **cast)


def close_vote(proposal: Proposal) -> None:
    """Count the ballots of a vote that is over and held, and queue what it approved."""
    counted = count_ballots(proposal)
    outcome = outcome_of(quorum_met=counted["quorum_met"], threshold_met=counted["threshold_met"])
    proposal.move_to(outcome, **counted)
    publish("proposal.closed", SYSTEM, proposal, outcome=str(outcome), **counted)
    if outcome == ProposalStatus.APPROVED:
        _queue(proposal)


def count_ballots(proposal: Proposal) -> dict[str, Any]:
    """`tally`, `quorum_met`, `threshold_met` and `ballots_digest`, from the ballots that were cast."""
    ballots = Ballot.objects.filter(proposal=proposal, choice__isnull=False).values_list("voter_id", "choice")
    cast = sorted((str(voter_id), str(choice)) for voter_id, choice in ballots)
    tally = arithmetic.count((choice, voter == str(proposal.proposer_id)) for voter, choice in cast)
    return {
        "tally": tally,
        "quorum_met": arithmetic.is_quorum_met(tally, needed=proposal.ballots_needed or 0),
        "threshold_met": arithmetic.is_threshold_met(proposal.rules, tally),
        "ballots_digest": digest_of([list(ballot) for ballot in cast]),
    }


def outcome_of(*, quorum_met: bool, threshold_met: bool) -> ProposalStatus:
    if not quorum_met:
        return ProposalStatus.QUORUM_NOT_MET
    return ProposalStatus.APPROVED if threshold_met else ProposalStatus.REJECTED


def _queue(proposal: Proposal) -> None:
    """The timelock runs from the count, so that it follows the news; the expiry from the vote's end."""
    closed_at = proposal.voting_closes_at or clock.now()
    proposal.move_to(
        ProposalStatus.QUEUED,
        execute_after=clock.now() + timedelta(seconds=proposal.rules.timelock_seconds),
        expires_at=closed_at + timedelta(seconds=proposal.rules.expiry_seconds),
    )
    publish("proposal.queued", SYSTEM, proposal, execute_after=str(proposal.execute_after))


def add_rules(proposal_type: str, rules: Mapping[str, Any]) -> VotingRules:
    """The next rules of a type, in force at once; those in force already stay as they are.

    Votes that are open keep theirs.
    """
    check_bounds(rules)
    procedure = Procedure.objects.select_for_update(no_key=True).get(pk=proposal_type)
    digest = digest_of({"proposal_type": proposal_type, **{name: rules[name] for name in RULE_FIELDS}})
    if procedure.rules.digest == digest:
        return procedure.rules
    added = VotingRules(
        proposal_type=proposal_type,
        number=procedure.rules.number + 1,
        **{name: rules[name] for name in RULE_FIELDS},
        decided_by="proposal",
        effective_at=clock.now(),
        digest=digest,
    )
    _check_within_reach(added, procedure.rules)
    added.save(force_insert=True)
    procedure.rules = added
    procedure.save(update_fields=["rules"])
    facts: dict[str, Any] = {"proposal_type": proposal_type, "number": procedure.rules.number}
    events.publish("voting_rules.added", actor=SYSTEM, subject_id=procedure.rules.pk, **facts, digest=digest)
    return procedure.rules


def _check_within_reach(rules: VotingRules, present: VotingRules) -> None:
    """Rules that no vote could meet could not be changed by a vote either.

    Raises:
        InvalidInput: they ask for more than those in force do, and for more than all but the proposer.
    """
    people = _electorate().count()
    needed = arithmetic.ballots_needed(rules, people)
    if needed > max(people - 1, arithmetic.ballots_needed(present, people)):
        text = _(
            "This asks for %(needed)d ballots beside the proposer's, and %(people)d people can vote now."
        )
        field = "quorum_minimum" if needed == rules.quorum_minimum else "quorum_percent"
        raise InvalidInput.of(field, "out_of_reach", text % {"needed": needed, "people": people})


def check_bounds(rules: Mapping[str, Any]) -> None:
    """Raise InvalidInput unless threshold and times lie within what the operator and reason allow."""
    wrong = [
        FieldError(name, "out_of_bounds", _("This is from %(least)d to %(most)d seconds here.") % bounds)
        for name, (least, _usual, most) in settings.GOVERNANCE.items()
        for bounds in [{"least": least, "most": most}]
        if not least <= rules[name] <= most
    ]
    numerator, denominator = rules["threshold_numerator"], rules["threshold_denominator"]
    if not denominator <= 2 * numerator <= 2 * denominator:
        text = _("The threshold is a share from one half to one.")
        wrong.append(FieldError("threshold_numerator", "out_of_range", text))
    if rules["expiry_seconds"] <= rules["timelock_seconds"]:
        text = _("A proposal has to expire later than its timelock ends.")
        wrong.append(FieldError("expiry_seconds", "before_timelock", text))
    if wrong:
        raise InvalidInput(errors=wrong)


def publish(kind: str, actor: Actor, proposal: Proposal, **facts: Any) -> None:
    """A fact about a proposal."""
    events.publish(kind, actor=actor, subject_id=proposal.pk, **facts)
