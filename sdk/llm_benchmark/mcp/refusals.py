"""What went wrong, in words that let an agent mend it: as the result of the call, without a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from llm_benchmark.errors import (
    Conflict,
    FieldError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    SdkError,
    Unauthorized,
    Unavailable,
)

from .texts import one_line

_NEXT_STEPS: dict[type[SdkError], str] = {
    Unauthorized: (
        "Ask the user to log in: `llm-benchmark auth login` or LLM_BENCHMARK_TOKEN for a server over stdio, "
        "a valid `Authorization: Bearer` header over HTTP. Never ask for the token itself."
    ),
    PermissionDenied: "Ask the user for a token with that right; do not look for a way around it.",
    NotFound: "Look for the right id with one of the tools that list or search.",
    InvalidInput: "Mend the arguments named above and call the tool again.",
    Conflict: "Tell the user; the same call is refused until the state has changed.",
    Unavailable: "Try again later; if it lasts, tell the user.",
}


def refused(error: SdkError) -> CallToolResult:
    """A failed call. It has no structured content, since that would have to be the tool's result."""
    return CallToolResult(
        content=[TextContent(type="text", text="\n".join(map(one_line, _lines(error))))], is_error=True
    )


def bad_arguments(error: ValidationError) -> InvalidInput:
    """Which arguments are wrong and why; what was sent is not repeated, since it may be a secret."""
    wrong = [
        FieldError(".".join(map(str, one["loc"])), one["type"], one["msg"])
        for one in error.errors(include_input=False, include_url=False, include_context=False)
    ]
    return _invalid(wrong)


def unknown_arguments(names: Iterable[str], known: Iterable[str]) -> InvalidInput:
    message = f"There is no such argument; there are: {', '.join(known)}."
    return _invalid([FieldError(name, "unknown", message) for name in names])


def _invalid(errors: list[FieldError]) -> InvalidInput:
    return InvalidInput("The arguments are not those of this tool.", code="invalid_input", errors=errors)


def _lines(error: SdkError) -> Iterator[str]:
    kind = _kind(error)
    code = "" if error.code in {kind, SdkError.code} else f" ({error.code})"
    yield f"{kind}{code}: {error}"
    for wrong in error.errors:
        yield f"- {wrong.field or 'request'}: {wrong.message} ({wrong.code})"
    if error.retry_after:
        yield f"Next: call again in {error.retry_after:.0f} s."
    elif step := next((step for kind, step in _NEXT_STEPS.items() if isinstance(error, kind)), ""):
        yield f"Next: {step}"
    if error.request_id:
        yield f"Request {error.request_id}, for the exchange's operators."


def _kind(error: SdkError) -> str:
    """`PermissionDenied` → `permission_denied`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()
