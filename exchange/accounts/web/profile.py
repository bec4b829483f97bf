"""The reader's own account: what they show, their password, sessions, tokens and invitations."""

from django.contrib import auth, messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import passwords, selectors, services
from exchange.accounts.api import serializers as s
from exchange.accounts.api.shown import shown_new_token
from exchange.api.forms import parse
from exchange.core.actors import Scope
from exchange.core.errors import DomainError
from exchange.web.pages import page, refused_fields, signed_in

from .mail import mail_folder

SHOWN = 50
TOKEN_FIELDS = {"name": "token_name"}
EMAIL_FIELDS = {"email": "new_email", "current_password": "email_password"}
"""Fields of the API under names of their own, since the page has others of that name."""
FIELDS = ("display_name", "bio", "affiliation", "website", "github_username", "orcid", "public_email")


@page
@signed_in
def profile(request):
    if request.method != "POST":
        return shown(request)
    data = {name: request.POST[name] for name in FIELDS if name in request.POST}
    try:
        form = parse(s.UpdateProfileRequestSerializer, data)
        services.update_profile(actor=request.actor, **form)
    except DomainError as refusal:
        return shown(request, refusal=refusal, values=data)
    messages.success(request, _("Your profile is saved."))
    return redirect("profile")


@require_POST
@page
@signed_in
def end_sessions(request):
    user = passwords.end_sessions(actor=request.actor)
    auth.update_session_auth_hash(request, user)
    messages.success(request, _("Every other session has ended."))
    return redirect("profile")


@require_POST
@page
@signed_in
def create_token(request):
    days = request.POST.get("expires_in_days", "")
    data = {"name": request.POST.get("name", ""), "scopes": request.POST.getlist("scopes")}
    data |= {"expires_in_days": days} if days else {}
    try:
        form = parse(s.CreateApiTokenRequestSerializer, data)
        secret, token = services.create_api_token(actor=request.actor, **form)
    except DomainError as refusal:
        return shown(request, refusal=refusal, token_values=data)
    return shown(request, new_token=shown_new_token(secret, token))


@require_POST
@page
@signed_in
def revoke_token(request, token_id):
    services.revoke_api_token(actor=request.actor, token_id=token_id)
    messages.success(request, _("The token is revoked."))
    return redirect("profile")


def shown(request, *, refusal=None, values=None, token_values=None, new_token=None, new_email=None):
    """The whole page, with what has to be mended in one of its forms."""
    renamed = TOKEN_FIELDS if token_values is not None else EMAIL_FIELDS if new_email is not None else {}
    actor = request.actor
    own = s.UserSerializer(selectors.get_profile(actor=actor)).data
    received = selectors.list_received_invitations(actor=actor)[:SHOWN]
    context = {
        "profile": own,
        "values": values or own,
        "invitations": s.ReceivedInvitationSerializer(received, many=True).data,
        "sessions": s.OpenSessionSerializer(selectors.list_sessions(actor=actor)[:SHOWN], many=True).data,
        "tokens": s.ApiTokenSerializer(selectors.list_api_tokens(actor=actor)[:SHOWN], many=True).data,
        "scopes": [scope.value for scope in Scope],
        "token_values": token_values or {},
        "new_token": new_token,
        "new_email": new_email or "",
        "mail_folder": mail_folder(),
        "errors": _errors(refusal, renamed),
    }
    return render(request, "accounts/profile.html", context, status=refusal.http if refusal else 200)


def _errors(refusal, renamed):
    found = refused_fields(refusal) if refusal else []
    return [{**error, "field": renamed.get(error["field"], error["field"])} for error in found]
