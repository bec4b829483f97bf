"""The append-only chain of facts: each entry names the digest of the one before it."""

import hashlib
import json
from collections.abc import Iterable

from django.db import connection

from . import clock
from .events import Event
from .models import AuditEntry

FIRST = "0" * 64
# Two statements in one go: whoever holds the lock keeps every other writer waiting. The second has a snapshot
# of its own, so it sees what the holder before has written.
_LOCK_AND_READ = """
SELECT pg_advisory_xact_lock(7310001);
SELECT sequence, digest, clock_timestamp() FROM core_auditentry ORDER BY sequence DESC LIMIT 1;
"""


def append(event: Event) -> None:
    """A projection of every event. Entries are numbered without gaps, so one writer at a time."""
    facts = json.loads(json.dumps(event.facts, default=str), parse_float=_number)
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_AND_READ)
        cursor.nextset()
        sequence, digest, now = cursor.fetchone() or (0, FIRST, clock.now())
    entry = AuditEntry(
        sequence=sequence + 1,
        event_id=event.id,
        kind=event.kind,
        actor_id=event.actor.user_id,
        organization_id=event.organization_id,
        subject_id=event.subject_id,
        facts=facts,
        occurred_at=now,
        previous_digest=digest,
    )
    entry.digest = digest_of(entry)
    entry.save(force_insert=True)


def _number(text: str) -> int | float:
    """As jsonb gives it back: 1e22 and -0.0 return as whole numbers, and the digest is over what returns."""
    value = float(text)
    return int(value) if value.is_integer() else value


def digest_of(entry: AuditEntry) -> str:
    """SHA-256 over the canonical JSON of everything in the entry but the digest itself."""
    fields = {
        "sequence": entry.sequence,
        "event_id": str(entry.event_id),
        "kind": entry.kind,
        "actor_id": str(entry.actor_id or ""),
        "organization_id": str(entry.organization_id or ""),
        "subject_id": str(entry.subject_id or ""),
        "facts": entry.facts,
        "occurred_at": entry.occurred_at.isoformat(),
        "previous_digest": entry.previous_digest,
    }
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def first_broken(entries: Iterable[AuditEntry]) -> AuditEntry | None:
    """The first entry, in order from number 1, that does not follow from the one before it."""
    previous, sequence = FIRST, 1
    for entry in entries:
        whole = entry.sequence == sequence and entry.previous_digest == previous
        if not whole or entry.digest != digest_of(entry):
            return entry
        previous, sequence = entry.digest, sequence + 1
    return None
