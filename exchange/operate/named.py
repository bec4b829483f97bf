"""The objects of the evidence store that the database names. A new column that names one is a line here."""

from collections.abc import Iterator

from django.db import DEFAULT_DB_ALIAS
from django.db.models import F, Manager

from submissions.models import Evidence
from submissions.runs.models import Run

NAMED: tuple[tuple[Manager, str], ...] = (
    (Evidence.objects, "sha256"),
    (Run.objects, "bundle_sha256"),
    (Run.objects, "public_bundle_sha256"),
)


def named_digests(using: str = DEFAULT_DB_ALIAS) -> Iterator[str]:
    """The SHA-256 of each, once, in order. Inside a transaction few of them are in memory at a time."""
    first, *others = (
        rows.using(using).exclude(**{column: ""}).annotate(named=F(column)).values_list("named")
        for rows, column in NAMED
    )
    for (sha256,) in first.union(*others).order_by("named").iterator():
        yield sha256
