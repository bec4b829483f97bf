"""What an evidence file must be: its name, its kind, and AIPerf exports that agree with each other."""

import json
import re
import unicodedata
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from django.conf import settings
from django.utils.translation import gettext as _

from exchange.core.errors import InvalidInput
from exchange.storage import EvidenceTooLarge
from exchange.storage.media import HEAD_BYTES, media_type_of
from llm_benchmark.measure.bundle import manifest_at_head
from llm_benchmark.measure.statistics import percentile

from .errors import NOT_THE_FULL_SET

SUMMARY, RECORDS = "profile_export_aiperf.json", "profile_export.jsonl"
SERIES = ("time_to_first_token", "request_latency", "inter_token_latency", "output_sequence_length")
TOLERANCE = 1e-6
LARGEST_PIECE = 16 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()+-]{0,199}", re.ASCII)
_MIB = 1024 * 1024
_QUANTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}


def largest_bytes() -> int:
    """The most bytes of one file."""
    return int(getattr(settings, "EVIDENCE_LARGEST_BYTES", 100 * _MIB))


def most_files() -> int:
    """The most files of one submission."""
    return int(getattr(settings, "EVIDENCE_MOST_FILES", 20))


def check_name(name: str) -> None:
    """Refuse paths, and names that could be read as something else somewhere."""
    is_plain = _NAME.fullmatch(name) and unicodedata.is_normalized("NFC", name)
    if not is_plain or ".." in name or name.endswith((".", " ")):
        message = _(
            "Use a file name of 1 to 200 ASCII letters, digits, spaces and ._()+- that begins with a letter "
            "or a digit, without folders."
        )
        raise InvalidInput.of("name", "invalid_name", message)


def media_type(file: BinaryIO) -> str:
    """What the file is, by its content. The file is left at its beginning."""
    head = file.read(HEAD_BYTES)
    is_whole = len(head) < HEAD_BYTES
    file.seek(0)
    found = media_type_of(head, is_whole=is_whole)
    if found is None:
        message = _("By its content this is none of: JSON, JSON lines, CSV, plain text (UTF-8), zip, gzip.")
        raise InvalidInput.of("file", "unsupported_media_type", message)
    return found


def check_size(size: int) -> None:
    limit = largest_bytes()
    if size > limit:
        message = _("This file has %(size)d bytes; the most is %(limit)d.")
        raise EvidenceTooLarge(message % {"size": size, "limit": limit})


def check_full_set(file: BinaryIO) -> None:
    """Refuse a bundle that says it is of a part of the cases. The file is left at its beginning."""
    snapshot = (manifest_at_head(file) or {}).get("snapshot")
    file.seek(0)
    if isinstance(snapshot, dict) and snapshot.get("is_full_set") is False:
        message = _("This run asked only a part of the cases. Measure without a limit to claim something.")
        raise InvalidInput.of("file", NOT_THE_FULL_SET, message)


def check_aiperf_pair(summary: BinaryIO, records: BinaryIO) -> None:
    """Refuse AIPerf's summary when its own per-request records do not bear it out.

    The records are read line by line; of each only its few numbers are kept.
    """
    try:
        stated = json.loads(_piece(summary.read(LARGEST_PIECE + 1)))
        found = list(_disagreements(stated, _series(records)))
    except (ValueError, TypeError, AttributeError, KeyError, ArithmeticError, RecursionError) as error:
        message = _("These are not AIPerf's exports: %s.") % type(error).__name__
        raise InvalidInput.of("file", "evidence_inconsistent", message) from error
    if found:
        message = _("%(summary)s says %(wrong)s, which %(records)s does not bear out.")
        values = {"summary": SUMMARY, "records": RECORDS, "wrong": "; ".join(found[:5])}
        raise InvalidInput.of("file", "evidence_inconsistent", message % values)


def _piece(content: bytes) -> bytes:
    """Refuse what would have to be held in memory and is larger than any export of AIPerf."""
    if len(content) > LARGEST_PIECE:
        message = _("An AIPerf summary, or one line of its records, has at most %d bytes.") % LARGEST_PIECE
        raise InvalidInput.of("file", "too_large_to_check", message)
    return content


def _series(records: BinaryIO) -> dict[str, Sequence[float]]:
    """The values of each series, of the requests that count."""
    found: dict[str, array[float]] = {name: array("d") for name in SERIES}
    while line := _piece(records.readline(LARGEST_PIECE + 1)):
        record = json.loads(line) if line.strip() else None
        if record is None or not _counts(record):
            continue
        for name, values in found.items():
            value = _value_of(record, name)
            if value is not None:
                values.append(value)
    return dict(found)


def _disagreements(stated: Mapping[str, Any], series: Mapping[str, Sequence[float]]) -> Iterator[str]:
    for name, values in series.items():
        claims = stated.get(name)
        if claims is not None:
            yield from _differing(name, claims, values)


def _counts(line: Mapping[str, Any]) -> bool:
    """A successful request after the warm-up."""
    phase = (line.get("metadata") or {}).get("benchmark_phase", "profiling")
    return phase == "profiling" and not line.get("error")


def _value_of(line: Mapping[str, Any], name: str) -> float | None:
    value = ((line.get("metrics") or {}).get(name) or {}).get("value")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _differing(name: str, claims: Mapping[str, Any], values: Sequence[float]) -> Iterator[str]:
    """Only what is stated is compared: an older AIPerf states fewer statistics."""
    if not values:
        yield f"{name} without records"
    for key, computed in _statistics(values).items():
        claimed = claims.get(key, computed)
        is_number = isinstance(claimed, int | float) and not isinstance(claimed, bool)
        if not (is_number and abs(claimed - computed) <= TOLERANCE * max(abs(computed), 1e-3)):
            yield f"{name}.{key} = {claimed}"


def _statistics(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    found = {name: percentile(values, q) for name, q in _QUANTILES.items()}
    return {"avg": sum(values) / len(values), "min": min(values), "max": max(values), **found}
