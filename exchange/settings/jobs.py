"""Celery: which queue takes what, and what beat rings. Jobs themselves are rows of the database."""

import ssl

CELERY_TASK_DEFAULT_QUEUE = "default"
# Short tasks go to whichever worker is free: a long measurement keeps no vote open and no mail back.
SHORT_TASKS = (
    "exchange.accounts.tasks.send_letters",
    "exchange.tasks.forget_old_keys",
    "exchange.tasks.forget_silent_processes",
    "exchange.tasks.relay_outbox",
    "governance.tasks.finalise_proposals",
    "submissions.runs.tasks.reap_runs",
    "submissions.tasks.forget_uploads",
)
CELERY_TASK_ROUTES = {
    "submissions.runs.tasks.look_for_performance_runs": {"queue": "performance"},
    **{name: {"queue": "short"} for name in SHORT_TASKS},
}
CELERY_BEAT_SCHEDULE = {
    "send letters": {"task": "exchange.accounts.tasks.send_letters", "schedule": 5.0},
    "forget old keys": {"task": "exchange.tasks.forget_old_keys", "schedule": 3600.0},
    "forget silent processes": {"task": "exchange.tasks.forget_silent_processes", "schedule": 600.0},
    "forget uploads": {"task": "submissions.tasks.forget_uploads", "schedule": 3600.0},
    "relay the outbox": {"task": "exchange.tasks.relay_outbox", "schedule": 5.0},
    "look for quality runs": {"task": "submissions.runs.tasks.look_for_quality_runs", "schedule": 5.0},
    "look for performance runs": {
        "task": "submissions.runs.tasks.look_for_performance_runs",
        "schedule": 5.0,
    },
    "move proposals on": {"task": "governance.tasks.finalise_proposals", "schedule": 5.0},
    "requeue abandoned runs": {"task": "submissions.runs.tasks.reap_runs", "schedule": 5.0},
}


def broker(url: str) -> dict[str, object]:
    """Celery as a doorbell: no results, no late acknowledgement, quick to give up when Redis is away."""
    # Celery alone would take any certificate; redis-py, which asks the same server elsewhere, does not.
    tls = {"CELERY_BROKER_USE_SSL": {"ssl_cert_reqs": ssl.CERT_REQUIRED}} if url.startswith("rediss:") else {}
    return {
        **tls,
        "CELERY_BROKER_URL": url,
        "CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP": True,
        "CELERY_BROKER_TRANSPORT_OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 5},
        "CELERY_TASK_PUBLISH_RETRY": False,
        "CELERY_TASK_IGNORE_RESULT": True,
        "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
        "CELERY_TIMEZONE": "UTC",
        "CELERY_WORKER_HIJACK_ROOT_LOGGER": False,
    }
