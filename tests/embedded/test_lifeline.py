import signal
import subprocess
import sys
from pathlib import Path

import pytest

from exchange.embedded.lifeline import Child
from exchange.embedded.locks import Lock

pytestmark = pytest.mark.sockets

ROOT = Path(__file__).parents[2]
PARENT = """
import os, signal, sys
from pathlib import Path
from exchange.embedded.lifeline import Child
from exchange.embedded.locks import Lock
lock = Lock.take(Path(sys.argv[1]))
child = Child(
    ["/bin/sh", "-c", "trap 'echo asked >&2; exit' INT; while :; do sleep 0.05; done"],
    log=Path(sys.argv[2]), env=os.environ, death_signal=signal.SIGINT,
    keep_open=[lock.fd], watchdog=sys.argv[3] == "watchdog",
)
lock.close()
print("started", flush=True)
signal.pause()
"""


class TestChild:
    @pytest.mark.parametrize(
        "means",
        [
            "watchdog",
            pytest.param(
                "prctl", marks=pytest.mark.skipif(sys.platform != "linux", reason="Linux has prctl")
            ),
        ],
    )
    def test_gets_its_signal_when_the_parent_is_killed(self, tmp_path, means):
        held, log = tmp_path / "held", tmp_path / "log"
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, str(held), str(log), means], stdout=subprocess.PIPE, cwd=ROOT
        )
        assert parent.stdout.readline() == b"started\n"
        assert Lock.take(held) is None
        parent.kill()
        parent.communicate()
        lock = Lock.take(held, timeout=30)
        assert lock, "the child goes on living"
        lock.close()
        assert log.read_text() == "asked\n"

    def test_stops_by_the_next_signal_when_it_ignores_the_first(self, tmp_path):
        stubborn = "trap '' TERM; echo ready; while :; do sleep 0.05; done"
        child = Child(["/bin/sh", "-c", stubborn], log=tmp_path / "log", env={"PATH": "/bin:/usr/bin"})
        while "ready" not in child.tail():
            assert not child.wait(0.05)
        child.stop((signal.SIGTERM, 0.2), (signal.SIGINT, 30.0))
        assert child.exit_code() == -signal.SIGINT

    def test_shows_only_its_own_last_lines(self, tmp_path):
        (tmp_path / "log").write_text("an earlier one\n")
        child = Child(["/bin/sh", "-c", "seq 5"], log=tmp_path / "log", env={"PATH": "/bin:/usr/bin"})
        assert child.wait(30)
        assert child.tail(3) == "3\n4\n5"
        assert child.tail() == "1\n2\n3\n4\n5"
        child.end()
