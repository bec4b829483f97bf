"""The evidence store, held against what the database names."""

from collections.abc import Iterator

from exchange.operate.named import named_digests
from exchange.operate.watch import Watch
from exchange.storage import EvidenceDamaged, EvidenceMissing, get_store
from submissions.models import Evidence
from submissions.runs.models import Run

Sized = Iterator[tuple[str, int | None]]


def sizes(watch: Watch) -> Iterator[str]:
    store = get_store()
    for sha256, size in watch.each(_sizes()):
        try:
            found = store.size(sha256)
        except EvidenceMissing:
            yield f"{sha256} is not in the store"
            continue
        if size not in (None, found):
            yield f"{sha256} has {found} bytes in the store and {size} in the database"


def _sizes() -> Sized:
    yield from Evidence.objects.order_by("pk").values_list("sha256", "size_bytes").iterator()
    runs = Run.objects.order_by("pk")
    whole = runs.exclude(bundle_sha256="")
    yield from whole.values_list("bundle_sha256", "bundle_size_bytes").iterator()
    public = runs.exclude(public_bundle_sha256="")
    for sha256 in public.values_list("public_bundle_sha256", flat=True).iterator():
        yield sha256, None


def contents(watch: Watch) -> Iterator[str]:
    """Every object read and hashed. What is missing, its size has told already."""
    store = get_store()
    for sha256 in watch.each(named_digests()):
        try:
            store.open(sha256).close()
        except EvidenceDamaged:
            yield f"{sha256} is damaged: its bytes have another digest"
        except EvidenceMissing:
            continue


def orphans(watch: Watch) -> Iterator[str]:
    """No difference: an object is stored before what names it, which then may be refused."""
    named = {bytes.fromhex(sha256) for sha256 in named_digests()}  # 65 bytes for each
    unnamed = sum(bytes.fromhex(sha256) not in named for sha256 in watch.each(get_store().digests()))
    if unnamed:
        watch.remarks.append(f"{unnamed} objects of the store are named by nothing; they do no harm")
    yield from ()
