"""Same key and same request: same answer. Same key and another request: a refusal."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now
from django.utils.translation import gettext as _

from . import envelopes
from .actors import Actor
from .errors import IdempotencyMismatch, InvalidInput
from .models import IdempotencyRecord

_LONGEST_KEY = 255
KEPT = timedelta(days=7)
"""How long a key is known: nobody goes on trying for longer, and the table must not grow without end."""


def once(*, actor: Actor, key: str, request: bytes, act: Callable[[], Any]) -> Any:
    """`act()`'s answer (JSON), or the one it gave to the same request before.

    Runs inside the caller's transaction: a refused request leaves no record, and of two at the same time the
    second waits for the first.
    """
    if not key.isascii() or not key.isprintable() or not 0 < len(key) <= _LONGEST_KEY:
        raise InvalidInput.of("Idempotency-Key", "invalid_key", _("Use 1 to 255 printable ASCII characters."))
    if actor.user_id is None:
        return act()
    digest, request_digest = _sha256(key.encode()), _sha256(request)
    row = {"actor_id": actor.user_id, "key_digest": digest}
    IdempotencyRecord.objects.bulk_create(
        [IdempotencyRecord(**row, request_digest=request_digest)], ignore_conflicts=True
    )
    record = IdempotencyRecord.objects.select_for_update().get(**row)
    if record.request_digest != request_digest:
        raise IdempotencyMismatch
    bound_to = binding_of(record)
    if record.answer is not None:
        return json.loads(envelopes.open_sealed(bytes(record.answer), bound_to=bound_to))
    answer = act()
    record.answer = envelopes.seal(json.dumps(answer).encode(), bound_to=bound_to)
    record.save(update_fields=["answer"])
    return answer


def binding_of(record: IdempotencyRecord) -> str:
    """What the answer's envelope is bound to."""
    return f"idempotency|{record.actor_id}|{record.key_digest}"


def forget_old_keys() -> int:
    """Forget the answers of keys that are older than `KEPT`; how many there were."""
    forgotten, _of_each = IdempotencyRecord.objects.filter(created_at__lt=Now() - KEPT).delete()
    return forgotten


def refuse_key(key: str | None) -> None:
    """For actions that commit on their way, so that no key could make them happen once."""
    if key is not None:
        text = _("This action cannot be repeated by a key. Send it without one.")
        raise InvalidInput.of("Idempotency-Key", "not_taken_here", text)


def _sha256(value: bytes) -> str:
    return hashlib.sha256(value).hexdigest()
