"""Governance over gRPC: the same, in the older contract's words."""

import pytest

from exchange.accounts.models import User
from exchange.api.pb import governance_pb2 as pb
from governance.api.grpc import GovernanceService
from tests.factories import governance as make
from tests.factories.accounts import UserFactory, token_for
from tests.factories.benchmarks import active_benchmark
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db
SERVICE = GovernanceService()


def ask(name, token=None, **fields):
    method = getattr(SERVICE, name)
    return call(method, getattr(pb, f"{name}Request")(**fields), token=token)


def voter_of(proposal):
    return token_for(User.objects.get(pk=make.voters_of(proposal)[0].user_id))


class TestCreateProposal:
    def test_takes_a_typed_action(self):
        version = active_benchmark().current_version_id
        action = {
            "kind": "ACTION_KIND_SET_VERIFICATION_POLICY",
            "set_verification_policy": {"version_id": str(version), "delta": 0.03},
        }
        made = ask(
            "CreateProposal",
            token_for(make.ContributorFactory()),
            type="PROPOSAL_TYPE_POLICY_CHANGE",
            title="Be stricter",
            description="Three points are too many.",
            rationale="Models are closer now.",
            action=action,
        )

        assert made.status == pb.PROPOSAL_STATUS_DRAFT
        assert made.action.set_verification_policy.delta == 0.03
        assert [change.name for change in made.planned] == ["delta", "decided_by"]
        assert not made.HasField("tally")

    def test_names_the_field_of_a_bad_action(self):
        action = {
            "kind": "ACTION_KIND_DEPRECATE_BENCHMARK",
            "deprecate_benchmark": {"benchmark_id": str(active_benchmark().pk), "reason": "short"},
        }
        with pytest.raises(RpcFailed) as failed:
            ask(
                "CreateProposal",
                token_for(make.ContributorFactory()),
                type="PROPOSAL_TYPE_DEPRECATE_BENCHMARK",
                title="x",
                description="x",
                rationale="x",
                action=action,
            )

        assert failed.value.fields == ["action.deprecate_benchmark.reason"]


class TestDebate:
    def test_goes_on_until_the_vote(self):
        person = make.ContributorFactory()
        draft = make.draft_proposal(person)
        token, reviewer = token_for(person), token_for(make.ReviewerFactory())
        make.ContributorFactory.create_batch(3)
        id_ = str(draft.pk)
        assert ask("UpdateProposal", token, id=id_, title="Better words").title == "Better words"
        ask("SubmitProposalForReview", token, id=id_)
        review = ask("ReviewProposal", reviewer, proposal_id=id_, decision="REVIEW_DECISION_APPROVE")
        comment = ask(
            "AddProposalComment", token, proposal_id=id_, body="Here?", kind="COMMENT_KIND_QUESTION"
        )
        resolved = ask("ResolveProposalComment", token, proposal_id=id_, id=comment.id)
        opened = ask("OpenVoting", token, id=id_)

        assert resolved.HasField("resolved_at")
        assert [row.id for row in ask("ListProposalReviews", proposal_id=id_).items] == [review.id]
        assert [row.id for row in ask("ListProposalComments", proposal_id=id_).items] == [comment.id]
        assert (opened.status, opened.ballots_needed) == (pb.PROPOSAL_STATUS_VOTING, 3)
        assert ask("WithdrawProposal", token, id=id_).status == pb.PROPOSAL_STATUS_WITHDRAWN


class TestCastVote:
    def test_answers_with_one_s_own_ballot(self):
        proposal = make.voting_proposal()
        token, id_ = voter_of(proposal), str(proposal.pk)
        assert not ask("GetMyBallot", token, proposal_id=id_).HasField("choice")

        cast = ask("CastVote", token, proposal_id=id_, choice="VOTE_ABSTAIN", reason="Both are right.")

        assert (cast.choice, cast.reason) == (pb.VOTE_ABSTAIN, "Both are right.")
        assert ask("GetMyBallot", token, proposal_id=id_) == cast

    @pytest.mark.parametrize("choice", [0, 4, 99])
    def test_refuses_what_is_no_choice(self, choice):
        proposal = make.voting_proposal()

        with pytest.raises(RpcFailed) as failed:
            ask("CastVote", voter_of(proposal), proposal_id=str(proposal.pk), choice=choice)
        assert failed.value.fields == ["choice"]

    def test_refuses_whoever_is_not_on_the_roll(self):
        proposal = make.voting_proposal()

        with pytest.raises(RpcFailed) as failed:
            ask("CastVote", token_for(UserFactory()), proposal_id=str(proposal.pk), choice="VOTE_REJECT")
        assert (failed.value.grpc, failed.value.code) == ("PERMISSION_DENIED", "not_on_the_roll")


class TestReading:
    def test_tells_the_tally_and_the_roll_call_only_after_the_count(self):
        open_vote, counted = make.voting_proposal(), make.closed_proposal()

        with pytest.raises(RpcFailed) as failed:
            ask("ListBallots", proposal_id=str(open_vote.pk))
        assert (failed.value.grpc, failed.value.code) == ("FAILED_PRECONDITION", "ballots_are_secret")
        assert ask("GetProposal", id=str(counted.pk)).tally.approve == 3
        assert len(ask("ListBallots", proposal_id=str(counted.pk), cast_only=True).items) == 3

    def test_lists_proposals_and_rules(self):
        make.reviewed_proposal()
        make.voting_proposal(kind="set_voting_rules")

        listed = ask("ListProposals", type="PROPOSAL_TYPE_POLICY_CHANGE").items
        assert [row.action.kind for row in listed] == [pb.ACTION_KIND_SET_VOTING_RULES]
        rules = ask("ListVotingRules", type="PROPOSAL_TYPE_NEW_BENCHMARK").items
        assert [(row.number, row.quorum_percent) for row in rules] == [(1, 10)]

    def test_retries_only_what_failed(self):
        proposal = make.closed_proposal()

        with pytest.raises(RpcFailed) as failed:
            ask("RetryExecution", token_for(proposal.proposer), id=str(proposal.pk))
        assert failed.value.code == "nothing_to_retry"
