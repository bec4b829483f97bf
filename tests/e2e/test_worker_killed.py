"""kill -9 of the measuring process while AIPerf runs, in the whole system as an operator runs it."""

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import provider, running_stack
from tests.e2e.people import Lab, until

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

CANARY = 1


@pytest.fixture(scope="module")
def lab():
    with (
        provider() as simulator,
        running_stack(simulator, EXCHANGE_RUN_LEASE_SECONDS="2") as stack,
        Lab(stack, simulator) as ready,
    ):
        yield ready


def processes_of(run_id):
    """(pid, start time) of all that works in the run's folder; AIPerf overwrites its own environment."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            places = [os.readlink(link) for link in (process / "cwd", *(process / "fd").iterdir())]
            if any(run_id in place for place in places):
                found.add((int(process.name), started_at(process)))
        except OSError:
            continue
    return found


def started_at(process):
    return (process / "stat").read_text().rpartition(")")[2].split()[19]


def is_running(pid, start):
    process = Path(f"/proc/{pid}")
    try:
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        return started_at(process) == start and state != "Z"
    except OSError:
        return False


class TestKilledWorker:
    def test_is_replaced_and_its_run_ends_once_with_books_that_add_up(self, lab):
        before = lab.simulator.counts()["slow"]["requests"]
        submission = lab.claim_speed("slow", 514.0)
        asked = lab.request_over_rest(submission)
        [run_id] = lab.rest.get(f"/verifications/{asked}")["run_ids"]

        def under_load():
            counts = lab.simulator.counts()["slow"]
            return counts["requests"] > before + CANARY and counts["in_flight"]

        until(under_load)
        worker, left = lab.stack.pid_of("measure"), processes_of(run_id)
        os.kill(worker, signal.SIGKILL)
        ended = lab.ended(asked)

        assert len([pid for pid, _ in left if pid != worker]) >= 2, "AIPerf and the gateway were not running"
        until(lambda: not any(is_running(*process) for process in left))
        assert lab.stack.restarts_of("measure") == 1
        assert (ended["status"], ended["verdict"]) == ("decided", "consistent"), ended
        assert [one["id"] for one in lab.rest.every(f"/submissions/{submission['id']}/verifications")] == [
            asked
        ]
        run = lab.rest.get(f"/runs/{run_id}")
        assert (run["status"], run["done_count"]) == ("succeeded", run["planned_count"])
        assert run["fence"] >= 2
        received = lab.simulator.counts()["slow"]["requests"] - before
        assert run["requests_settled"] <= received <= run["requests_settled"] + run["requests_lost"]
        assert run["requests_lost"] >= 1
        until(lambda: not processes_of(run_id))
        board = lab.rest.get(f"/benchmarks/{lab.speed['id']}/leaderboard")
        assert [row["verdict"] for row in board["items"]] == ["consistent"]
        assert lab.stack.manage("verify_audit_chain").strip().endswith("entries, unbroken")
