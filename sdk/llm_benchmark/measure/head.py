"""The head of every request to a provider, whoever sends it: one form, so that no provider can tell a
measurement from a question or a probe by it."""

from collections.abc import Iterable

from .egress import USER_AGENT


def render_head(
    method: str, path: str, *, host: str, headers: Iterable[tuple[str, str]] = (), has_body: bool = True
) -> bytes:
    """Everything above the length of the body, or above the blank line where there is no body.

    Args:
        headers: what carries the key, and what the protocol needs.
    """
    lines = [
        f"{method} {path} HTTP/1.1",
        f"host: {host}",
        f"user-agent: {USER_AGENT}",
        "accept: application/json",
        "accept-encoding: identity",
    ]
    lines += [f"{name.lower()}: {value}" for name, value in headers]
    if has_body:
        lines.append("content-type: application/json")
    return "\r\n".join([*lines, ""]).encode("ascii")


def length_line(byte_count: int) -> bytes:
    """The end of a head whose body has so many bytes."""
    return b"content-length: %d\r\n\r\n" % byte_count
