"""What each kind of missing answer means: whose side it is on and whether asking again may help."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from llm_benchmark.measure.plans import Answer, Failure, Side

RETRY_AFTER_CAP_SECONDS = 60.0
BACKOFF_CAP_SECONDS = 2.0
RETRYABLE_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
UNANSWERED_SHARE = 0.10


@dataclass(frozen=True, slots=True)
class Fault:
    """One code of `Answer.error`. `reached`: the provider is known to have answered something."""

    side: Side
    message: str
    retryable: bool = False
    reached: bool = True


FAULTS: Mapping[str, Fault] = {
    "authentication_failed": Fault(Side.SUBMITTER, "The endpoint refuses the credential."),
    "model_not_found": Fault(Side.SUBMITTER, "The endpoint does not serve this model."),
    "request_refused": Fault(Side.PROVIDER, "The endpoint refuses the request."),
    "redirect_refused": Fault(Side.PROVIDER, "The endpoint redirects; redirects are not followed."),
    "request_timeout": Fault(Side.PROVIDER, "The endpoint gave up waiting.", retryable=True),
    "rate_limited": Fault(Side.PROVIDER, "The endpoint limits the rate of requests.", retryable=True),
    "overloaded": Fault(Side.PROVIDER, "The endpoint is overloaded.", retryable=True),
    "provider_error": Fault(Side.PROVIDER, "The endpoint has an internal error.", retryable=True),
    "unexpected_status": Fault(Side.PROVIDER, "The endpoint answers with an unexpected status."),
    "connect_failed": Fault(Side.PROVIDER, "The endpoint cannot be reached.", retryable=True, reached=False),
    "connect_timeout": Fault(
        Side.PROVIDER, "The endpoint accepts no connection in time.", retryable=True, reached=False
    ),
    "tls_failed": Fault(Side.PROVIDER, "The endpoint's certificate or TLS is not valid.", reached=False),
    "connection_lost": Fault(
        Side.PROVIDER, "The connection broke before the answer ended.", retryable=True, reached=False
    ),
    "read_timeout": Fault(Side.PROVIDER, "The answer did not end in time.", retryable=True, reached=False),
    "invalid_response": Fault(Side.PROVIDER, "The response is not a chat completion."),
    "response_too_large": Fault(Side.PROVIDER, "The response is larger than the limit."),
    "encoding_refused": Fault(Side.PROVIDER, "The response is compressed though that was not asked for."),
    "provider_reported_error": Fault(Side.PROVIDER, "The response says success and holds an error."),
    "incomplete_stream": Fault(Side.PROVIDER, "The stream ended without a terminator."),
    "empty_response": Fault(Side.MODEL, "The model gave no text."),
    "output_truncated": Fault(Side.MODEL, "The token limit was reached before any text."),
}
_CODES = {
    401: "authentication_failed",
    403: "authentication_failed",
    404: "model_not_found",
    408: "request_timeout",
    429: "rate_limited",
    503: "overloaded",
}


def status_fault(status: int) -> str | None:
    """The code of an HTTP status; None for 200."""
    if status == HTTPStatus.OK:
        return None
    if status in _CODES:
        return _CODES[status]
    families = {3: "redirect_refused", 4: "request_refused", 5: "provider_error"}
    return families.get(status // 100, "unexpected_status")


def is_retryable(code: str, status: int | None) -> bool:
    if status is not None and status != HTTPStatus.OK:
        return status in RETRYABLE_STATUSES
    return FAULTS[code].retryable


def failure(code: str, detail: str = "") -> Failure:
    """The end of a run by one fault."""
    fault = FAULTS[code]
    return Failure(fault.side, code, f"{fault.message} {detail}".strip())


def provider_failure(answers: Iterable[Answer], planned: int) -> Failure | None:
    """No measurement when more than 10 % of the planned questions have no answer for a fault that is not
    the model's. Give it the answers of all fences of a run."""
    codes = Counter(answer.error for answer in answers if answer.error and is_unanswered(answer.error))
    missing = codes.total()
    if missing <= UNANSWERED_SHARE * planned:
        return None
    kinds = ", ".join(f"{code}: {count}" for code, count in codes.most_common())
    return Failure(
        Side.PROVIDER, "too_many_unanswered", f"{missing} of {planned} questions unanswered ({kinds})."
    )


def is_unanswered(code: str) -> bool:
    """True for faults that say nothing about the model."""
    return code not in FAULTS or FAULTS[code].side is not Side.MODEL


def pause_seconds(attempt: int, retry_after: str | None, now: float) -> float:
    """How long to wait after the `attempt`-th attempt: .25, .5, 1, 2, 2 …; longer if the provider asks, at
    most a minute.

    Args:
        retry_after: the header, seconds or an HTTP date (RFC 9110 §10.2.3).
        now: Unix time.
    """
    backoff: float = min(0.25 * 2 ** (attempt - 1), BACKOFF_CAP_SECONDS)
    return min(max(backoff, _asked_seconds(retry_after, now)), RETRY_AFTER_CAP_SECONDS)


def _asked_seconds(retry_after: str | None, now: float) -> float:
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after[:9])
    try:
        return parsedate_to_datetime(retry_after).timestamp() - now
    except (ValueError, OverflowError):
        return 0.0
