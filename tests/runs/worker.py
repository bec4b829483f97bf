"""Workers as processes of their own, forked from one that has imported everything already.

`with Workers() as workers: workers.start("quality", failpoint="after_claim:1").wait()`.
"""

import json
import os
import signal
import sys
from pathlib import Path

from tests.orders import Orders


class Worker:
    def __init__(self, workers, pid):
        self._workers, self.pid = workers, pid

    def wait(self):
        """The exit code; the negative number of the signal that killed it."""
        return self._workers.ask(wait=self.pid)

    def grown_bytes(self):
        """The most memory it had at once beyond what it was forked with. It was waited for."""
        return self._workers.ask(grown=self.pid)

    def signal(self, number):
        os.kill(self.pid, number)

    def is_alive(self):
        """Not even a zombie is left of one that was waited for."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False


class Workers(Orders):
    """They work on the test's own database, evidence store and allowed addresses."""

    def __init__(self):
        from django.db import connection

        database = connection.settings_dict
        login = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}"
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "exchange.settings.test",
            "DATABASE_URL": f"postgres://{login}/{database['NAME']}",
        }
        super().__init__("tests.runs.worker", environment)

    def start(self, kind="quality", *, failpoint="", lease_seconds=60):
        """One that looks for a run of this kind once and ends."""
        from django.conf import settings

        return Worker(
            self,
            self.ask(
                kind=kind,
                failpoint=failpoint,
                settings={
                    "EVIDENCE_URL": settings.EVIDENCE_URL,
                    "STATE_DIR": str(settings.STATE_DIR),
                    "EGRESS_ALLOW": sorted(settings.EGRESS_ALLOW),
                    "RUN_LEASE_SECONDS": lease_seconds,
                    "MEASURE_ALONE": False,
                },
            ),
        )


def serve():
    """Fork and reap as told, line by line; a last worker is not left behind."""
    forked, peaks = set(), {}
    own = memory()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            pid, status, usage = os.wait4(order["wait"], 0)
            forked.discard(pid)
            peaks[pid] = usage.ru_maxrss * 1024
            answer = os.waitstatus_to_exitcode(status)
        elif "grown" in order:
            answer = peaks[order["grown"]] - own
        else:
            answer = os.fork() or work(order)
            forked.add(answer)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    for pid in forked:
        os.kill(pid, signal.SIGKILL)


def memory():
    """This process's resident bytes, now: what getrusage tells of itself outlives exec."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def work(order):
    from django.conf import settings

    os.close(0)
    os.environ["FAILPOINT"] = order["failpoint"]
    for name, value in order["settings"].items():
        setattr(settings, name, Path(value) if name.endswith("_DIR") else value)
    from submissions.runs.services import work_once

    code = 1
    try:
        code = 0 if work_once(order["kind"]) else 3
    finally:
        os._exit(code)


if __name__ == "__main__":
    import django

    django.setup()
    import uvloop  # noqa: F401  (imported by the first run otherwise, once for each worker)

    import llm_benchmark.measure.performance.runner
    import llm_benchmark.measure.quality  # noqa: F401

    serve()
