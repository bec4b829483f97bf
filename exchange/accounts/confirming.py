"""Whether an e-mail address is that of the person who gave it: a mailed link says so."""

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.db import IntegrityError, transaction

from exchange.core import events, throttle
from exchange.core.actors import Actor, Scope
from exchange.core.errors import FieldError

from . import mailing, permissions, selectors
from .errors import AlreadyConfirmed, ConfirmationLinkInvalid, EmailTaken, TooManyMails
from .models import Letter, LetterKind, User

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
    """Whoever opens the mailed link reads that address; nobody has to be logged in for it.

    A new address becomes the person's by it, unless another account has it by now.
    """
    user, address = _held(key)
    if address.email != user.email.lower():
        _take(user, address)
        events.publish("email.changed", actor=actor, subject_id=user.pk)
    elif not address.set_verified():
        raise _invalid()
    if not user.email_verified:
        user.email_verified = True
        user.save(update_fields=["email_verified", "updated_at"])
        events.publish("email.verified", actor=actor, subject_id=user.pk)
    return user


def _held(key: str) -> tuple[User, EmailAddress]:
    """Whose address the link confirms, held until the transaction ends, and the address."""
    found = EmailConfirmationHMAC.from_key(key)
    if found is None:
        raise _invalid()
    user = User.objects.select_for_update().get(pk=found.email_address.user_id)
    address = EmailAddress.objects.filter(pk=found.email_address.pk, verified=False).first()
    if address is None:
        raise _invalid()
    return user, address


def _invalid() -> ConfirmationLinkInvalid:
    message = str(ConfirmationLinkInvalid.__doc__)
    return ConfirmationLinkInvalid(errors=[FieldError("key", ConfirmationLinkInvalid.code, message)])


def _take(user: User, address: EmailAddress) -> None:
    """Of two people who confirm one address, the database lets one through."""
    user.email, address.primary, address.verified = address.email, True, True
    try:
        with transaction.atomic():
            EmailAddress.objects.filter(user=user).exclude(pk=address.pk).delete()
            address.save(update_fields=["primary", "verified"])
            user.save(update_fields=["email", "updated_at"])
    except IntegrityError as error:
        raise EmailTaken from error


def forget_new_address(user: User) -> None:
    """An address that was asked for and not confirmed is asked for no longer, and its link is void."""
    EmailAddress.objects.filter(user=user, verified=False).exclude(email=user.email.lower()).delete()
    Letter.objects.filter(user=user, kind=LetterKind.CHANGE_EMAIL, sent_at=None).delete()
