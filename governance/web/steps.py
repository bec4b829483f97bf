"""What people do on the page of a proposal. A refusal is shown there, with what was typed."""

from django.http import HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from exchange.api.forms import parse
from exchange.core.errors import DomainError, NotFound
from exchange.web.pages import form_data, page, signed_in
from governance import services
from governance.api import serializers as s

from .showing import show_proposal


def step(service, form_class, part=""):
    """A view that parses its form, calls `service` and leads back to the `part` of the page."""
    key = "proposal_id" if "proposal_id" in form_class().fields else "id"

    @require_POST
    @page
    @signed_in
    def view(request, proposal_id):
        typed = form_data(request)
        try:
            form = parse(form_class, {**typed, key: proposal_id})
            service(actor=request.actor, **form)
        except NotFound:
            raise
        except DomainError as refusal:
            return show_proposal(request, proposal_id, refusal=refusal, values=typed)
        return HttpResponseRedirect(reverse("proposal", args=[proposal_id]) + part)

    return view


submit_for_review = step(services.submit_proposal_for_review, s.SubmitProposalForReviewRequestSerializer)
review = step(services.review_proposal, s.ReviewProposalRequestSerializer, "#reviews")
comment = step(services.add_comment, s.AddProposalCommentRequestSerializer, "#debate")
open_voting = step(services.open_voting, s.OpenVotingRequestSerializer, "#next")
vote = step(services.cast_vote, s.CastVoteRequestSerializer, "#next")
withdraw = step(services.withdraw_proposal, s.WithdrawProposalRequestSerializer)
retry = step(services.retry_execution, s.RetryExecutionRequestSerializer)


@require_POST
@page
@signed_in
def resolve(request, proposal_id, comment_id):
    given = {"proposal_id": proposal_id, "id": comment_id}
    services.resolve_comment(actor=request.actor, **parse(s.ResolveProposalCommentRequestSerializer, given))
    return HttpResponseRedirect(reverse("proposal", args=[proposal_id]) + f"#c-{comment_id}")
