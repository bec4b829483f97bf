"""How a body is taken: how large, how fast, and of whom."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import IO, Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.core.handlers.wsgi import WSGIRequest
from django.db import close_old_connections
from django.utils.translation import gettext as _

from exchange.api.authentication import bearer
from exchange.api.refusals import LengthRequired, TooSlow
from exchange.core.errors import InvalidInput, Unauthenticated, Unavailable
from submissions.api.views import MULTIPART_OVERHEAD
from submissions.attachments import largest_bytes

FIRST_SECONDS, SLOWEST_BYTES_A_SECOND = 20.0, 16 * 1024


def length_of(headers: Any) -> int:
    if "transfer-encoding" in headers:
        raise LengthRequired
    return int(headers.get("content-length") or 0)


def most_bytes(headers: Any) -> int:
    """Files are written down for those alone who say who they are."""
    if is_named(headers):
        return largest_bytes() + MULTIPART_OVERHEAD
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def is_named(headers: Any) -> bool:
    return "authorization" in headers or settings.SESSION_COOKIE_NAME in (headers.get("cookie") or "")


def person_of(environ: dict[str, Any]) -> UUID | None:
    """Who sends this, before their body is read; None where nobody is known by it."""
    close_old_connections()
    request = WSGIRequest(environ)
    try:
        known = bearer(request)
    except Unauthenticated:
        return None
    if known:
        return known.user_id
    sessions = import_module(settings.SESSION_ENGINE)
    request.session = sessions.SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    return get_user(request).pk


async def read(protocol: Any, body: IO[bytes], length: int) -> int:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        async with asyncio.timeout(FIRST_SECONDS) as patience:
            async for piece in protocol:
                body.write(piece)
                patience.reschedule(begun + FIRST_SECONDS + body.tell() / SLOWEST_BYTES_A_SECOND)
    except TimeoutError:
        raise TooSlow from None
    except OSError as error:  # the disk is full
        raise Unavailable from error
    size = body.tell()
    body.seek(0)
    if size != length:
        raise InvalidInput(_("The body broke off after %d bytes.") % size)
    return length
