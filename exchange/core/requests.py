"""The id of the request being served, for logs and refusals. Made by us; a client's is never taken."""

import secrets
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="")


def begin_request() -> str:
    request_id = f"req_{secrets.token_hex(10)}"
    _current.set(request_id)
    return request_id


def request_id() -> str:
    return _current.get() or begin_request()
