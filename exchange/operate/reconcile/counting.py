"""Runs the checks, each on one snapshot of the database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from exchange.operate.watch import Watch

from .checks import CHECKS, Check

MOST_NAMED = 100


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check came to. Of many differences the first hundred are named."""

    title: str
    looked_at: int
    differences: int
    named: Sequence[str] = field(default_factory=tuple)
    remarks: Sequence[str] = field(default_factory=tuple)


def reconcile(*, skip_bytes: bool = False) -> Iterator[Finding]:
    """One finding after the other, as each check ends."""
    for check in CHECKS:
        if not (skip_bytes and check.reads_bytes):
            with _snapshot():
                yield found_by(check)


def found_by(check: Check) -> Finding:
    """Call it as the system, inside a transaction."""
    watch, count, named = Watch(check.title), 0, []
    for difference in check.find(watch):
        count += 1
        if count <= MOST_NAMED:
            named.append(difference)
    return Finding(check.title, watch.looked_at, count, named, watch.remarks)


@contextmanager
def _snapshot() -> Iterator[None]:
    """All that a check reads is of one moment, so that a site at work has no differences."""
    is_outer = not connection.in_atomic_block
    with transaction.atomic():
        if is_outer:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with acting_for(SYSTEM):
            yield
