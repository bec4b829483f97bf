"""The vocabulary of what goes wrong with a provider: one code a misbehaviour, for runs, gateway and probes.

A code says whose side it is on, which kind of error it is, whether asking again may help, and whether the
provider is known to have answered something.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus

from .egress import EgressRefused
from .plans import Failure, Side


class ErrorType(StrEnum):
    """The kinds of errors, in the words of LLM Benchmark Manager; retries go by them."""

    AUTH_ERROR = "AUTH_ERROR"
    MODEL_NOT_FOUND = "MODEL_NOT_FOUND"
    RATE_LIMITED = "RATE_LIMITED"
    OVERLOADED = "OVERLOADED"
    PROVIDER_ERROR = "PROVIDER_ERROR"
    TIMEOUT = "TIMEOUT"
    NETWORK_ERROR = "NETWORK_ERROR"
    CAPABILITY_MISMATCH = "CAPABILITY_MISMATCH"
    PAYLOAD_ERROR = "PAYLOAD_ERROR"
    HTTP_ERROR = "HTTP_ERROR"
    INVALID_RESPONSE = "INVALID_RESPONSE"
    EMPTY_RESPONSE = "EMPTY_RESPONSE"
    UNSUPPORTED = "UNSUPPORTED"


@dataclass(frozen=True, slots=True)
class Fault:
    """One code. `reached`: the provider is known to have answered something."""

    side: Side
    type: ErrorType
    message: str
    reached: bool = True

    @property
    def is_retryable(self) -> bool:
        """Whether it may be gone at the next try."""
        return self.type in RETRYABLE


RETRYABLE = frozenset(
    {
        ErrorType.RATE_LIMITED,
        ErrorType.OVERLOADED,
        ErrorType.PROVIDER_ERROR,
        ErrorType.TIMEOUT,
        ErrorType.NETWORK_ERROR,
    }
)
_SUBMITTER, _PROVIDER, _MODEL = Side.SUBMITTER, Side.PROVIDER, Side.MODEL
_AUTH, _MISSING, _PAYLOAD = ErrorType.AUTH_ERROR, ErrorType.MODEL_NOT_FOUND, ErrorType.PAYLOAD_ERROR
_LATER, _BUSY, _BROKEN = ErrorType.RATE_LIMITED, ErrorType.OVERLOADED, ErrorType.PROVIDER_ERROR
_SLOW, _NETWORK, _HTTP = ErrorType.TIMEOUT, ErrorType.NETWORK_ERROR, ErrorType.HTTP_ERROR
_INVALID, _EMPTY = ErrorType.INVALID_RESPONSE, ErrorType.EMPTY_RESPONSE

FAULTS: Mapping[str, Fault] = {
    "authentication_failed": Fault(_SUBMITTER, _AUTH, "The endpoint refuses the credential."),
    "payment_required": Fault(_SUBMITTER, _AUTH, "The endpoint wants to be paid first."),
    "model_not_found": Fault(_SUBMITTER, _MISSING, "The endpoint does not serve this model."),
    "capability_mismatch": Fault(
        _SUBMITTER, ErrorType.CAPABILITY_MISMATCH, "The model is not made for this kind of request."
    ),
    "request_refused": Fault(_PROVIDER, _PAYLOAD, "The endpoint refuses the request."),
    "redirect_refused": Fault(_PROVIDER, _HTTP, "The endpoint redirects; give the address it redirects to."),
    "unexpected_status": Fault(_PROVIDER, _HTTP, "The endpoint answers with an unexpected status."),
    "rate_limited": Fault(_PROVIDER, _LATER, "The endpoint limits the rate of requests."),
    "overloaded": Fault(_PROVIDER, _BUSY, "The endpoint is overloaded."),
    "provider_error": Fault(_PROVIDER, _BROKEN, "The endpoint has an internal error."),
    "request_timeout": Fault(_PROVIDER, _SLOW, "The endpoint gave up waiting."),
    "first_byte_timeout": Fault(
        _PROVIDER, _SLOW, "The endpoint does not begin to answer in time.", reached=False
    ),
    "idle_timeout": Fault(_PROVIDER, _SLOW, "The endpoint stops in the middle of an answer.", reached=False),
    "total_timeout": Fault(_PROVIDER, _SLOW, "The answer did not end in time.", reached=False),
    "connect_failed": Fault(_PROVIDER, _NETWORK, "The endpoint cannot be reached.", reached=False),
    "connect_timeout": Fault(
        _PROVIDER, _NETWORK, "The endpoint accepts no connection in time.", reached=False
    ),
    "connection_lost": Fault(
        _PROVIDER, _NETWORK, "The connection broke before the answer ended.", reached=False
    ),
    "tls_certificate": Fault(
        _PROVIDER, _HTTP, "The endpoint's certificate is not valid for its name.", reached=False
    ),
    "tls_failed": Fault(_PROVIDER, _HTTP, "No secure connection to the endpoint.", reached=False),
    "invalid_response": Fault(_PROVIDER, _INVALID, "The response is no answer of the endpoint's protocol."),
    "wrong_content_type": Fault(_PROVIDER, _INVALID, "The response has another content type than asked for."),
    "encoding_refused": Fault(
        _PROVIDER, _INVALID, "The response is compressed though that was not asked for."
    ),
    "response_too_large": Fault(_PROVIDER, _INVALID, "The response is larger than the limit."),
    "provider_reported_error": Fault(_PROVIDER, _INVALID, "The response says success and holds an error."),
    "incomplete_stream": Fault(_PROVIDER, _INVALID, "The stream ended before its answer was whole."),
    "model_changed": Fault(_PROVIDER, _INVALID, "The answers name different models."),
    "credential_echoed": Fault(_PROVIDER, _INVALID, "The endpoint writes the key into its answers."),
    "empty_response": Fault(_MODEL, _EMPTY, "The model gave nothing."),
    "output_truncated": Fault(_MODEL, _EMPTY, "The token limit was reached before any text."),
    "request_bound_reached": Fault(
        _PROVIDER, _HTTP, "The run stopped at the agreed number of requests.", reached=False
    ),
    "token_bound_reached": Fault(
        _PROVIDER, _HTTP, "The run stopped at the agreed number of tokens.", reached=False
    ),
}
BOUND_CODES = frozenset({"request_bound_reached", "token_bound_reached"})
UNREACHABLE = frozenset({"connect_failed", "connect_timeout", "tls_certificate", "tls_failed"})
"""The endpoint itself is not there: nothing is known of its models."""

_STATUSES = {
    401: "authentication_failed",
    402: "payment_required",
    403: "authentication_failed",
    404: "model_not_found",
    408: "request_timeout",
    429: "rate_limited",
    500: "provider_error",
    502: "provider_error",
    503: "overloaded",
    504: "provider_error",
    529: "overloaded",  # Anthropic's
}
_FAMILIES = {3: "redirect_refused", 4: "request_refused"}


def status_fault(status: int) -> str | None:
    """The code of an HTTP status; None for 200."""
    if status == HTTPStatus.OK:
        return None
    return _STATUSES.get(status) or _FAMILIES.get(status // 100, "unexpected_status")


def failure(code: str, *, status: int | None = None) -> Failure:
    """The end of a run by one fault; a code that is in no table is the platform's."""
    fault = FAULTS.get(code)
    if fault is None:
        return Failure(Side.PLATFORM, code, f"The request ended as {code}.")
    told = f" (HTTP {status})" if status not in {None, HTTPStatus.OK} else ""
    return Failure(fault.side, code, f"{fault.message}{told}")


def model_changed(names: Collection[str]) -> Failure | None:
    """The end of a run whose answers name more than one model."""
    if len(names) <= 1:
        return None
    found = failure("model_changed")
    return replace(found, message=f"{found.message} {', '.join(sorted(names)[:5])}")


def outcome_failure(outcome: str, status: int | None) -> Failure:
    """The failure that an outcome in a gateway's journal stands for."""
    code = status_fault(status) if outcome == "http_error" and status is not None else outcome
    return failure(code or outcome, status=status)


def egress_failure(refused: EgressRefused) -> Failure:
    """Why an endpoint may not be dialled, as everyone may read it."""
    side = Side.PROVIDER if refused.code == "host_unknown" else Side.SUBMITTER
    return Failure(side, refused.code, refused.public_message)
