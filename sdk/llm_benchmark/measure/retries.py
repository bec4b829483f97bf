"""How often and how soon a request is sent again: named policies, frozen with each run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from types import MappingProxyType

from .faults import FAULTS, RETRYABLE, ErrorType

RETRY_AFTER_CAP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Pauses before each further try, in seconds, by the kind of error. No entry: no further try."""

    name: str
    pauses: Mapping[ErrorType, Sequence[float]]

    def pause(self, code: str, attempt: int, *, retry_after: str | None, now: float) -> float | None:
        """How long to wait after the `attempt`-th try ended as `code`; None: give up.

        Args:
            retry_after: the header, seconds or an HTTP date (RFC 9110 §10.2.3); at most a minute counts.
            now: Unix time.
        """
        pauses = self.pauses.get(FAULTS[code].type, ()) if code in FAULTS else ()
        if attempt > len(pauses):
            return None
        return min(max(pauses[attempt - 1], asked_seconds(retry_after, now)), RETRY_AFTER_CAP_SECONDS)

    @property
    def most_attempts(self) -> int:
        """Of one request, the first included."""
        return 1 + max(map(len, self.pauses.values()), default=0)


def _of(name: str, pauses: Mapping[ErrorType, Sequence[float]]) -> RetryPolicy:
    return RetryPolicy(name, MappingProxyType(dict(pauses)))


_SHORT, _LONG = (1.0, 3.0), (1.0, 2.0, 5.0, 10.0)
NONE = _of("none", {})
QUESTION = _of("question-v1", dict.fromkeys(RETRYABLE, (0.25, 0.5)))
PROBE = _of(
    "probe-v1",
    {
        **dict.fromkeys((ErrorType.RATE_LIMITED, ErrorType.OVERLOADED), _LONG),
        **dict.fromkeys((ErrorType.PROVIDER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK_ERROR), _SHORT),
    },
)
POLICIES: Mapping[str, RetryPolicy] = {policy.name: policy for policy in (NONE, QUESTION, PROBE)}
"""By name, as snapshots have them. A policy never changes: a better one gets another name."""


def asked_seconds(retry_after: str | None, now: float) -> float:
    """What a Retry-After header asks for, seconds or an HTTP date (RFC 9110 §10.2.3); 0 for anything else."""
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after.strip()[:9])
    try:
        return parsedate_to_datetime(retry_after).timestamp() - now
    except (ValueError, OverflowError):
        return 0.0
