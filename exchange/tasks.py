from celery import shared_task

from exchange.core import events


@shared_task
def relay_outbox() -> None:
    """Rung by beat: delivers what was written while the broker was away."""
    events.relay()
