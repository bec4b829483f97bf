"""Workers leave a row that moves with real progress, and probes read it."""

import os
import re
import socket
import subprocess
import sys
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection

from exchange import alive, celery
from exchange.core import clock, liveness
from exchange.core.liveness import Activity
from exchange.core.models import WorkerProcess
from submissions.runs import leases

pytestmark = pytest.mark.django_db
HERE = socket.gethostname()[:100]


@pytest.fixture(autouse=True)
def nobody(monkeypatch):
    """This process is no worker before the test and after it, and leaves no handler."""
    monkeypatch.setattr(liveness, "_process", liveness._Process())
    monkeypatch.setattr("atexit.register", lambda _call: None)
    monkeypatch.setattr(liveness, "_BETWEEN_WRITES_SECONDS", 0)


def row(**values):
    now = clock.now()
    usual = {"kind": "worker", "host": HERE, "pid": os.getpid(), "started_at": now, "activity": "scan"}
    return WorkerProcess.objects.create(**{"last_progress_at": now, **usual, **values})


def ago(seconds):
    return clock.now() - timedelta(seconds=seconds)


class TestProgress:
    def test_of_a_process_that_is_no_worker_leaves_no_row(self):
        liveness.progressed(Activity.SCAN)
        assert not WorkerProcess.objects.exists()

    def test_moves_one_row(self):
        liveness.begin("measure")
        liveness.progressed(Activity.CLAIM)
        first = WorkerProcess.objects.get()
        liveness.progressed(Activity.HEARTBEAT)

        row = WorkerProcess.objects.get()
        assert (row.kind, row.host, row.pid, row.activity) == ("measure", HERE, os.getpid(), "heartbeat")
        assert row.started_at == first.started_at <= first.last_progress_at < row.last_progress_at

    def test_is_written_at_most_once_a_second(self, monkeypatch, django_assert_num_queries):
        monkeypatch.setattr(liveness, "_BETWEEN_WRITES_SECONDS", 1000)
        liveness.begin("worker")
        liveness.progressed(Activity.SCAN)

        with django_assert_num_queries(0):
            liveness.progressed(Activity.PROGRESS)

    def test_of_one_that_was_killed_is_forgotten_with_the_first_of_the_next(self):
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        kept = row(pid=os.getppid()), row(host="elsewhere", pid=ended.pid), row(kind="beat", pid=ended.pid)
        row(pid=ended.pid)
        row(started_at=ago(60), last_progress_at=ago(60))
        liveness.begin("worker")
        liveness.progressed(Activity.SCAN)

        rest = WorkerProcess.objects.exclude(pk__in=[one.pk for one in kept])
        assert [(one.pid, one.started_at > ago(30)) for one in rest] == [(os.getpid(), True)]
        assert WorkerProcess.objects.count() == 4

    def test_ends_with_its_process(self):
        liveness.begin("worker")
        liveness.progressed(Activity.SCAN)
        kept = row(kind="measure")
        liveness.end()
        liveness.progressed(Activity.SCAN)
        assert list(WorkerProcess.objects.all()) == [kept]

    def test_that_nobody_makes_is_forgotten_after_an_hour(self):
        row(pid=1, last_progress_at=ago(liveness.FORGET_AFTER_SECONDS + 10))
        kept = row(pid=2, last_progress_at=ago(liveness.FORGET_AFTER_SECONDS - 60))

        assert liveness.forget_silent_processes() == 1
        assert WorkerProcess.objects.get() == kept

    @pytest.mark.django_db(transaction=True)
    def test_that_cannot_be_written_stops_no_work(self, monkeypatch):
        liveness.begin("worker")
        monkeypatch.setattr(liveness, "_PROGRESS", "SELECT 1/0 AS progress -- %(kind)s")
        liveness.progressed(Activity.SCAN)
        monkeypatch.undo()
        assert not WorkerProcess.objects.exists()


class TestRealProgress:
    def activity(self):
        return WorkerProcess.objects.get().activity

    def test_is_a_look_for_work_that_reached_the_database(self):
        liveness.begin("worker")
        assert leases.claim_next_run(kinds=["quality"]) is None
        assert self.activity() == "scan"

    def test_is_no_look_that_failed(self, monkeypatch):
        liveness.begin("worker")
        monkeypatch.setattr(leases, "_claim", lambda _kinds: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            leases.claim_next_run(kinds=["quality"])
        assert not WorkerProcess.objects.exists()

    def test_of_a_worker_begins_with_its_name(self):
        celery.begin_worker("measure@a.b")
        leases.claim_next_run(kinds=["performance"])
        assert WorkerProcess.objects.get().kind == "measure"


@pytest.mark.django_db(transaction=True)
class TestAlive:
    @pytest.fixture
    def servers(self, settings):
        given = connection.settings_dict
        password = quote(given["PASSWORD"], safe="")
        at = f"{given['USER']}:{password}@{given['HOST']}:{given['PORT']}/{given['NAME']}"
        return {"DATABASE_URL": f"postgresql://{at}", "REDIS_URL": settings.CELERY_BROKER_URL}

    def test_is_who_has_just_done_something(self, servers):
        row(last_progress_at=ago(5))
        is_alive, why = alive.look("worker", 120, servers)
        assert is_alive
        assert re.fullmatch(r"alive, last progress \d+ s ago", why)

    def test_is_nobody_who_has_done_nothing_for_longer(self, servers):
        row(last_progress_at=ago(130))
        is_alive, why = alive.look("worker", 120, servers)
        assert not is_alive
        assert re.fullmatch(r"no progress for 1\d\d s", why)

    def test_is_nobody_who_has_done_nothing_yet(self, servers):
        row(kind="beat")
        row(host="elsewhere")
        assert alive.look("worker", 120, servers) == (False, "no progress yet")

    @pytest.mark.parametrize(
        ("name", "url", "said"),
        [
            ("DATABASE_URL", "postgresql://n:n@127.0.0.1:1/n", "the database does not answer"),
            ("REDIS_URL", "redis://127.0.0.1:1/0", "Redis does not answer"),
        ],
    )
    def test_is_not_asked_of_whom_nothing_could_help(self, servers, name, url, said):
        is_alive, why = alive.look("worker", 120, {**servers, name: url})
        assert is_alive
        assert said in why

    @pytest.mark.sockets
    def test_is_said_by_the_exit_code(self, servers):
        asks = [sys.executable, "-m", "exchange.alive", "--kind", "worker"]
        env = {**os.environ, **servers}
        row()
        good = subprocess.run(asks, env=env, capture_output=True, text=True, check=False)
        bad = subprocess.run([*asks, "--seconds", "0"], env=env, capture_output=True, text=True, check=False)

        assert (good.returncode, good.stderr) == (0, "")
        assert (bad.returncode, bad.stdout) == (1, "")
        assert good.stdout.startswith("worker: alive, last progress")
        assert bad.stderr.startswith("worker: no progress for")
