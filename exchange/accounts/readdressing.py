"""A new e-mail address for an account. It is the person's once they have confirmed it."""

from allauth.account.models import EmailAddress
from django.utils.translation import gettext as _

from exchange.core import events
from exchange.core.actors import Actor
from exchange.core.errors import InvalidInput

from . import mailing
from .confirming import count_mail, forget_new_address
from .models import LetterKind, User
from .passwords import proven


def change_email(*, actor: Actor, email: str, current_password: str) -> User:
    """Mail a link to the new address that makes it the person's, and tell the present one.

    Whether another account has it is asked when the link is used: nobody else learns it here. Runs outside a
    transaction of its caller, so that a wrong password counts.
    """
    email = email.lower()
    with proven(actor, current_password) as user:
        if email == user.email.lower():
            raise InvalidInput.of("email", "unchanged", _("This is your address already."))
        for key in (f"change-email|{user.pk}", f"change-email-to|{email}"):
            count_mail(key)
        forget_new_address(user)
        EmailAddress.objects.create(user=user, email=email)
        mailing.post(LetterKind.CHANGE_EMAIL, user=user, address=email)
        mailing.post(LetterKind.EMAIL_CHANGE_ASKED, user=user, address=user.email)
        events.publish("email.change_requested", actor=actor, subject_id=user.pk)
    return user
