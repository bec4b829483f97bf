"""The doorbell. Tasks say "look for work"; PostgreSQL says what the work is."""

import os

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
app = Celery("exchange")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.celeryd_after_setup.connect
def begin_worker(sender: str, **_signal: object) -> None:
    """`sender` is `worker@host` or `measure@host`."""
    from exchange.core import liveness  # noqa: PLC0415  models are there only now

    liveness.begin(sender.partition("@")[0])


@signals.beat_init.connect
def begin_beat(**_signal: object) -> None:
    from exchange.core import liveness  # noqa: PLC0415  (as above)

    liveness.begin("beat")
    signals.after_task_publish.connect(note_ring)


def note_ring(**_signal: object) -> None:
    from exchange.core import liveness  # noqa: PLC0415  (as above)

    liveness.progressed(liveness.Activity.RING)
