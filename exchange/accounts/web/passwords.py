"""Forgotten and changed passwords."""

from django.contrib import auth, messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import passwords
from exchange.accounts.api import serializers as s
from exchange.api.addresses import address_of
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.pages import form_data, page, refused_fields, signed_in, told

from .mail import mail_folder
from .profile import shown

_KEY = "password_reset_key"


def request_reset(request):
    """Outside a transaction: each mail counts. The page after it is the same for everybody."""
    context = {"errors": [], "values": {}, "asked": False, "mail_folder": mail_folder()}
    if request.method != "POST":
        return render(request, "accounts/request_password_reset.html", context)
    data = form_data(request)
    try:
        form = parse(s.RequestPasswordResetRequestSerializer, data)
        passwords.request_password_reset(actor=request.actor, **form, address=address_of(request))
    except DomainError as refusal:
        context |= {"errors": refused_fields(refusal), "values": data}
        answer = render(request, "accounts/request_password_reset.html", context, status=refusal.http)
        return told(answer, refusal)
    return render(request, "accounts/request_password_reset.html", context | {"asked": True, "values": data})


@page
def reset(request, key):
    """Take the key out of the address: a refused form would have it logged while it is still good."""
    if not passwords.is_reset_key(key=key):
        return _set_page(request, usable=False, status=400)
    request.session[_KEY] = key
    return redirect("new-password")


@page
def set_new(request):
    key = request.session.get(_KEY, "")
    if request.method != "POST":
        usable = passwords.is_reset_key(key=key)
        return _set_page(request, usable=usable, status=200 if usable else 400)
    try:
        form = parse(s.ResetPasswordRequestSerializer, {**form_data(request), "key": key})
        passwords.reset_password(actor=request.actor, **form)
    except DomainError as refusal:
        usable = passwords.is_reset_key(key=key)
        return _set_page(request, usable=usable, status=refusal.http, errors=refused_fields(refusal))
    auth.logout(request)
    messages.success(request, _("The new password is set. Log in with it."))
    return redirect("login")


def _set_page(request, *, usable, status, errors=()):
    context = {"errors": list(errors), "usable": usable}
    return render(request, "accounts/reset_password.html", context, status=status)


@require_POST
@signed_in
def change(request):
    """Outside a transaction: a wrong password must stay counted."""
    try:
        form = parse(s.ChangePasswordRequestSerializer, form_data(request))
        user = passwords.change_password(actor=request.actor, **form)
    except DomainError as refusal:
        return told(shown(request, refusal=refusal), refusal)
    auth.update_session_auth_hash(request, user)
    messages.success(request, _("Your password is changed. Every other session has ended."))
    return redirect("profile")
