"""Every service and selector of governance × who asks. Organizations have no say here; site roles have."""

import pytest

from exchange.accounts.models import User
from governance import actions, selectors, services
from governance.models import Proposal
from tests.contract.matrix import NOTHING, YES, World, check, lasting, nothing_else, row
from tests.factories import governance as make
from tests.factories.accounts import UserFactory
from tests.factories.benchmarks import active_benchmark

WHO_ARE_YOU, SCOPE, GONE = "unauthenticated", "scope_missing", "proposal_not_found"
NO_CONTRIBUTOR, NOT_YOURS = "not_a_contributor", "not_your_proposal"
NO_COMMENT = "not_your_comment"
OWN, BOTH = "reviewer_is_proposer", ("reviewer", "site_admin")

EVERYBODY = row(YES)
GUESTS = {"anonymous": WHO_ARE_YOU, "read_only": SCOPE}
CONTRIBUTORS = row(NO_CONTRIBUTOR, **GUESTS, contributor=YES, reviewer=YES, site_admin=YES)
PROPOSER = row(NO_CONTRIBUTOR, **GUESTS, contributor=YES, reviewer=NOT_YOURS, site_admin=NOT_YOURS)
REVIEWERS = row(NO_CONTRIBUTOR, **GUESTS, contributor="not_a_reviewer", reviewer=YES, site_admin=YES)
DRAFTS = row(GONE, contributor=YES)
ON_THE_ROLL = {"contributor": YES, "reviewer": YES, "site_admin": YES}


class Proposals(World):
    """Those of the contributor among WHO, in each state that matters."""

    def __init__(self):
        super().__init__()
        UserFactory.create_batch(3, role=2)
        self.benchmark = active_benchmark()
        options = {"action": make.deprecation(self.benchmark)}
        by = User.objects.get(pk=self.actors["contributor"].user_id)
        self.proposals = {
            "draft": make.draft_proposal(by, **options),
            "reviewed": make.reviewed_proposal(by, **options),
            "approved": make.reviewed_proposal(by, approved=True, **options),
            "voting": make.voting_proposal(by, **options),
            "counted": make.closed_proposal("reject", "reject", "reject", proposer=by, **options),
            "failed": make.closed_proposal(proposer=by, **options),
        }
        Proposal.objects.filter(pk=self.proposals["failed"].pk).update(status="failed")
        self.comment = make.CommentFactory(proposal=self.proposals["reviewed"], author=by, kind="question")


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Proposals()


def proposal(which, **more):
    return lambda world: {"proposal_id": world.proposals[which].pk, **more}


def own(which, **more):
    """As if who asks had proposed it."""

    def arguments(world):
        found = world.proposals[which]
        if world.actor.is_authenticated:
            Proposal.objects.filter(pk=found.pk).update(proposer_id=world.actor.user_id)
        return {"proposal_id": found.pk, **more}

    return arguments


def comment(world):
    return {"proposal_id": world.proposals["reviewed"].pk, "comment_id": world.comment.pk}


def new_proposal(world):
    text = {"title": "x", "description": "x", "rationale": "x"}
    return {"type": "deprecate_benchmark", **text, "action": make.deprecation(world.benchmark)}


MATRIX = {
    "create_proposal": (CONTRIBUTORS, new_proposal),
    "update_proposal": (DRAFTS, proposal("draft", title="x")),
    "submit_proposal_for_review": (DRAFTS, proposal("draft")),
    "review_proposal": (REVIEWERS, proposal("reviewed", decision="approve")),
    "review_proposal (own)": (
        row(NO_CONTRIBUTOR, **GUESTS, contributor="not_a_reviewer", **dict.fromkeys(BOTH, OWN)),
        own("reviewed", decision="approve"),
    ),
    "review_proposal (a draft)": (
        row(GONE, contributor="not_a_reviewer"),
        proposal("draft", decision="approve"),
    ),
    "add_comment": (CONTRIBUTORS, proposal("reviewed", body="x")),
    "add_comment (to a draft)": (DRAFTS, proposal("draft", body="x")),
    "resolve_comment": (
        row(
            NO_CONTRIBUTOR,
            **GUESTS,
            contributor=YES,
            reviewer="not_your_comment",
            site_admin="not_your_comment",
        ),
        comment,
    ),
    "open_voting": (CONTRIBUTORS, proposal("approved")),
    "cast_vote": (row("not_on_the_roll", **GUESTS, **ON_THE_ROLL), proposal("voting", choice="approve")),
    "cast_vote (on a draft)": (
        row(GONE, **GUESTS, contributor="voting_not_open"),
        proposal("draft", choice="approve"),
    ),
    "withdraw_proposal": (PROPOSER, proposal("voting")),
    "retry_execution": (CONTRIBUTORS, proposal("failed")),
    "list_proposals": (EVERYBODY, nothing_else),
    "list_proposals (drafts)": (row(NOTHING, contributor=YES), lambda _: {"status": "draft"}),
    "get_proposal": (EVERYBODY, proposal("reviewed")),
    "get_proposal (a draft)": (DRAFTS, proposal("draft")),
    "list_reviews": (EVERYBODY, proposal("approved")),
    "list_reviews (of a draft)": (row(GONE, contributor=NOTHING), proposal("draft")),
    "list_comments": (EVERYBODY, proposal("reviewed")),
    "list_comments (of a draft)": (row(GONE, contributor=NOTHING), proposal("draft")),
    "get_comment": (EVERYBODY, comment),
    "list_ballots (before the end)": (row("ballots_are_secret"), proposal("voting")),
    "list_ballots (counted)": (EVERYBODY, proposal("counted")),
    "list_ballots (of a draft)": (row(GONE, contributor="ballots_are_secret"), proposal("draft")),
    "get_my_ballot": (
        row("not_on_the_roll", anonymous=WHO_ARE_YOU, **ON_THE_ROLL),
        proposal("voting"),
    ),
    "list_voting_rules": (EVERYBODY, nothing_else),
}
OUTSIDE = {
    "where every read starts": {"visible_to"},
    "for beat and operators": {"finalise_due"},
    "a projection": {"follow_contribution"},
    "part of create_proposal and update_proposal": {"prepare"},
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, selectors, actions)
