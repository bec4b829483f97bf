"""What an answer of the exchange means, and what it means that none came."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import msgspec

from .errors import OF_STATUS, FieldError, NotReached, SdkError, ServerFault, TimedOut, UnexpectedAnswer

LARGEST_ANSWER = 64 * 1024 * 1024
LONGEST_NUMBER = 18
PACKED = "gzip"
UNREADABLE = (msgspec.MsgspecError, RecursionError)
"""What decoding raises; a deeply nested answer is no answer either."""


class _Problem(msgspec.Struct):
    """RFC 9457, with the exchange's own members."""

    code: str
    detail: str = ""
    request_id: str = ""
    errors: list[FieldError] = []  # msgspec copies it


def check_packing(response: httpx.Response) -> None:
    """Raises UnexpectedAnswer for what is packed twice, or not as asked: it may unpack to anything."""
    packed = response.headers.get("Content-Encoding", PACKED)
    if packed.strip().lower() not in {PACKED, "identity"}:
        text = f"{_host(response)} packed its answer as {packed!r}, which nobody asked for."
        raise UnexpectedAnswer(text, status=response.status_code)


def body_of(response: httpx.Response) -> bytes:
    """Raises UnexpectedAnswer rather than fill the memory."""
    pieces, size = [], 0
    for piece in response.iter_bytes():
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST_ANSWER:
            text = (
                f"{_host(response)} sent more than {LARGEST_ANSWER >> 20} MiB at once. Ask for smaller pages."
            )
            raise UnexpectedAnswer(text, status=response.status_code)
    return b"".join(pieces)


def refusal_of(response: httpx.Response) -> SdkError:
    """The error that an answer stands for."""
    status = response.status_code
    if response.has_redirect_location:
        to = response.headers["Location"]
        text = f"{_host(response)} redirects to {to}. Use its own address: redirects are not followed."
        return UnexpectedAnswer(text, status=status)
    kind = OF_STATUS.get(status, ServerFault if response.is_server_error else UnexpectedAnswer)
    retry_after = number_of(response.headers.get("Retry-After", ""))
    try:
        problem = msgspec.json.decode(body_of(response), type=_Problem)
    except UNREADABLE:
        text = f"{_host(response)} answered {status} and gave no reason. Is it an exchange?"
        return kind(text, status=status, retry_after=retry_after)
    return kind(
        problem.detail or problem.code,
        code=problem.code,
        status=status,
        request_id=problem.request_id,
        errors=problem.errors,
        retry_after=retry_after,
    )


@contextmanager
def as_sdk_errors() -> Iterator[None]:
    """What the network did, in this package's words."""
    try:
        yield
    except httpx.TimeoutException as error:
        where = error.request.url.netloc.decode()
        raise TimedOut(f"{where} did not answer in time. Try again, or allow it more time.") from error
    except httpx.DecodingError as error:
        where = error.request.url.netloc.decode()
        raise UnexpectedAnswer(f"{where} sent what cannot be decoded: {error}.") from error
    except httpx.TransportError as error:
        where = error.request.url.netloc.decode()
        reason = str(error).rstrip(".")
        raise NotReached(f"{where} cannot be reached: {reason}. Is the address right?") from error


def _host(response: httpx.Response) -> str:
    return response.request.url.netloc.decode()


def printable(text: object) -> str:
    """On one line, and nothing in it that would steer the terminal on which a log is read."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))


def number_of(header: str) -> int | None:
    is_number = header.isascii() and header.isdecimal() and len(header) <= LONGEST_NUMBER
    return int(header) if is_number else None
