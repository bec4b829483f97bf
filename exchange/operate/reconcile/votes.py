"""Every vote, counted again."""

from collections.abc import Iterator

from exchange.operate.watch import Watch
from governance.models import Ballot, Proposal, ProposalStatus
from governance.voting import count_ballots, digest_of_roll, outcome_of

_S = ProposalStatus
# What a proposal may be once its vote came to this.
_AFTER = {
    _S.APPROVED: {_S.APPROVED, _S.QUEUED, _S.EXECUTED, _S.FAILED, _S.EXPIRED},
    _S.REJECTED: {_S.REJECTED},
    _S.QUORUM_NOT_MET: {_S.QUORUM_NOT_MET},
}


def counts(watch: Watch) -> Iterator[str]:
    closed = Proposal.objects.exclude(tally=None).select_related("frozen_rules", "procedure__rules")
    for proposal in watch.each(closed.order_by("pk").iterator()):
        counted = count_ballots(proposal)
        wrong = [name for name, value in counted.items() if getattr(proposal, name) != value]
        if wrong:
            yield f"the proposal {proposal.pk} has another {', '.join(wrong)} than its ballots"
        outcome = outcome_of(quorum_met=counted["quorum_met"], threshold_met=counted["threshold_met"])
        if proposal.status not in _AFTER[outcome]:
            yield f"the proposal {proposal.pk} is {proposal.status}, and its ballots came to {outcome}"


def electorates(watch: Watch) -> Iterator[str]:
    """Nobody was put on a roll or taken from it after the vote had opened."""
    opened = Proposal.objects.exclude(voting_opens_at=None).order_by("pk")
    for proposal in watch.each(opened.iterator()):
        roll = Ballot.objects.filter(proposal=proposal).values_list("voter_id", flat=True)
        if digest_of_roll(roll) != proposal.electorate_digest or len(roll) != proposal.electorate_size:
            yield f"the roll of the proposal {proposal.pk} is not the one that its vote was opened with"
