"""One spelling for every JSON value, so that equal values have equal digests."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8, no NaN or Infinity (ValueError).

    Numbers keep Python's shortest round-trip spelling, as RFC 8785 asks for doubles in ordinary ranges.
    """
    return _ENCODER.encode(value).encode()


def canonical_parts(value: Any) -> Iterator[bytes]:
    """The same bytes part by part, slower, and without a second copy of what is large in it."""
    return (part.encode() for part in _ENCODER.iterencode(value))


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
