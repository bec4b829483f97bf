"""Facts. `exchange.wiring` says which projections and reactions follow each.

A projection runs at once, in the caller's transaction, and may only touch the database; if it fails, the fact
did not happen. A reaction is a Celery task that is rung after commit, at least once, with the event's id.
"""

import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol
from uuid import UUID

from django.db import transaction

from .actors import Actor
from .clock import DatabaseNow
from .models import OutboxMessage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """What happened. `kind` is `noun.past_participle`; `facts` is JSON without secrets."""

    kind: str
    actor: Actor
    subject_id: UUID | None = None
    organization_id: UUID | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    id: UUID = field(default_factory=uuid.uuid4)


class Task(Protocol):
    """A Celery task."""

    def delay(self, **kwargs: Any) -> Any: ...


Projection = Callable[[Event], None]
_projections: Mapping[str, Sequence[Projection]] = {}
_reactions: Mapping[str, Sequence[Task]] = {}
_EVERY = "*"


def connect(
    *, projections: Mapping[str, Sequence[Projection]], reactions: Mapping[str, Sequence[Task]]
) -> None:
    """Called once, by the exchange app, with the tables of `wiring.py`. `*` follows every event."""
    global _projections, _reactions
    _projections, _reactions = projections, reactions


def publish(
    kind: str,
    *,
    actor: Actor,
    subject_id: UUID | None = None,
    organization_id: UUID | None = None,
    **facts: Any,
) -> Event:
    """Record a fact in the current transaction, with all that follows from it."""
    event = Event(kind, actor, subject_id, organization_id, facts)
    for projection in (*_projections.get(kind, ()), *_projections.get(_EVERY, ())):
        projection(event)
    if kind in _reactions:
        message = OutboxMessage.objects.create(event_id=event.id, kind=kind, facts=_plain(event))
        transaction.on_commit(partial(relay, message_id=message.pk), robust=True)
    return event


def relay(*, message_id: int | None = None, limit: int = 100) -> int:
    """Ring the reactions of what waits in the outbox; how many were delivered.

    Without `message_id`, the oldest `limit`. A ring that fails leaves its message for the next call.
    """
    with transaction.atomic():
        waiting = OutboxMessage.objects.filter(delivered_at__isnull=True).order_by("id")
        if message_id is not None:
            waiting = waiting.filter(pk=message_id)
        messages = list(waiting.select_for_update(skip_locked=True)[:limit])
        delivered = [message.pk for message in messages if _ring(message)]
        OutboxMessage.objects.filter(pk__in=delivered).update(delivered_at=DatabaseNow())
    return len(delivered)


def _ring(message: OutboxMessage) -> bool:
    try:
        for task in _reactions.get(message.kind, ()):
            task.delay(event_id=str(message.event_id), facts=message.facts)
    except Exception:  # noqa: BLE001  a broker that is away must not fail the caller
        log.warning("the outbox could not be relayed; it will be tried again")
        return False
    return True


def _plain(event: Event) -> dict[str, Any]:
    return {**event.facts, "subject_id": str(event.subject_id) if event.subject_id else None}
