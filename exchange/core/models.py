"""What every table shares, and the kernel's own tables."""

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from .errors import Conflict


class BaseModel(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class IllegalTransition(Conflict):
    """It is not in a state that allows this."""

    code = "illegal_transition"


class StatefulModel(BaseModel):
    """A model whose `status` moves only along TRANSITIONS, and only through `move_to`."""

    TRANSITIONS: ClassVar[Mapping[str, set[str]]]
    objects: ClassVar[models.Manager[Any]]
    status = models.CharField(max_length=20)

    class Meta:
        abstract = True

    def move_to(self, status: str, **changes: Any) -> None:
        """Go to `status` and store `changes` with it, or raise IllegalTransition.

        The row moves only if nobody moved it since it was read.
        """
        if status not in self.TRANSITIONS.get(self.status, ()):
            raise IllegalTransition(
                _("It is %(current)s and cannot become %(wanted)s.")
                % {"current": self.status, "wanted": status}
            )
        changes |= {"status": status}
        rows = type(self).objects.filter(pk=self.pk, status=self.status)
        if not rows.update(**changes, updated_at=Now()):
            raise IllegalTransition(_("It was changed meanwhile. Reload it and try again."))
        for name, value in changes.items():
            setattr(self, name, value)


class OutboxMessage(models.Model):
    """A fact that reactions still have to hear of. Written with the fact, in its transaction."""

    event_id = models.UUIDField(unique=True)
    kind = models.CharField(max_length=100)
    facts = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["id"], name="outbox_waiting", condition=models.Q(delivered_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id}"


class AuditEntry(models.Model):
    """One fact in the append-only chain. The database refuses to change or delete it."""

    sequence = models.BigIntegerField(primary_key=True)
    event_id = models.UUIDField(unique=True)
    kind = models.CharField(max_length=100)
    actor_id = models.UUIDField(null=True)
    organization_id = models.UUIDField(null=True, db_index=True)
    subject_id = models.UUIDField(null=True, db_index=True)
    facts = models.JSONField()
    occurred_at = models.DateTimeField()
    previous_digest = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.sequence} {self.kind}"


class IdempotencyRecord(models.Model):
    """The answer given to a write that carried an Idempotency-Key; sealed, since it may hold a secret."""

    actor_id = models.UUIDField()
    key_digest = models.CharField(max_length=64)
    request_digest = models.CharField(max_length=64)
    answer = models.BinaryField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["actor_id", "key_digest"], name="one_answer_per_idempotency_key")
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotency_age")]

    def __str__(self) -> str:
        return self.key_digest


class AttemptWindow(models.Model):
    """How often something was tried in one window of time. Counted by the database, so it cannot race."""

    key_digest = models.CharField(max_length=64, primary_key=True)
    started_at = models.DateTimeField()
    count = models.IntegerField()

    def __str__(self) -> str:
        return self.key_digest


class WorkerProcess(models.Model):
    """What a worker or beat did last. `exchange.core.liveness` moves it with real progress alone."""

    kind = models.CharField(max_length=20)
    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    last_progress_at = models.DateTimeField()
    activity = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "host", "pid"], name="one_row_per_worker_process")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pid} on {self.host}"
