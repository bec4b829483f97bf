"""How a measurement can fail before and at the endpoint, and whose fault each way is."""

from .egress import EgressRefused
from .plans import Failure, Side

_CODES = {
    "redirect": (Side.PROVIDER, "The endpoint redirects; give the address it redirects to."),
    "truncated": (Side.PROVIDER, "Answers end without a finish_reason or without [DONE]."),
    "error_event": (Side.PROVIDER, "The endpoint reports errors inside its answers."),
    "malformed_answer": (Side.PROVIDER, "Answers are not chat completions."),
    "wrong_content_type": (Side.PROVIDER, "Answers have another content type than asked for."),
    "content_encoding": (Side.PROVIDER, "Answers are compressed although that was not accepted."),
    "unexpected_status": (Side.PROVIDER, "The endpoint answers with an unusual status."),
    "head_too_large": (Side.PROVIDER, "The headers of an answer are too large."),
    "answer_too_large": (Side.PROVIDER, "An answer is too large."),
    "malformed_response": (Side.PROVIDER, "The endpoint does not speak HTTP/1.1."),
    "credential_echoed": (Side.PROVIDER, "The endpoint writes the key into its answers."),
    "connection_closed": (Side.PROVIDER, "The endpoint closes connections early."),
    "connect_failed": (Side.PROVIDER, "The endpoint cannot be reached."),
    "connect_timeout": (Side.PROVIDER, "The endpoint cannot be reached in time."),
    "tls_certificate": (Side.PROVIDER, "The endpoint's certificate is not valid for its name."),
    "tls_failed": (Side.PROVIDER, "No secure connection to the endpoint."),
    "first_byte_timeout": (Side.PROVIDER, "The endpoint does not begin to answer in time."),
    "idle_timeout": (Side.PROVIDER, "The endpoint stops in the middle of answers."),
    "total_timeout": (Side.PROVIDER, "The endpoint does not finish its answers in time."),
    "empty_answer": (Side.MODEL, "Answers are whole but empty."),
    "request_bound_reached": (Side.PROVIDER, "The run stopped at the agreed number of requests."),
    "token_bound_reached": (Side.PROVIDER, "The run stopped at the agreed number of tokens."),
}
_STATUSES = {
    401: (Side.SUBMITTER, "authentication_failed", "The endpoint refuses the key (401)."),
    403: (Side.SUBMITTER, "authentication_failed", "The endpoint refuses the key (403)."),
    402: (Side.SUBMITTER, "payment_required", "The endpoint wants to be paid first (402)."),
    404: (Side.SUBMITTER, "model_not_found", "The endpoint knows no such model or path (404)."),
    400: (Side.PROVIDER, "request_refused", "The endpoint refuses the request (400)."),
    422: (Side.PROVIDER, "request_refused", "The endpoint refuses the request (422)."),
    429: (Side.PROVIDER, "rate_limited", "The endpoint limits the rate (429)."),
}


BOUND_CODES = frozenset({"request_bound_reached", "token_bound_reached"})


def egress_failure(refused: EgressRefused) -> Failure:
    """Why an endpoint may not be dialled, as everyone may read it."""
    side = Side.PROVIDER if refused.code == "host_unknown" else Side.SUBMITTER
    return Failure(side, refused.code, refused.public_message)


def bound_failure(code: str) -> Failure:
    """`request_bound_reached` or `token_bound_reached`."""
    side, message = _CODES[code]
    return Failure(side, code, message)


def failure_of(outcome: str, status: int | None) -> Failure:
    """The failure that a journal outcome stands for; what is in no table is the platform's."""
    if outcome == "http_error":
        unknown = (Side.PROVIDER, "provider_error", f"The endpoint answers with status {status}.")
        return Failure(*_STATUSES.get(status or 0, unknown))
    side, message = _CODES.get(outcome, (Side.PLATFORM, f"The request ended as {outcome}."))
    return Failure(side, outcome, message)
