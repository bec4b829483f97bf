from celery import shared_task

from exchange.core import events, idempotency, liveness, throttle


@shared_task
def relay_outbox() -> None:
    """Rung by beat: delivers what was written while the broker was away."""
    events.relay()


@shared_task
def forget_old_keys() -> None:
    """Rung by beat once an hour."""
    idempotency.forget_old_keys()
    throttle.forget_old_windows()


@shared_task
def forget_silent_processes() -> None:
    """Rung by beat every ten minutes."""
    liveness.forget_silent_processes()
