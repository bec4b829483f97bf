"""An invitation as its reader sees it, by the mailed link."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import inviting, selectors
from exchange.accounts.api import serializers as s
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.pages import page, refused_fields, signed_in


@page
def invitation(request, secret):
    return _shown(request, secret)


@require_POST
@page
@signed_in
def accept(request, secret):
    try:
        form = parse(s.AcceptInvitationRequestSerializer, {"secret": secret})
        found = inviting.accept_invitation(actor=request.actor, **form)
    except DomainError as refusal:
        return _shown(request, secret, refusal=refusal)
    name = found.organization.name
    messages.success(request, _("You are a member of %(organization)s now.") % {"organization": name})
    return redirect("organization", slug=found.organization.slug)


@require_POST
@page
@signed_in
def decline(request, secret):
    try:
        form = parse(s.DeclineInvitationRequestSerializer, {"secret": secret})
        inviting.decline_invitation(actor=request.actor, **form)
    except DomainError as refusal:
        return _shown(request, secret, refusal=refusal)
    messages.success(request, _("The invitation is declined."))
    return redirect("organizations")


def _shown(request, secret, *, refusal=None):
    found = selectors.get_invitation_by_secret(actor=request.actor, secret=secret)
    known = request.actor.is_authenticated
    context = {
        "invitation": s.InvitationSerializer(found).data,
        "is_open": selectors.is_open(found),
        "secret": secret,
        "profile": s.UserSerializer(selectors.get_profile(actor=request.actor)).data if known else None,
        "errors": refused_fields(refusal) if refusal else [],
    }
    return render(request, "accounts/invitation.html", context, status=refusal.http if refusal else 200)
