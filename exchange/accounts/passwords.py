"""Passwords after registration, and the sessions that end with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from allauth.account.forms import default_token_generator
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from exchange.core import clock, events, throttle
from exchange.core.actors import Actor, Scope
from exchange.core.errors import FieldError, InvalidInput
from exchange.core.limits import network_of

from . import mailing, permissions, secrets
from .confirming import count_mail, forget_new_address
from .errors import ResetLinkInvalid, TooManyLogins
from .identifiers import check
from .models import LetterKind, Token, TokenKind, User

_PEOPLE_AN_ADDRESS = 5  # people behind one address may each have forgotten theirs
_ID_LENGTH = 32


def request_password_reset(*, actor: Actor, email: str, address: str = "") -> None:
    """Mail a link that sets a new password, if somebody has this address. The answer never says whether.

    Runs outside a transaction of its caller, so that each try counts.
    """
    count_mail(f"reset|{email.strip().lower()}")
    if address:
        count_mail(f"reset-from|{network_of(address)}", limit=settings.MAILS_AN_HOUR * _PEOPLE_AN_ADDRESS)
    with transaction.atomic():
        user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
        events.publish("password_reset.requested", actor=actor, subject_id=user.pk if user else None)
        if user:
            mailing.post(LetterKind.RESET_PASSWORD, user=user)


@transaction.atomic
def reset_password(*, actor: Actor, key: str, password: str) -> User:
    """Set a new password with a mailed link, which is then used up. Every session ends.

    While the address was never confirmed, whoever registered may be another: their API tokens end too.
    """
    user = _user_of(key)
    check("password", lambda value: validate_password(value, user), password)
    _set(user, password)
    if not user.email_verified:
        Token.objects.filter(user=user, revoked_at=None).update(revoked_at=clock.now())
    events.publish("password.reset", actor=actor, subject_id=user.pk)
    return user


def is_reset_key(*, key: str) -> bool:
    """Whether the link would still be taken; for the page that asks for the new password."""
    try:
        _user_of(key)
    except ResetLinkInvalid:
        return False
    return True


def _user_of(key: str) -> User:
    """Whose password the key of a link may set. The row is held, so that a link is used once."""
    user_id, _dash, token = key.partition("-")
    with transaction.atomic():
        user = _held(user_id) if len(user_id) == _ID_LENGTH else None
        if user and default_token_generator.check_token(user, token):
            return user
    message = str(ResetLinkInvalid.__doc__)
    raise ResetLinkInvalid(errors=[FieldError("key", ResetLinkInvalid.code, message)])


def _held(user_id: str) -> User | None:
    try:
        return User.objects.select_for_update().filter(pk=UUID(user_id), is_active=True).first()
    except ValueError:
        return None


def change_password(*, actor: Actor, current_password: str, password: str, keep_secret: str = "") -> User:
    """Set another password. Other sessions end; API tokens stay. `keep_secret` is the session to keep.

    Runs outside a transaction of its caller, so that a wrong password counts.
    """
    with proven(actor, current_password) as user:
        check("password", lambda value: validate_password(value, user), password)
        _set(user, password, keep_secret=keep_secret)
        events.publish("password.changed", actor=actor, subject_id=user.pk)
    return user


@contextmanager
def proven(actor: Actor, current_password: str) -> Iterator[User]:
    """The actor's account, held in a transaction, for who knows its password. Wrong ones stay counted."""
    user_id = permissions.require(actor, Scope.PROFILE_WRITE)
    key = f"password|{user_id}"
    _count_guess(key)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user_id)
        if not user.check_password(current_password):
            raise InvalidInput.of("current_password", "wrong_password", _("This is not your password."))
        yield user
    throttle.give_back(key=key)


def _count_guess(key: str) -> None:
    try:
        throttle.count_try(key=key, limit=settings.LOGIN_TRIES, window_seconds=settings.LOGIN_WINDOW_SECONDS)
    except throttle.LimitExceeded as error:
        raise TooManyLogins(retry_after_seconds=error.retry_after_seconds) from error


def _set(user: User, password: str, *, keep_secret: str = "") -> None:
    user.set_password(password)
    user.save(update_fields=["password", "updated_at"])
    _end_tokens(user.pk, keep_secret)
    forget_new_address(user)
    mailing.post(LetterKind.PASSWORD_CHANGED, user=user)


@transaction.atomic
def end_sessions(*, actor: Actor, keep_secret: str = "") -> User:
    """End the actor's sessions but that of `keep_secret`. A browser that stays is the door's business."""
    user_id = permissions.require(actor, Scope.PROFILE_WRITE)
    User.objects.filter(pk=user_id).update(session_epoch=F("session_epoch") + 1)
    _end_tokens(user_id, keep_secret)
    events.publish("sessions.ended", actor=actor, subject_id=user_id)
    return User.objects.get(pk=user_id)


def _end_tokens(user_id: UUID, keep_secret: str) -> None:
    open_ = Token.objects.filter(user_id=user_id, kind=TokenKind.SESSION, revoked_at=None)
    kept = secrets.digest_of(keep_secret) if keep_secret else ""
    open_.exclude(digest=kept).update(revoked_at=clock.now())
