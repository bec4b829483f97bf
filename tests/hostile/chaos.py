"""What comes of each misbehaviour of a provider: the table that tests hold and docs/measuring.md shows."""

from dataclasses import dataclass

from llm_benchmark.measure.probing import State

STANDS, WRONG = "answer stands", "answer stands, and is wrong"
"""Of a question: it is scored as any other. `WRONG`: what was said is no right answer to it."""
OK = "ok"


@dataclass(frozen=True)
class Row:
    """One misbehaviour: the code that it ends with, or how the answer is taken.

    Args:
        whole, streamed: of a question that is asked for a document, or for a stream.
        load: of a canary and a request of AIPerf's.
        check: of the probes of a check; None: they are answered.
        state: what the check makes of the model; None: it stays.
    """

    whole: str
    streamed: str
    load: str
    check: str | None
    state: State | None


def same(code, *, load=None, streamed=None, check=None, state=State.FAILED):
    return Row(code, streamed or code, load or code, check or code, state)


def answered(streamed=STANDS, load=OK):
    return Row(STANDS, streamed, load, None, State.ACTIVE)


def late(streamed, load):
    return Row("total_timeout", streamed, load, "total_timeout", State.FAILED)


_UNASKED = "wrong_content_type"
_LATER = State.UNSTABLE

CHAOS = {
    "400": same("request_refused"),
    "401": same("authentication_failed", state=None),
    "402": same("payment_required", state=None),
    "403": same("authentication_failed", state=None),
    "404": same("model_not_found", state=State.NOT_AVAILABLE),
    "408": same("request_timeout"),
    "422": same("request_refused"),
    "429": same("rate_limited", state=_LATER),
    "500": same("provider_error"),
    "501": same("unexpected_status"),
    "502": same("provider_error"),
    "503": same("overloaded", state=_LATER),
    "504": same("provider_error"),
    "529": same("overloaded", state=_LATER),
    "mismatch": same("request_refused", check="capability_mismatch", state=State.INCOMPATIBLE),
    "gone": same("request_refused", check="model_not_found", state=State.NOT_AVAILABLE),
    "echo_key_error": same("request_refused"),
    "html": same("invalid_response", load=_UNASKED),
    "empty": same("invalid_response", load=_UNASKED),
    "bad_json": same("invalid_response", load=_UNASKED),
    "bad_utf8": same("invalid_response", load=_UNASKED),
    "error_body": same("provider_reported_error", load=_UNASKED),
    "empty_text": same("empty_response"),
    "gzip": same("encoding_refused"),
    "gzip_bomb": same("encoding_refused"),
    "huge": same("response_too_large", load=_UNASKED),
    "bottomless": same("response_too_large", load=_UNASKED),
    "endless_head": same("response_too_large"),
    "endless": same("response_too_large"),
    "redirect": same("redirect_refused"),
    "reset": same("connection_lost"),
    "reset_midway": same("connection_lost"),
    "truncated": same("connection_lost", streamed="incomplete_stream", load="incomplete_stream"),
    "stream_error": same("provider_reported_error"),
    "error_event": same("provider_reported_error"),
    "usage_infinite": same("invalid_response", load=OK),
    "silent": late("first_byte_timeout", "first_byte_timeout"),
    "stall": late("idle_timeout", "idle_timeout"),
    "trickle": late("first_byte_timeout", "first_byte_timeout"),
    "drip": late("idle_timeout", _UNASKED),
    "changing_model": Row("model_changed", "model_changed", "model_changed", None, State.ACTIVE),
    "no_finish": answered(streamed="incomplete_stream", load="incomplete_stream"),
    "no_done": answered(load="incomplete_stream"),
    "double_done": answered(),
    "burst": answered(),
    "half_tokens": answered(),
    "usage_lies": answered(),
    "usage_bad": answered(),
    "no_usage": answered(),
    "wrong_model": answered(),
    "refresh": answered(),
    "echo_key_name": answered(),
    "echo_key": Row(WRONG, WRONG, "credential_echoed", None, State.ACTIVE),
    "injection": Row(WRONG, WRONG, OK, None, State.ACTIVE),
}
SLOW = frozenset({"silent", "stall", "trickle", "drip"})
"""Those that only patience ends."""
