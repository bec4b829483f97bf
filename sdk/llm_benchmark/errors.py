"""What can go wrong, by kind: each kind has one exit code on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field. `field` is a path such as `claims[0].value`."""

    field: str
    code: str
    message: str


class SdkError(Exception):
    """Base of all that this package raises on purpose.

    Attributes:
        code: the reason, for programs; never changes.
        status: HTTP status, or None where no answer came.
        request_id: what the exchange's operators find the request by.
        errors: one entry a wrong field.
        retry_after: seconds to wait before another try, where the exchange says so.
        next_steps: what a person can do about it, a line each, where somebody who knows more has said so.
    """

    code = "error"
    exit_code = 1
    is_retryable = False
    next_steps: Sequence[str] = ()

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int | None = None,
        request_id: str = "",
        errors: Sequence[FieldError] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code or self.code
        self.status = status
        self.request_id = request_id
        self.errors = list(errors)
        self.retry_after = retry_after


class NotConfigured(SdkError):
    """A setting of this machine is missing or cannot be used."""

    code = "not_configured"
    exit_code = 2


class InvalidInput(SdkError):
    """`errors` names the wrong fields."""

    code = "invalid_input"
    exit_code = 2

    @classmethod
    def of(cls, field: str, code: str, message: str) -> InvalidInput:
        """One field is wrong, and found to be before anything is sent."""
        return cls(message, code=code, errors=[FieldError(field, code, message)])


class Unauthorized(SdkError):
    """The token is missing, expired or revoked."""

    exit_code = 3


class PermissionDenied(SdkError):
    """The token's owner may see this, but not do that to it."""

    exit_code = 4


class NotFound(SdkError):
    """It does not exist, or the token's owner may not know that it does."""

    exit_code = 5


class Conflict(SdkError):
    """The present state forbids it."""

    exit_code = 6


class LimitReached(SdkError):
    """Too many bytes, files or requests for now."""

    exit_code = 7


class RateLimited(LimitReached):
    """Too many requests. `retry_after` says when to go on."""

    is_retryable = True


class Unavailable(SdkError):
    """The exchange cannot answer at the moment."""

    exit_code = 8
    is_retryable = True


class NotReached(Unavailable):
    """No connection came about, or it broke."""

    code = "not_reached"


class TimedOut(Unavailable):
    """No answer within the time-out."""

    code = "timed_out"


class UnexpectedAnswer(SdkError):
    """Something else than the exchange's API answered, or a much older one."""

    code = "unexpected_answer"


class ServerFault(SdkError):
    """The fault is the exchange's own."""

    code = "internal_error"


OF_STATUS: dict[int, type[SdkError]] = {
    400: InvalidInput,
    401: Unauthorized,
    403: PermissionDenied,
    404: NotFound,
    405: InvalidInput,
    409: Conflict,
    413: LimitReached,
    415: InvalidInput,
    422: InvalidInput,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}
