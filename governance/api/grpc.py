from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.pb import governance_pb2 as pb
from exchange.api.pb import governance_pb2_grpc as pb_grpc
from exchange.api.shown import shown_page
from governance import selectors, services

from . import serializers as s


class GovernanceService(pb_grpc.GovernanceServiceServicer):
    def ListProposals(self, request, context):
        filters, page = split_page(parse(s.ListProposalsRequestSerializer, to_data(request)))
        rows = selectors.list_proposals(actor=actor_of(context), **filters)
        return to_message(pb.ListProposalsResponse, shown_page(s.ProposalSerializer, rows, page))

    def CreateProposal(self, request, context):
        form = parse(s.CreateProposalRequestSerializer, to_data(request))
        proposal = services.create_proposal(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def GetProposal(self, request, context):
        form = parse(s.GetProposalRequestSerializer, to_data(request))
        proposal = selectors.get_proposal(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def UpdateProposal(self, request, context):
        form = parse(s.UpdateProposalRequestSerializer, to_data(request))
        proposal = services.update_proposal(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def SubmitProposalForReview(self, request, context):
        form = parse(s.SubmitProposalForReviewRequestSerializer, to_data(request))
        proposal = services.submit_proposal_for_review(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def ListProposalReviews(self, request, context):
        filters, page = split_page(parse(s.ListProposalReviewsRequestSerializer, to_data(request)))
        rows = selectors.list_reviews(actor=actor_of(context), **filters)
        return to_message(pb.ListProposalReviewsResponse, shown_page(s.ProposalReviewSerializer, rows, page))

    def ReviewProposal(self, request, context):
        form = parse(s.ReviewProposalRequestSerializer, to_data(request))
        review = services.review_proposal(actor=actor_of(context), **form)
        return to_message(pb.ProposalReview, s.ProposalReviewSerializer(review).data)

    def ListProposalComments(self, request, context):
        filters, page = split_page(parse(s.ListProposalCommentsRequestSerializer, to_data(request)))
        rows = selectors.list_comments(actor=actor_of(context), **filters)
        shown = shown_page(s.ProposalCommentSerializer, rows, page)
        return to_message(pb.ListProposalCommentsResponse, shown)

    def AddProposalComment(self, request, context):
        form = parse(s.AddProposalCommentRequestSerializer, to_data(request))
        comment = services.add_comment(actor=actor_of(context), **form)
        return to_message(pb.ProposalComment, s.ProposalCommentSerializer(comment).data)

    def ResolveProposalComment(self, request, context):
        form = parse(s.ResolveProposalCommentRequestSerializer, to_data(request))
        comment = services.resolve_comment(actor=actor_of(context), **form)
        return to_message(pb.ProposalComment, s.ProposalCommentSerializer(comment).data)

    def OpenVoting(self, request, context):
        form = parse(s.OpenVotingRequestSerializer, to_data(request))
        proposal = services.open_voting(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def CastVote(self, request, context):
        form = parse(s.CastVoteRequestSerializer, to_data(request))
        ballot = services.cast_vote(actor=actor_of(context), **form)
        return to_message(pb.OwnBallot, s.OwnBallotSerializer(ballot).data)

    def GetMyBallot(self, request, context):
        form = parse(s.GetMyBallotRequestSerializer, to_data(request))
        ballot = selectors.get_my_ballot(actor=actor_of(context), **form)
        return to_message(pb.OwnBallot, s.OwnBallotSerializer(ballot).data)

    def ListBallots(self, request, context):
        filters, page = split_page(parse(s.ListBallotsRequestSerializer, to_data(request)))
        rows = selectors.list_ballots(actor=actor_of(context), **filters)
        return to_message(pb.ListBallotsResponse, shown_page(s.BallotSerializer, rows, page))

    def WithdrawProposal(self, request, context):
        form = parse(s.WithdrawProposalRequestSerializer, to_data(request))
        proposal = services.withdraw_proposal(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def RetryExecution(self, request, context):
        form = parse(s.RetryExecutionRequestSerializer, to_data(request))
        proposal = services.retry_execution(actor=actor_of(context), **form)
        return to_message(pb.Proposal, s.ProposalSerializer(proposal).data)

    def ListVotingRules(self, request, context):
        filters, page = split_page(parse(s.ListVotingRulesRequestSerializer, to_data(request)))
        rows = selectors.list_voting_rules(actor=actor_of(context), **filters)
        return to_message(pb.ListVotingRulesResponse, shown_page(s.VotingRulesSerializer, rows, page))
