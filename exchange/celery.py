"""The doorbell. Tasks say "look for work"; PostgreSQL says what the work is."""

import os
import signal
import warnings
from typing import NoReturn

from celery import Celery, signals
from celery.exceptions import WorkerTerminate
from celery.platforms import EX_FAILURE, SecurityWarning

from exchange.core import requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
# Celery tells root that messages may bring code along. Ours are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)
app = Celery("exchange")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.task_prerun.connect
def name_task(**_signal: object) -> None:
    """What a task writes to the log has an id in common."""
    requests.begin_request()


@signals.celeryd_after_setup.connect
def begin_worker(sender: str, **_signal: object) -> None:
    """`sender` is `worker@host` or `measure@host`. What Celery would print beside the log is left out."""
    from celery.apps import worker  # noqa: PLC0415  other processes do not need it

    from exchange.core import liveness  # noqa: PLC0415  models are there only now

    worker.safe_say = lambda *_words: None

    liveness.begin(sender.partition("@")[0])


@signals.worker_shutting_down.connect
def stop_soon(**_signal: object) -> None:
    """SIGTERM: what measures hands over. It does so in the thread that hears this: the second one ends it."""
    from exchange.core import stopping  # noqa: PLC0415  (as above)

    if stopping.asked.is_set():
        stop_now()
    stopping.asked.set()


@signals.worker_ready.connect
def hear_quit(**_signal: object) -> None:
    """Celery's own way to stop at once asks the pool to end a task, which the solo pool cannot."""
    signal.signal(signal.SIGQUIT, stop_now)


def stop_now(*_signal: object) -> NoReturn:
    raise WorkerTerminate(EX_FAILURE)


@signals.beat_init.connect
def begin_beat(**_signal: object) -> None:
    from exchange.core import liveness  # noqa: PLC0415  (as above)

    liveness.begin("beat")
    signals.after_task_publish.connect(note_ring)


def note_ring(**_signal: object) -> None:
    from exchange.core import liveness  # noqa: PLC0415  (as above)

    liveness.progressed(liveness.Activity.RING)
