"""Letters: rows that say what mail has to be sent, and the sending of them.

A letter is written in the transaction of what it tells of, so it cannot be lost. The process that wrote it
sends it after commit, and beat sends what that process could not.
"""

import logging
from datetime import timedelta
from threading import Thread
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.core.mail import send_mail
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from exchange.core import clock
from exchange.core.clock import DatabaseNow

from . import secrets
from .models import Invitation, InvitationStatus, Letter, LetterKind, User

log = logging.getLogger(__name__)
TRIES = 8
_FIRST_WAIT_SECONDS = 15  # doubled by each try: the last one is half an hour after the first


def post(
    kind: LetterKind, *, user: User | None = None, invitation: Invitation | None = None, address: str = ""
) -> Letter:
    """Write a letter to a person, or to whom an invitation goes. Sent once the transaction is committed.

    It goes to `address`, or without one to the address that the person has by then.
    """
    letter = Letter.objects.create(kind=kind, user=user, invitation=invitation, address=address)
    transaction.on_commit(_ring, robust=True)
    return letter


def _ring() -> None:
    """In a thread of its own: whoever asked does not wait, nor tell by the time whether a mail went out."""
    if settings.MAIL_AT_ONCE:
        Thread(target=_send_apart, name="mail").start()


def _send_apart() -> None:
    try:
        send_letters()
    finally:
        connection.close()


def send_letters() -> int:
    """Send what waits, the oldest first; how many were sent. Safe to call from many processes at once."""
    count = 0
    while (sent := _send_next()) is not None:
        count += sent
    return count


@transaction.atomic
def _send_next() -> bool | None:
    """Whether the next letter went out; None when none waits."""
    letter = _waiting().select_for_update(skip_locked=True, of=("self",)).first()
    if letter is None:
        return None
    letter.attempts += 1
    try:
        _send(letter)
    except Exception as error:  # noqa: BLE001  a mail server that is away must not lose the letter
        log.warning("letter %s was not sent (try %d): %s", letter.pk, letter.attempts, type(error).__name__)
        letter.error = type(error).__name__
        letter.not_before = clock.now() + timedelta(seconds=_FIRST_WAIT_SECONDS * 2 ** (letter.attempts - 1))
    else:
        letter.error, letter.sent_at = "", clock.now()
    letter.save()
    return letter.sent_at is not None


def _waiting() -> QuerySet[Letter]:
    due = Letter.objects.filter(sent_at__isnull=True, not_before__lte=DatabaseNow(), attempts__lt=TRIES)
    due = due.filter(Q(invitation=None) | Q(invitation__status=InvitationStatus.PENDING))
    return due.select_related("user", "invitation__organization", "invitation__invited_by").order_by(
        "not_before", "id"
    )


def _send(letter: Letter) -> None:
    """The first line of a letter's template is its subject."""
    to, context = _addressed(letter)
    text = render_to_string(f"accounts/mail/{letter.kind}.txt", {"site_url": settings.SITE_URL, **context})
    subject, _newline, message = text.strip().partition("\n")
    send_mail(subject, message.strip() + "\n", None, [to])


def _addressed(letter: Letter) -> tuple[str, dict[str, Any]]:
    if letter.invitation:
        return letter.invitation.email, _invitation(letter.invitation)
    assert letter.user is not None  # noqa: S101  the table's constraint
    to = letter.address or letter.user.email
    path = _path(LetterKind(letter.kind), letter.user, to)
    hours = settings.PASSWORD_RESET_TIMEOUT // 3600
    context = {"username": letter.user.username, "link": settings.SITE_URL + path, "hours": hours}
    return to, context | {"days": settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS}


def _invitation(invitation: Invitation) -> dict[str, Any]:
    path = reverse("invitation", args=[secrets.invitation_secret(invitation.pk, digest=invitation.digest)])
    return {
        "organization": invitation.organization.name,
        "inviter": invitation.invited_by.display_name or invitation.invited_by.username,
        "role": invitation.get_role_display(),
        "email": invitation.email,
        "expires_at": invitation.expires_at,
        "link": settings.SITE_URL + path,
    }


def _path(kind: LetterKind, user: User, to: str) -> str:
    if kind in {LetterKind.CONFIRM_EMAIL, LetterKind.CHANGE_EMAIL}:
        address = EmailAddress.objects.get(user=user, email=to.lower())
        return reverse("confirm-email", args=[EmailConfirmationHMAC.create(address).key])
    if kind == LetterKind.RESET_PASSWORD:
        key = f"{user.pk.hex}-{default_token_generator.make_token(user)}"
        return reverse("reset-password", args=[key])
    return reverse("profile")
