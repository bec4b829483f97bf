"""Whatever is sealed opens with the ring at hand. Nothing of it is shown."""

from collections.abc import Iterator

from exchange.operate.sealed import SEALED, what_keeps_it_shut
from exchange.operate.watch import Watch


def sealed(watch: Watch) -> Iterator[str]:
    for kind in SEALED:
        for row in watch.each(kind.rows().iterator()):
            if why := what_keeps_it_shut(kind, row):
                yield f"the {kind.name} {row.pk} {why}"
