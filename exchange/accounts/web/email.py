"""Another e-mail address for one's account."""

from django.contrib import messages
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import readdressing
from exchange.accounts.api import serializers as s
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.pages import signed_in, told

from .profile import EMAIL_FIELDS, shown


@require_POST
@signed_in
def change(request):
    """Outside a transaction: a wrong password must stay counted."""
    data = {name: request.POST.get(field, "") for name, field in EMAIL_FIELDS.items()}
    try:
        readdressing.change_email(actor=request.actor, **parse(s.ChangeEmailRequestSerializer, data))
    except DomainError as refusal:
        return told(shown(request, refusal=refusal, new_email=data["email"]), refusal)
    text = _("Open the link that is on its way to %(email)s. Until then your address stays as it is.")
    messages.success(request, text % {"email": data["email"]})
    return redirect("profile")
