"""Where mailed links lead, and where mails are when none are sent."""

from django.conf import settings
from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import confirming
from exchange.accounts.api import serializers as s
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.pages import page, refused_fields, signed_in, told


def mail_folder():
    """The folder that this installation writes its mails to; "" where they are really sent."""
    written = settings.EMAIL_BACKEND == "django.core.mail.backends.filebased.EmailBackend"
    return getattr(settings, "EMAIL_FILE_PATH") if written else ""  # noqa: B009  mypy does not see what mail() sets


@page
def confirm_email(request, key):
    """A button, because mail programs follow links by themselves."""
    if request.method != "POST":
        return render(request, "accounts/confirm_email.html", {"errors": []})
    try:
        user = confirming.confirm_email(
            actor=request.actor, **parse(s.ConfirmEmailRequestSerializer, {"key": key})
        )
    except DomainError as refusal:
        context = {"errors": refused_fields(refusal)}
        return render(request, "accounts/confirm_email.html", context, status=refusal.http)
    messages.success(request, _("The address %(email)s is confirmed.") % {"email": user.email})
    return redirect("profile" if request.actor.is_authenticated else "login")


@require_POST
@signed_in
def send_confirmation(request):
    """Outside a transaction: each mail counts."""
    try:
        user = confirming.send_confirmation(actor=request.actor)
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return told(redirect("profile"), refusal)
    messages.success(request, _("A new link is on its way to %(email)s.") % {"email": user.email})
    return redirect("profile")
