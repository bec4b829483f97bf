"""The platform's own sink for `tests.bench.quality`: a claimed run in a scratch database, and its ledger.

`ledger_sink.prepare()` starts PostgreSQL (fsync on), makes the tables once and queues a
run; the cold process then does what a worker does: set Django up, claim, and write under the fence.
"""

import atexit
import contextlib
import functools
import os
from pathlib import Path

STATE = Path(__file__).resolve().parents[2] / ".exchange" / "bench"
# Bytecode is kept, as an installed worker has it, also where the environment says not to write any.
BYTECODE = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(STATE / "bytecode")}
DATABASE = "bench_ledger"
MOST_QUESTIONS = 1_000_000


@contextlib.contextmanager
def ledger_sink():
    _set_up_django()
    from submissions.runs.leases import claim_next_run
    from submissions.runs.ledger import RunLedger

    _run, lease = claim_next_run(kinds=["quality"])
    yield RunLedger(lease)


def prepare():
    """Variables for the cold process: where the database is. Queues one run."""
    os.environ.update(_addresses())
    _set_up_django()
    from django.core.management import call_command
    from django.db import connection

    from submissions.runs.models import Run
    from tests.factories.runs import RunFactory

    if "runs_run" not in connection.introspection.table_names():
        call_command("migrate", verbosity=0)
    Run.objects.filter(status__in=["queued", "running"]).update(
        status="cancelled", lease_until=None, lease_owner=""
    )
    RunFactory(planned_count=MOST_QUESTIONS)
    connection.close()
    return _addresses() | BYTECODE | {"DJANGO_SETTINGS_MODULE": "exchange.settings.test"}


ledger_sink.prepare = prepare


@functools.cache
def _addresses():
    from exchange import embedded

    servers = embedded.start(STATE)
    atexit.register(servers.stop)
    found = servers.environment()
    _create_database(found["DATABASE_OWNER_URL"])
    return {**found, "DATABASE_URL": _renamed(found["DATABASE_OWNER_URL"])}


def server_pid():
    """PostgreSQL's first process."""
    import psycopg

    from tests.bench.processes import parent_of

    with psycopg.connect(_addresses()["DATABASE_OWNER_URL"]) as connection:
        return parent_of(connection.info.backend_pid)


def _renamed(url):
    return f"{url.rpartition('/')[0]}/{DATABASE}"


def _create_database(url):
    import psycopg

    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        owner.execute(f"CREATE DATABASE {DATABASE}")


def _set_up_django():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.test")
    import django

    django.setup()
