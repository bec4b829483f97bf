"""Log in, log out, register, and the list of one's organizations."""

from typing import Any

from django.contrib import auth, messages
from django.http import HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import selectors, services
from exchange.accounts.api import serializers as s
from exchange.api.addresses import address_of
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.pages import form_data, page, refused_fields, safe_next, signed_in, told

from .mail import mail_folder

SHOWN = 50
BACKEND = "django.contrib.auth.backends.ModelBackend"


def log_in(request):
    """Outside a transaction: a failed try must stay counted."""
    context = {"errors": [], "values": {}, "next": request.GET.get("next", "")}
    if request.method == "POST":
        try:
            form = parse(s.LoginRequestSerializer, form_data(request))
            user = services.authenticate(**form, address=address_of(request))
        except DomainError as refusal:
            name = request.POST.get("email_or_username", "")
            context |= {"errors": refused_fields(refusal), "values": {"email_or_username": name}}
            context["next"] = request.POST.get("next", "")
            return told(render(request, "accounts/login.html", context, status=refusal.http), refusal)
        _remember(request, user)
        return HttpResponseRedirect(safe_next(request, reverse("organizations")))
    return render(request, "accounts/login.html", context)


@require_POST
def log_out(request):
    if request.actor.is_authenticated:
        services.log_out(actor=request.actor)
    auth.logout(request)
    return redirect("home")


def _remember(request, user):
    auth.login(request, user, backend=BACKEND)
    services.note_session(user=user)


def register(request):
    """Outside a transaction: each try must stay counted."""
    context: dict[str, Any] = {"errors": [], "values": {}, "next": request.GET.get("next", "")}
    if request.method == "POST":
        data = form_data(request)
        try:
            form = parse(s.RegisterRequestSerializer, data)
            user = services.register(**form, address=address_of(request))
        except DomainError as refusal:
            data.pop("password", None)
            context = {
                "errors": refused_fields(refusal),
                "values": data,
                "next": request.POST.get("next", ""),
            }
            return told(render(request, "accounts/register.html", context, status=refusal.http), refusal)
        _remember(request, user)
        messages.success(
            request, _("Welcome. Open the link that is on its way to %(email)s.") % {"email": user.email}
        )
        return HttpResponseRedirect(safe_next(request, reverse("organizations")))
    return render(request, "accounts/register.html", context)


@page
@signed_in
def organizations(request):
    context: dict[str, Any] = {"errors": [], "values": {}}
    status = 200
    if request.method == "POST":
        data = form_data(request)
        try:
            form = parse(s.CreateOrganizationRequestSerializer, data)
            organization = services.create_organization(actor=request.actor, **form)
        except DomainError as refusal:
            context, status = {"errors": refused_fields(refusal), "values": data}, refusal.http
        else:
            return redirect("organization", slug=organization.slug)
    profile = s.UserSerializer(selectors.get_profile(actor=request.actor)).data
    received = selectors.list_received_invitations(actor=request.actor)
    context |= {
        "memberships": profile["organizations"],
        "profile": profile,
        "invitations": s.ReceivedInvitationSerializer(received[:SHOWN], many=True).data,
        "mail_folder": mail_folder(),
    }
    return render(request, "accounts/organizations.html", context, status=status)
