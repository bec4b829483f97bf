from rest_framework.decorators import action
from rest_framework.response import Response

from exchange.api.forms import body, parse, query, split_page
from exchange.api.operations import operation
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet
from governance import selectors, services

from . import serializers as s


class ProposalViewSet(ApiViewSet):
    @operation(s.ListProposalsRequestSerializer, page_of=s.ProposalSerializer)
    def list(self, request):
        filters, page = split_page(parse(s.ListProposalsRequestSerializer, query(request)))
        rows = selectors.list_proposals(actor=request.user, **filters)
        return Response(shown_page(s.ProposalSerializer, rows, page))

    @operation(s.CreateProposalRequestSerializer, creates=s.ProposalSerializer)
    def create(self, request):
        form = parse(s.CreateProposalRequestSerializer, body(request))
        proposal = services.create_proposal(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data, 201)

    @operation(s.GetProposalRequestSerializer, shows=s.ProposalSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetProposalRequestSerializer, {"id": pk})
        proposal = selectors.get_proposal(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data)

    @operation(s.UpdateProposalRequestSerializer, shows=s.ProposalSerializer)
    def partial_update(self, request, pk):
        form = parse(s.UpdateProposalRequestSerializer, body(request, id=pk))
        proposal = services.update_proposal(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data)

    @operation(s.SubmitProposalForReviewRequestSerializer, shows=s.ProposalSerializer)
    @action(detail=True, methods=["post"], url_path="submit-for-review")
    def submit_for_review(self, request, pk):
        form = parse(s.SubmitProposalForReviewRequestSerializer, body(request, id=pk))
        proposal = services.submit_proposal_for_review(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data)

    @operation(s.OpenVotingRequestSerializer, shows=s.ProposalSerializer)
    @action(detail=True, methods=["post"], url_path="open-voting")
    def open_voting(self, request, pk):
        form = parse(s.OpenVotingRequestSerializer, body(request, id=pk))
        proposal = services.open_voting(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data)

    @operation(s.WithdrawProposalRequestSerializer, shows=s.ProposalSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request, pk):
        form = parse(s.WithdrawProposalRequestSerializer, body(request, id=pk))
        proposal = services.withdraw_proposal(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data)

    @operation(s.RetryExecutionRequestSerializer, shows=s.ProposalSerializer)
    @action(detail=True, methods=["post"], url_path="retry-execution")
    def retry_execution(self, request, pk):
        form = parse(s.RetryExecutionRequestSerializer, body(request, id=pk))
        proposal = services.retry_execution(actor=request.user, **form)
        return Response(s.ProposalSerializer(proposal).data)


class BallotViewSet(ApiViewSet):
    """The vote on one proposal: its /vote, one's own /ballot, and the roll call /ballots."""

    @operation(s.CastVoteRequestSerializer, shows=s.OwnBallotSerializer)
    def cast(self, request, proposal_id):
        form = parse(s.CastVoteRequestSerializer, body(request, proposal_id=proposal_id))
        return Response(s.OwnBallotSerializer(services.cast_vote(actor=request.user, **form)).data)

    @operation(s.GetMyBallotRequestSerializer, shows=s.OwnBallotSerializer, needs_log_in=True)
    def retrieve(self, request, proposal_id):
        form = parse(s.GetMyBallotRequestSerializer, {"proposal_id": proposal_id})
        return Response(s.OwnBallotSerializer(selectors.get_my_ballot(actor=request.user, **form)).data)

    @operation(s.ListBallotsRequestSerializer, page_of=s.BallotSerializer)
    def list(self, request, proposal_id):
        form = parse(s.ListBallotsRequestSerializer, query(request, proposal_id=proposal_id))
        filters, page = split_page(form)
        rows = selectors.list_ballots(actor=request.user, **filters)
        return Response(shown_page(s.BallotSerializer, rows, page))


class ProposalReviewViewSet(ApiViewSet):
    """The reviews of one proposal: /proposals/{proposal_id}/reviews."""

    @operation(s.ListProposalReviewsRequestSerializer, page_of=s.ProposalReviewSerializer)
    def list(self, request, proposal_id):
        form = parse(s.ListProposalReviewsRequestSerializer, query(request, proposal_id=proposal_id))
        filters, page = split_page(form)
        rows = selectors.list_reviews(actor=request.user, **filters)
        return Response(shown_page(s.ProposalReviewSerializer, rows, page))

    @operation(s.ReviewProposalRequestSerializer, creates=s.ProposalReviewSerializer)
    def create(self, request, proposal_id):
        form = parse(s.ReviewProposalRequestSerializer, body(request, proposal_id=proposal_id))
        review = services.review_proposal(actor=request.user, **form)
        return Response(s.ProposalReviewSerializer(review).data, 201)


class ProposalCommentViewSet(ApiViewSet):
    """The debate of one proposal: /proposals/{proposal_id}/comments."""

    @operation(s.ListProposalCommentsRequestSerializer, page_of=s.ProposalCommentSerializer)
    def list(self, request, proposal_id):
        form = parse(s.ListProposalCommentsRequestSerializer, query(request, proposal_id=proposal_id))
        filters, page = split_page(form)
        rows = selectors.list_comments(actor=request.user, **filters)
        return Response(shown_page(s.ProposalCommentSerializer, rows, page))

    @operation(s.AddProposalCommentRequestSerializer, creates=s.ProposalCommentSerializer)
    def create(self, request, proposal_id):
        form = parse(s.AddProposalCommentRequestSerializer, body(request, proposal_id=proposal_id))
        comment = services.add_comment(actor=request.user, **form)
        return Response(s.ProposalCommentSerializer(comment).data, 201)

    @operation(s.ResolveProposalCommentRequestSerializer, shows=s.ProposalCommentSerializer)
    def resolve(self, request, proposal_id, comment_id):
        data = body(request, proposal_id=proposal_id, id=comment_id)
        form = parse(s.ResolveProposalCommentRequestSerializer, data)
        comment = services.resolve_comment(actor=request.user, **form)
        return Response(s.ProposalCommentSerializer(comment).data)


class VotingRulesViewSet(ApiViewSet):
    """All there have been, newest first within a type; the first of each type is in force."""

    @operation(s.ListVotingRulesRequestSerializer, page_of=s.VotingRulesSerializer)
    def list(self, request):
        filters, page = split_page(parse(s.ListVotingRulesRequestSerializer, query(request)))
        rows = selectors.list_voting_rules(actor=request.user, **filters)
        return Response(shown_page(s.VotingRulesSerializer, rows, page))
