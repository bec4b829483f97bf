"""Proposals in each state, made as people make them. Every function is valid without arguments.

`voting_proposal()` has a proposer, a reviewer who approved it and `voters`; all of them are on its roll.
"""

from datetime import timedelta

import factory
from factory.django import DjangoModelFactory

from exchange.accounts.selectors import actor_for_user
from exchange.core import clock
from exchange.core.actors import SiteRole
from governance import models, selectors, services
from tests.factories.accounts import UserFactory
from tests.factories.benchmarks import BenchmarkFactory, active_benchmark

RULES = {
    "quorum_percent": 10,
    "quorum_minimum": 3,
    "threshold_numerator": 2,
    "threshold_denominator": 3,
    "voting_seconds": 7 * 86400,
    "timelock_seconds": 86400,
    "expiry_seconds": 30 * 86400,
}
REASON = "Its questions are in every training set."


class ContributorFactory(UserFactory):
    role = SiteRole.CONTRIBUTOR
    email_verified = True


class ReviewerFactory(UserFactory):
    role = SiteRole.REVIEWER
    email_verified = True


class CommentFactory(DjangoModelFactory):
    class Meta:
        model = models.Comment

    proposal = factory.LazyFunction(lambda: reviewed_proposal())  # noqa: PLW0108  defined below
    author = factory.SubFactory(ContributorFactory)
    body = "Which questions does it ask?"
    created_at = factory.LazyFunction(clock.now)


def activation(benchmark=None):
    """An action's form: activate a benchmark that is under review."""
    benchmark = benchmark or reviewable_benchmark()
    return {"kind": "activate_benchmark", "activate_benchmark": {"benchmark_id": benchmark.pk}}


def deprecation(benchmark=None, reason=REASON):
    benchmark = benchmark or active_benchmark()
    fields = {"benchmark_id": benchmark.pk, "reason": reason}
    return {"kind": "deprecate_benchmark", "deprecate_benchmark": fields}


def update(benchmark=None, **changes):
    benchmark = benchmark or active_benchmark()
    fields = {"benchmark_id": benchmark.pk, "changes": changes or {"name": "A better name"}}
    return {"kind": "update_benchmark", "update_benchmark": fields}


def policy(version_id=None, **rule):
    version_id = version_id or active_benchmark().current_version_id
    fields = {"version_id": version_id, **(rule or {"delta": 0.03})}
    return {"kind": "set_verification_policy", "set_verification_policy": fields}


def rules(proposal_type="update_benchmark", **changes):
    fields = {"proposal_type": proposal_type, **RULES, "quorum_percent": 20, **changes}
    return {"kind": "set_voting_rules", "set_voting_rules": fields}


ACTIONS = {
    "activate_benchmark": ("new_benchmark", activation),
    "update_benchmark": ("update_benchmark", update),
    "deprecate_benchmark": ("deprecate_benchmark", deprecation),
    "set_verification_policy": ("policy_change", policy),
    "set_voting_rules": ("policy_change", rules),
}


def reviewable_benchmark(**fields):
    """A public benchmark under review, with version 1.0.0."""
    benchmark = BenchmarkFactory(published=True, **fields)
    models.Benchmark.objects.filter(pk=benchmark.pk).update(status="under_review")
    benchmark.refresh_from_db()
    return benchmark


def draft_proposal(proposer=None, *, kind="deprecate_benchmark", action=None, **texts):
    type_, make = ACTIONS[kind]
    text = {"title": "A proposal", "description": "What it is about.", "rationale": "Why it is right."}
    return services.create_proposal(
        actor=actor_for_user(proposer or ContributorFactory()),
        type=type_,
        action=action or make(),
        **{**text, **texts},
    )


def proposer_of(proposal):
    """The Actor."""
    return actor_for_user(proposal.proposer)


def reviewed_proposal(proposer=None, *, approved=False, **options):
    """Under review; with `approved`, one reviewer has approved it."""
    draft = draft_proposal(proposer, **options)
    proposal = services.submit_proposal_for_review(actor=proposer_of(draft), proposal_id=draft.pk)
    if approved:
        reviewer = actor_for_user(ReviewerFactory())
        services.review_proposal(actor=reviewer, proposal_id=proposal.pk, decision="approve")
    return selectors.get_proposal(actor=proposer_of(draft), proposal_id=draft.pk)


def voting_proposal(proposer=None, *, voters=3, **options):
    """Open, with so many voters beside the proposer and the reviewer."""
    ContributorFactory.create_batch(voters)
    proposal = reviewed_proposal(proposer, approved=True, **options)
    return services.open_voting(actor=proposer_of(proposal), proposal_id=proposal.pk)


def voters_of(proposal):
    """The Actors on its roll, without the proposer."""
    roll = models.Ballot.objects.filter(proposal=proposal).exclude(voter_id=proposal.proposer_id)
    return [actor_for_user(ballot.voter) for ballot in roll.select_related("voter").order_by("voter_id")]


def vote(proposal, *choices):
    """One of its voters for each choice."""
    for actor, choice in zip(voters_of(proposal), choices, strict=False):
        services.cast_vote(actor=actor, proposal_id=proposal.pk, choice=choice)


def move_end(proposal, *, seconds_ago=1):
    """As if its vote had ended so long ago."""
    ended = clock.now() - timedelta(seconds=seconds_ago)
    models.Proposal.objects.filter(pk=proposal.pk).update(voting_closes_at=ended)


def closed_proposal(*choices, **options):
    """Counted: approved and queued unless the choices say otherwise."""
    choices = choices or ("approve", "approve", "approve")
    proposal = voting_proposal(voters=len(choices), **options)
    vote(proposal, *choices)
    move_end(proposal)
    services.finalise_due()
    return reread(proposal)


def end_timelock(proposal):
    models.Proposal.objects.filter(pk=proposal.pk).update(execute_after=clock.now())


def executed_proposal(*choices, **options):
    proposal = closed_proposal(*choices, **options)
    end_timelock(proposal)
    services.finalise_due()
    return reread(proposal)


def reread(proposal):
    return selectors.get_proposal(actor=proposer_of(proposal), proposal_id=proposal.pk)
