from exchange.api.routing import Router, route

from .views import (
    BallotViewSet,
    ProposalCommentViewSet,
    ProposalReviewViewSet,
    ProposalViewSet,
    VotingRulesViewSet,
)

router = Router()
router.register("proposals", ProposalViewSet, basename="proposal")
router.register("voting-rules", VotingRulesViewSet, basename="voting-rules")
of = "proposals/<proposal_id>"
resolve = f"{of}/comments/<comment_id>/resolve"
urlpatterns = [
    *router.urls,
    route(f"{of}/vote", BallotViewSet, "proposal-vote", post="cast"),
    route(f"{of}/ballot", BallotViewSet, "proposal-ballot", get="retrieve"),
    route(f"{of}/ballots", BallotViewSet, "proposal-ballots", get="list"),
    route(f"{of}/reviews", ProposalReviewViewSet, "proposal-reviews", get="list", post="create"),
    route(f"{of}/comments", ProposalCommentViewSet, "proposal-comments", get="list", post="create"),
    route(resolve, ProposalCommentViewSet, "proposal-comment-resolve", post="resolve"),
]
