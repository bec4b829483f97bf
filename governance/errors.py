from exchange.core.errors import Conflict, LimitExceeded, NotFound, PermissionDenied


class ProposalNotFound(NotFound):
    """There is no such proposal, or you may not know of it."""

    code = "proposal_not_found"


class CommentNotFound(NotFound):
    """There is no such comment on this proposal."""

    code = "proposal_comment_not_found"


class TooManyProposals(LimitExceeded):
    """You have proposed as much as one person may in a day. Go on tomorrow."""

    code = "too_many_proposals"


class TooManyComments(LimitExceeded):
    """You have commented as much as one person may in an hour. Go on after that."""

    code = "too_many_comments"


class NotAContributor(PermissionDenied):
    """This is for contributors: verify your e-mail address, then submit a result or publish a benchmark."""

    code = "not_a_contributor"


class NotYourProposal(PermissionDenied):
    """Only its proposer may do this."""

    code = "not_your_proposal"


class ReviewerIsProposer(PermissionDenied):
    """Nobody reviews their own proposal. Another reviewer has to do it."""

    code = "reviewer_is_proposer"


class NotOnTheRoll(PermissionDenied):
    """You are not on the roll of this vote, which was fixed when it opened. You may vote on later ones."""

    code = "not_on_the_roll"


class NotYourComment(PermissionDenied):
    """Only the comment's author and the proposer resolve it."""

    code = "not_your_comment"


class NotADraft(Conflict):
    """Only a draft can be changed. Ask a reviewer to request changes, or withdraw it and propose again."""

    code = "proposal_not_a_draft"


class NotUnderReview(Conflict):
    """This proposal is not under review. Look at its status to see what comes next."""

    code = "proposal_not_under_review"


class ReviewsMissing(Conflict):
    """Voting opens once more reviewers approve this revision than object to it. Wait for their reviews."""

    code = "reviews_missing"


class ElectorateTooSmall(Conflict):
    """Too few people could vote for the quorum to be met. Wait until there are more contributors."""

    code = "electorate_too_small"


class VotingNotOpen(Conflict):
    """Voting on this proposal has not opened. Its page shows when it does."""

    code = "voting_not_open"


class VotingClosed(Conflict):
    """Voting on this proposal is over. Its result is on its page, or will be in a few seconds."""

    code = "voting_closed"


class BallotsAreSecret(Conflict):
    """Nobody sees who voted, or how many did, before the vote is closed and counted. Look again then."""

    code = "ballots_are_secret"


class NotWithdrawable(Conflict):
    """A proposal can be withdrawn until its voting closes, and this one is past that."""

    code = "proposal_not_withdrawable"


class NotResolvable(Conflict):
    """Only open issues, suggestions and questions are resolved."""

    code = "proposal_comment_not_resolvable"


class NothingToRetry(Conflict):
    """Only an execution that failed is tried again, until the proposal expires."""

    code = "nothing_to_retry"


class ActionOutdated(Conflict):
    """The version is not, or no longer, what this action names. Propose it with its present id and hash."""

    code = "action_outdated"


class ActionAltered(Conflict):
    """The stored action does not match the digest that was voted on, so it is not carried out."""

    code = "action_altered"


class NothingToChange(Conflict):
    """The action would change nothing: all is as it asks already. Name something that differs."""

    code = "nothing_to_change"


class BenchmarkNotPublic(Conflict):
    """Everybody has to be able to read what is voted on. Make the benchmark public first."""

    code = "benchmark_not_public"


class BenchmarkStillDraft(Conflict):
    """Reviewers and voters cannot read a draft. Submit the benchmark for review, then do this again."""

    code = "benchmark_still_draft"
