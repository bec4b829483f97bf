"""One spelling for every JSON value, so that equal values have equal digests."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8, no NaN or Infinity (ValueError).

    Numbers keep Python's shortest round-trip spelling, as RFC 8785 asks for doubles in ordinary ranges.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
