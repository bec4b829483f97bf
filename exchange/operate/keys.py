"""Keys of the ring: everything sealed anew by the active one, and what opens with none, forgotten."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from exchange.core import envelopes, events
from exchange.core.actors import SYSTEM
from exchange.core.envelopes import CannotOpen
from exchange.core.tenancy import acting_for
from submissions.endpoints.models import EndpointCredential

from .sealed import CREDENTIALS, SEALED, Sealed, shut_rows, what_keeps_it_shut
from .watch import Watch

ROWS_A_TRANSACTION = 100


@dataclass
class Resealed:
    """How many rows of one table were sealed anew, were by the active key already, and do not open."""

    name: str
    anew: int = 0
    already: int = 0
    shut: int = 0


def rotate() -> Iterator[Resealed]:
    """Seal everything by the active key. What was done stays done; processes may go on meanwhile."""
    for sealed in SEALED:
        watch, counts = Watch(sealed.name), Resealed(sealed.name)
        for ids in watch.each(_batches(sealed)):
            with acting_for(SYSTEM):
                _reseal(sealed, ids, counts)
        yield counts


def _batches(sealed: Sealed) -> Iterator[Sequence[Any]]:
    last = None
    while True:
        with acting_for(SYSTEM):
            rows = sealed.rows() if last is None else sealed.rows().filter(pk__gt=last)
            ids = list(rows.values_list("pk", flat=True)[:ROWS_A_TRANSACTION])
        if not ids:
            return
        yield ids
        last = ids[-1]


def _held(sealed: Sealed, ids: Sequence[Any]) -> QuerySet[Any]:
    """Locked first and read then: a key that somebody stores meanwhile is neither put back nor lost."""
    held = sealed.table.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk", flat=True)
    return sealed.rows().filter(pk__in=list(held))


def _reseal(sealed: Sealed, ids: Sequence[Any], counts: Resealed) -> None:
    for row in _held(sealed, ids):
        try:
            if envelopes.key_of(sealed.envelope(row)) == settings.KEYRING_ACTIVE:
                counts.already += 1
                continue
            anew = envelopes.seal(sealed.open(row), bound_to=sealed.binding_of(row))
        except CannotOpen:
            counts.shut += 1
        else:
            sealed.table.filter(pk=row.pk).update(**{sealed.column: anew})
            counts.anew += 1


def keys_in_use() -> Counter[str]:
    """Key id → how many envelopes it sealed; "" for what is no envelope."""
    with acting_for(SYSTEM):
        return Counter(_key_of(sealed, row) for sealed in SEALED for row in sealed.rows().iterator())


def _key_of(sealed: Sealed, row: Any) -> str:
    try:
        return envelopes.key_of(sealed.envelope(row))
    except CannotOpen:
        return ""


def shut_credentials() -> list[tuple[EndpointCredential, str]]:
    """Each that opens with no key of the ring, and why."""
    with acting_for(SYSTEM):
        why = dict(shut_rows(CREDENTIALS))
        rows = EndpointCredential.objects.filter(pk__in=list(why)).select_related("endpoint__organization")
        return [(row, why[row.pk]) for row in rows.order_by("endpoint__organization__slug", "endpoint__name")]


def forget_shut() -> int:
    """Delete what opens with no key of the ring, kept answers too; how many rows. The chain tells of it."""
    with acting_for(SYSTEM):
        return sum(_forget(sealed) for sealed in SEALED)


def _forget(sealed: Sealed) -> int:
    suspects = [pk for pk, _why in shut_rows(sealed)]
    gone = [row for row in _held(sealed, suspects) if what_keeps_it_shut(sealed, row)]
    if sealed is CREDENTIALS:
        for row in gone:
            owner = {"subject_id": row.endpoint_id, "organization_id": row.organization_id}
            events.publish("endpoint.key_forgotten", actor=SYSTEM, **owner)
    return sealed.table.filter(pk__in=[row.pk for row in gone]).delete()[0]
