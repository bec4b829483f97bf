"""Everything that is sealed by a key of the ring. A new table with envelopes is a line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Manager, QuerySet

from exchange.core import envelopes, idempotency
from exchange.core.envelopes import CannotOpen
from exchange.core.models import IdempotencyRecord
from submissions.endpoints import credentials
from submissions.endpoints.models import EndpointCredential


@dataclass(frozen=True, slots=True)
class Sealed:
    """`binding_of(row)` is what an envelope of this table is bound to; `related` is what that reads."""

    name: str
    table: Manager[Any]
    column: str
    binding_of: Callable[[Any], str]
    related: tuple[str, ...] = ()

    def rows(self) -> QuerySet[Any]:
        return self.table.exclude(**{self.column: None}).select_related(*self.related).order_by("pk")

    def envelope(self, row: Any) -> bytes:
        return bytes(getattr(row, self.column))

    def open(self, row: Any) -> bytes:
        """The secret. Raises CannotOpen."""
        return envelopes.open_sealed(self.envelope(row), bound_to=self.binding_of(row))


CREDENTIALS = Sealed(
    "key of an endpoint",
    EndpointCredential.objects,
    "sealed_key",
    credentials.binding_of,
    ("endpoint",),
)
SEALED = (
    CREDENTIALS,
    Sealed("kept answer", IdempotencyRecord.objects, "answer", idempotency.binding_of),
)


def what_keeps_it_shut(sealed: Sealed, row: Any) -> str:
    """In words; "" when it opens."""
    try:
        key_id = envelopes.key_of(sealed.envelope(row))
        if key_id not in settings.KEYRING:
            return f"is sealed by the key {key_id}, which is not in the ring"
        sealed.open(row)
    except CannotOpen:
        return "does not open: it was altered, or belongs to another row"
    return ""


def shut_rows(sealed: Sealed) -> Iterator[tuple[UUID | int, str]]:
    """(id, why) of each row that does not open. Call it as the system, inside a transaction."""
    for row in sealed.rows().iterator():
        if why := what_keeps_it_shut(sealed, row):
            yield row.pk, why
