"""The append-only chain of facts: each entry names the digest of the one before it."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from django.db import connection

from . import clock
from .events import Event
from .models import AuditEntry

FIRST = "0" * 64
# In one go: whoever holds the lock keeps every other writer waiting. The second statement has a snapshot of
# its own, so it sees what the holder before has written.
_APPEND = """
SELECT pg_advisory_xact_lock(7310001);
INSERT INTO core_auditentry (sequence, event_id, kind, actor_id, organization_id, subject_id, facts,
                             occurred_at, previous_digest, digest)
SELECT number, %(event_id)s, %(kind)s, %(actor_id)s, %(organization_id)s, %(subject_id)s, %(facts)s::jsonb,
       %(occurred_at)s, previous,
       encode(sha256(convert_to(
         %(head)s || previous || '","sequence":' || number || %(tail)s, 'UTF8')), 'hex')
FROM (SELECT COALESCE(sequence, 0) + 1 AS number, COALESCE(digest, %(first)s) AS previous
      FROM (VALUES (1)) AS one LEFT JOIN
           (SELECT sequence, digest FROM core_auditentry ORDER BY sequence DESC LIMIT 1) AS newest ON TRUE
     ) AS place
"""


def append(event: Event) -> None:
    """A projection of every event. Entries are numbered without gaps, so one writer at a time."""
    entry = AuditEntry(
        event_id=event.id,
        kind=event.kind,
        actor_id=event.actor.user_id,
        organization_id=event.organization_id,
        subject_id=event.subject_id,
        facts=json.loads(json.dumps(event.facts, default=str), parse_float=_number),
        occurred_at=clock.now(),
    )
    names = ("event_id", "kind", "actor_id", "organization_id", "subject_id", "occurred_at")
    values = {name: getattr(entry, name) for name in names}
    head, tail = _around_the_place(entry)
    values |= {"facts": json.dumps(entry.facts), "first": FIRST, "head": head, "tail": tail}
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, values)


def _around_the_place(entry: AuditEntry) -> tuple[str, str]:
    """What the digest is over, before and after the two values that PostgreSQL puts in."""
    text = _text({**_fields(entry), "previous_digest": "", "sequence": 0})
    before, _middle, after = text.rpartition('","sequence":0')
    return before, after


def _number(text: str) -> int | float:
    """As jsonb gives it back: 1e22 and -0.0 return as whole numbers, and the digest is over what returns."""
    value = float(text)
    return int(value) if value.is_integer() else value


def digest_of(entry: AuditEntry) -> str:
    """SHA-256 over the canonical JSON of everything in the entry but the digest itself."""
    place = {"sequence": entry.sequence, "previous_digest": entry.previous_digest}
    return hashlib.sha256(_text({**_fields(entry), **place}).encode()).hexdigest()


def _fields(entry: AuditEntry) -> dict[str, Any]:
    return {
        "event_id": str(entry.event_id),
        "kind": entry.kind,
        "actor_id": str(entry.actor_id or ""),
        "organization_id": str(entry.organization_id or ""),
        "subject_id": str(entry.subject_id or ""),
        "facts": entry.facts,
        "occurred_at": entry.occurred_at.isoformat(),
    }


def _text(fields: dict[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def first_broken(entries: Iterable[AuditEntry]) -> AuditEntry | None:
    """The first entry, in order from number 1, that does not follow from the one before it."""
    previous, sequence = FIRST, 1
    for entry in entries:
        whole = entry.sequence == sequence and entry.previous_digest == previous
        if not whole or entry.digest != digest_of(entry):
            return entry
        previous, sequence = entry.digest, sequence + 1
    return None
