"""The audit chain, and the facts that still have to be told."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Max

from exchange.core import audit, clock
from exchange.core.models import AuditEntry, OutboxMessage
from exchange.operate.watch import Watch

LONGEST_WAIT = timedelta(minutes=10)


def newest_fact() -> datetime:
    """By this moment things are late or not, so that a copy is judged as what it was copied from."""
    newest: datetime | None = AuditEntry.objects.aggregate(at=Max("occurred_at"))["at"]
    return newest or clock.now()


def unbroken(watch: Watch) -> Iterator[str]:
    broken = audit.first_broken(watch.each(AuditEntry.objects.order_by("sequence").iterator()))
    if broken is not None:
        yield f"the entry {broken.sequence} ({broken.kind}) does not follow from the one before it"


def delivered(watch: Watch) -> Iterator[str]:
    late = newest_fact() - LONGEST_WAIT
    for message in watch.each(OutboxMessage.objects.filter(delivered_at=None).order_by("id").iterator()):
        if message.created_at < late:
            yield f"{message.kind} of {message.created_at:%Y-%m-%d %H:%M} was never delivered"
