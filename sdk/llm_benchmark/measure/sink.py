"""Where a run writes what it does, before and after it does it.

The engine calls a sink only from the thread that called `run_quality` or `run_performance`, so a sink may
hold a database connection. The server's sink is PostgreSQL with a fence; at home it is JSON lines with fsync.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from .plans import Answer, Usage


class Purpose(StrEnum):
    CANARY = "canary"
    WARMUP = "warmup"
    QUESTION = "question"
    REQUEST = "request"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Reservation:
    """An HTTP request that may be sent. `number` counts the attempts of one `key` from 1."""

    purpose: Purpose
    key: str
    number: int


class SettledAs(StrEnum):
    SETTLED = "settled"  # an answer or an error came back
    LOST = "lost"  # sent, and nobody knows what the provider made of it
    RELEASED = "released"  # never sent


@dataclass(frozen=True, slots=True)
class Settlement:
    """How an attempt ended. `answer` is set on a question's last attempt."""

    attempt_id: int
    state: SettledAs
    http_status: int | None = None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)
    answer: Answer | None = None


class Stop(Exception):
    """Raised by a sink whose run now belongs to somebody else: stop at once and write nothing more."""


class Sink(Protocol):
    def reserve(self, batch: Sequence[Reservation]) -> Sequence[int]:
        """Store the reservations before any is sent; their ids, in order."""

    def sent(self, attempt_ids: Sequence[int]) -> None:
        """Store that these are about to be sent."""

    def settled(self, batch: Sequence[Settlement]) -> None:
        """Store how these ended, in one commit."""

    def heartbeat(self) -> bool:
        """Prolong the lease. False: stop (cancelled, or the run belongs to another worker)."""
