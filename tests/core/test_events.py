import pytest

from exchange.core import audit, events
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry, OutboxMessage

pytestmark = pytest.mark.django_db


class Bell:
    """A Celery task that remembers, or a broker that is away."""

    def __init__(self, *, broken=False):
        self.rung, self.broken = [], broken

    def delay(self, **kwargs):
        if self.broken:
            raise ConnectionError("no broker")
        self.rung.append(kwargs)


@pytest.fixture
def wired(monkeypatch):
    def wire(*, projections=None, reactions=None):
        monkeypatch.setattr(events, "_projections", projections or {})
        monkeypatch.setattr(events, "_reactions", reactions or {})

    return wire


class TestPublish:
    def test_runs_projections_in_the_callers_transaction(self, wired):
        seen = []
        wired(projections={"model.measured": [seen.append], "*": [seen.append]})

        event = events.publish("model.measured", actor=SYSTEM, value=0.5)

        assert seen == [event, event]

    def test_a_failing_projection_undoes_the_fact(self, wired):
        def fail(event):
            raise RuntimeError("no")

        wired(projections={"*": [audit.append], "model.measured": [fail]})

        with pytest.raises(RuntimeError):
            events.publish("model.measured", actor=SYSTEM)

        assert not AuditEntry.objects.exists()

    def test_rings_reactions_only_after_commit(self, wired, django_capture_on_commit_callbacks):
        bell = Bell()
        wired(reactions={"model.measured": [bell]})

        with django_capture_on_commit_callbacks(execute=True):
            event = events.publish("model.measured", actor=SYSTEM, value=0.5)
            assert bell.rung == []

        assert bell.rung[0]["event_id"] == str(event.id)
        assert OutboxMessage.objects.get().delivered_at is not None


class TestRelay:
    def test_keeps_what_the_broker_did_not_take_and_delivers_it_later(self, wired):
        wired(reactions={"model.measured": [Bell(broken=True)]})
        events.publish("model.measured", actor=SYSTEM)
        assert events.relay() == 0

        bell = Bell()
        wired(reactions={"model.measured": [bell]})
        assert (events.relay(), events.relay()) == (1, 0)
        assert len(bell.rung) == 1
