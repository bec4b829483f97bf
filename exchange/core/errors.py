"""The kinds of refusal there are, and how each door says it. Apps subclass a kind."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.utils.functional import Promise

MOST_NAMED = 200
"""How many wrong fields a refusal names: whoever mends these is told of the next ones."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field. `field` is a path such as `claims[0].value`."""

    field: str
    code: str
    message: str

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


class DomainError(Exception):
    """A refusal. `code` is for programs and never changes; the message is for people."""

    code = "error"
    http, grpc, exit = 500, "INTERNAL", 1

    def __init__(
        self,
        message: str | Promise = "",
        *,
        errors: Sequence[FieldError] = (),
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(str(message) or self.__doc__)
        self.errors = list(errors[:MOST_NAMED])
        self.retry_after_seconds = retry_after_seconds


class InvalidInput(DomainError):
    """The request is not valid. Mend the fields named in `errors` and send it again."""

    code = "invalid_input"
    http, grpc, exit = 400, "INVALID_ARGUMENT", 2

    @classmethod
    def of(cls, field: str, code: str, message: str | Promise) -> "InvalidInput":
        """One field is wrong."""
        return cls(message, errors=[FieldError(field, code, str(message))])


class Unauthenticated(DomainError):
    """The credentials are missing or not valid. Log in, or send a valid API token."""

    code = "unauthenticated"
    http, grpc, exit = 401, "UNAUTHENTICATED", 3


class PermissionDenied(DomainError):
    """You may see this, but not do that to it."""

    code = "permission_denied"
    http, grpc, exit = 403, "PERMISSION_DENIED", 4


class NotFound(DomainError):
    """It does not exist, or you may not know that it does."""

    code = "not_found"
    http, grpc, exit = 404, "NOT_FOUND", 5


class Conflict(DomainError):
    """The request is fine; the present state forbids it."""

    code = "conflict"
    http, grpc, exit = 409, "FAILED_PRECONDITION", 6


class TooLarge(DomainError):
    """More bytes than are accepted here."""

    code = "too_large"
    http, grpc, exit = 413, "RESOURCE_EXHAUSTED", 7


class IdempotencyMismatch(DomainError):
    """This Idempotency-Key was used with another request. Use a new key for a new request."""

    code = "idempotency_mismatch"
    http, grpc, exit = 422, "INVALID_ARGUMENT", 2


class LimitExceeded(DomainError):
    """A quota or rate limit is used up. Wait, then try again."""

    code = "limit_exceeded"
    http, grpc, exit = 429, "RESOURCE_EXHAUSTED", 7


class Unavailable(DomainError):
    """A part of the service is not reachable at the moment. Try again later."""

    code = "unavailable"
    http, grpc, exit = 503, "UNAVAILABLE", 8


class DeadlineExceeded(DomainError):
    """This takes longer than it may, so it was given up. Ask for less at once, or with a later deadline."""

    code = "deadline_exceeded"
    http, grpc, exit = 504, "DEADLINE_EXCEEDED", 8
