"""Whether an e-mail address is that of the person who gave it: a mailed link says so."""

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.db import transaction

from exchange.core import events, throttle
from exchange.core.actors import Actor, Scope
from exchange.core.errors import FieldError

from . import mailing, permissions, selectors
from .errors import AlreadyConfirmed, ConfirmationLinkInvalid, TooManyMails
from .models import LetterKind, User

HOUR = 3600


def begin_confirmation(*, user: User) -> None:
    """Note a new account's address, and mail the link that confirms it."""
    EmailAddress.objects.create(user=user, email=user.email.lower(), primary=True)
    mailing.post(LetterKind.CONFIRM_EMAIL, user=user)


def send_confirmation(*, actor: Actor) -> User:
    """Mail the link again. Runs outside a transaction of its caller, so that each try counts."""
    permissions.require(actor, Scope.PROFILE_WRITE)
    user = selectors.get_profile(actor=actor)
    if user.email_verified:
        raise AlreadyConfirmed
    count_mail(f"confirm|{user.pk}")
    mailing.post(LetterKind.CONFIRM_EMAIL, user=user)
    return user


def count_mail(key: str, *, limit: int | None = None) -> None:
    """Count a mail somebody asked for, or raise TooManyMails."""
    limit = settings.MAILS_AN_HOUR if limit is None else limit
    try:
        throttle.count_try(key=key, limit=limit, window_seconds=HOUR)
    except throttle.LimitExceeded as error:
        raise TooManyMails(retry_after_seconds=error.retry_after_seconds) from error


@transaction.atomic
def confirm_email(*, actor: Actor, key: str) -> User:
    """Whoever opens the mailed link reads that address; nobody has to be logged in for it."""
    confirmation = EmailConfirmationHMAC.from_key(key)
    if confirmation is None or not confirmation.email_address.set_verified():
        message = str(ConfirmationLinkInvalid.__doc__)
        raise ConfirmationLinkInvalid(errors=[FieldError("key", ConfirmationLinkInvalid.code, message)])
    user = User.objects.select_for_update().get(pk=confirmation.email_address.user_id)
    if not user.email_verified:
        user.email_verified = True
        user.save(update_fields=["email_verified", "updated_at"])
        events.publish("email.verified", actor=actor, subject_id=user.pk)
    return user
