import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from exchange.embedded.locks import is_taken
from exchange.embedded.ports import accepts, free_port
from exchange.supervisor import Stack, StackError, Status
from exchange.supervisor.listeners import claim_port
from tests.embedded.small_stack import SERVE

pytestmark = pytest.mark.sockets

ROOT = Path(__file__).parents[2]
OUTSIDE = {
    "DATABASE_URL": "postgresql://app:word@127.0.0.1:1/none",
    "DATABASE_OWNER_URL": "postgresql://owner:word@127.0.0.1:1/none",
    "DATABASE_ADMIN_URL": "postgresql://admin:word@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:2/0",
}
SMALL = (sys.executable, "-m", "tests.embedded.small_stack")
SLEEP = "import time; time.sleep(600)"


def without_urls():
    return {name: value for name, value in os.environ.items() if name not in OUTSIDE}


class SmallStack:
    def __init__(self, state_dir, programs, env):
        self.state_dir = state_dir
        self.port, self.grpc_port = free_port(), free_port()
        self.process = subprocess.Popen(
            [
                *SMALL, "--state-dir", str(state_dir),
                "--port", str(self.port), "--grpc-port", str(self.grpc_port),
            ],
            env={**without_urls(), **env, "PROGRAMS": json.dumps(programs)},
            cwd=ROOT, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def read_until(self, words):
        """What it says on the console up to the line with the words."""
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if words in line:
                return "".join(lines)
        raise AssertionError("".join(lines))

    @property
    def status(self):
        return Status.read(self.state_dir)

    def log(self, name):
        path = self.state_dir / "log" / f"{name}.log"
        return path.read_text() if path.exists() else ""


@contextmanager
def small_stack(state_dir, env=None, **programs):
    stack = SmallStack(state_dir, programs, OUTSIDE if env is None else env)
    try:
        yield stack
    finally:
        stack.process.terminate()
        stack.process.communicate(timeout=60)


def eventually(question, *, seconds=30):
    deadline = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


def is_gone(pid):
    """Ended: not there, or a zombie that nobody has reaped yet."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == b""
    except OSError:
        return True


class TestRun:
    def test_says_ready_only_when_the_web_process_answers(self, state_dir):
        late = (
            "import time, sys, pathlib\nwhile not pathlib.Path(sys.argv[3], 'go').exists(): time.sleep(.05)\n"
        )
        with small_stack(state_dir, web=late + SERVE) as stack:
            eventually(lambda: stack.status)
            assert not stack.status.ready
            (state_dir / "go").touch()
            said = stack.read_until("Ready: ")
            assert f"http://127.0.0.1:{stack.port}" in said
            assert f"127.0.0.1:{stack.grpc_port}" in said
            assert stack.status.ready

    def test_starts_a_program_again_that_ended_and_shows_its_last_words(self, state_dir):
        with small_stack(state_dir, web=SERVE, weak="raise SystemExit('its last words')") as stack:
            said = stack.read_until("its last words")
            assert "weak ended (exit code 1); starting it again in 1 s" in said
            assert "starting it again in 2 s" in stack.read_until("starting it again in 2 s")
            eventually(lambda: stack.status.restarts["weak"] >= 1)
            assert stack.status.restarts["web"] == 0
            assert stack.log("weak").count("its last words") >= 2

    def test_names_the_signal_that_killed_a_program(self, state_dir):
        with small_stack(state_dir, web=SERVE, worker=SLEEP) as stack:
            stack.read_until("Ready: ")
            before = stack.status.pids["worker"]
            os.kill(before, signal.SIGKILL)
            stack.read_until("worker ended (killed by SIGKILL)")
            eventually(lambda: stack.status.pids["worker"] not in (None, before))

    def test_gives_the_owners_url_to_migrations_and_to_nobody_else(self, state_dir):
        names = ("DATABASE_OWNER_URL", "DATABASE_ADMIN_URL")
        show = f"import os; print(*map(os.environ.get, {names}), flush=True)\n"
        with small_stack(state_dir, migrate=show, web=show + SERVE) as stack:
            stack.read_until("Ready: ")
            assert stack.log("migrate") == " ".join(OUTSIDE[name] for name in names) + "\n"
            assert stack.log("web").startswith("None None\n")
            assert stack.status.env["DATABASE_OWNER_URL"] == OUTSIDE["DATABASE_OWNER_URL"]
            assert (state_dir / "stack.json").stat().st_mode & 0o777 == 0o600

    def test_refuses_its_own_ports_to_endpoints(self, state_dir):
        show = "import os; print(os.environ['EXCHANGE_EGRESS_REFUSE'], flush=True)\n"
        with small_stack(state_dir, web=show + SERVE) as stack:
            stack.read_until("Ready: ")
            own = f"127.0.0.1:{stack.port},127.0.0.1:{stack.grpc_port},127.0.0.1:1,127.0.0.1:2\n"
            assert stack.log("web").startswith(own)

    def test_does_not_start_when_migrations_fail(self, state_dir):
        with small_stack(state_dir, migrate="raise SystemExit('no such column')", web=SERVE) as stack:
            assert stack.process.wait(30) != 0
            assert "no such column" in stack.process.stderr.read()
            assert not accepts(stack.port)

    def test_refuses_one_url_without_the_other(self, state_dir):
        only = {"DATABASE_URL": OUTSIDE["DATABASE_URL"]}
        with small_stack(state_dir, env=only, web=SERVE) as stack:
            assert stack.process.wait(30) != 0
            assert "Only DATABASE_URL is set" in stack.process.stderr.read()

    def test_refuses_a_second_supervisor_on_the_same_folder(self, state_dir):
        with small_stack(state_dir, web=SERVE) as first:
            first.read_until("Ready: ")
            with small_stack(state_dir, web=SERVE) as second:
                assert second.process.wait(30) != 0
                said = second.process.stderr.read()
                assert f"process {first.process.pid}, http://127.0.0.1:{first.port}" in said
            assert accepts(first.port)


class TestStop:
    def test_lets_programs_finish(self, state_dir):
        polite = (
            "import signal, sys, time\n"
            "def stop(*_): print('finished', flush=True); sys.exit()\n"
            "signal.signal(signal.SIGTERM, stop)\nprint('started', flush=True)\n" + SLEEP
        )
        with small_stack(state_dir, web=SERVE, worker=polite) as stack:
            eventually(lambda: "started" in stack.log("worker"))
            stack.process.terminate()
            assert stack.process.wait(30) == 0
            assert "finished" in stack.log("worker")
            assert stack.status is None

    def test_kills_what_a_program_leaves_behind(self, state_dir):
        leaves = (
            "import subprocess, sys\nprint(subprocess.Popen(['sleep', '600']).pid, flush=True)\n"
        ) + SLEEP
        with small_stack(state_dir, web=SERVE, worker=leaves) as stack:
            eventually(lambda: stack.log("worker").endswith("\n"))
            left = int(stack.log("worker"))
            stack.process.send_signal(signal.SIGINT)
            assert stack.process.wait(30) == 0
            eventually(lambda: is_gone(left))

    def test_ends_everything_when_the_supervisor_is_killed(self, state_dir):
        with small_stack(state_dir, env={}, web=SERVE, worker=SLEEP) as stack:
            stack.read_until("Ready: ")
            url = stack.status.env["DATABASE_URL"]
            pids = stack.status.pids.values()
            with psycopg.connect(url) as connection:
                assert connection.execute("SELECT current_user").fetchone() == ("exchange_app",)
            stack.process.kill()
            eventually(lambda: all(is_gone(pid) for pid in pids))
            for name in ("postgres", "valkey"):
                eventually(lambda name=name: not is_taken(state_dir / f"{name}.alive"))

    def test_brings_back_a_database_that_was_killed(self, state_dir):
        with small_stack(state_dir, env={}, web=SERVE) as stack:
            stack.read_until("Ready: ")
            url = stack.status.env["DATABASE_URL"]
            os.kill(
                int((state_dir / "servers/postgres/postmaster.pid").read_text().split()[0]), signal.SIGKILL
            )
            stack.read_until("starting it again")
            eventually(lambda: answers(url))


def answers(url):
    try:
        with psycopg.connect(url):
            return True
    except psycopg.OperationalError:
        return False


class TestStackBlock:
    @pytest.fixture
    def env(self, monkeypatch):
        for name in OUTSIDE:
            monkeypatch.delenv(name, raising=False)
        return {**OUTSIDE, "PROGRAMS": json.dumps({"web": SERVE, "worker": SLEEP})}

    @pytest.fixture
    def ports(self):
        return {"port": free_port(), "grpc_port": free_port()}

    def test_gives_addresses_and_the_operators_environment(self, state_dir, env, ports):
        with Stack(state_dir, env=env, command=SMALL, **ports) as stack:
            assert urllib.request.urlopen(f"{stack.base_url}/ready").status == 200
            assert stack.base_url == f"http://127.0.0.1:{ports['port']}"
            assert stack.grpc_address == f"127.0.0.1:{ports['grpc_port']}"
            assert stack.env["DATABASE_OWNER_URL"] == OUTSIDE["DATABASE_OWNER_URL"]
            worker = stack.pid_of("worker")
            assert stack.restarts_of("worker") == 0
        assert is_gone(worker)
        assert not accepts(ports["port"])

    def test_says_why_it_does_not_start(self, state_dir, env, ports):
        env["PROGRAMS"] = json.dumps({"migrate": "raise SystemExit('no such column')"})
        with (
            pytest.raises(StackError, match="no such column"),
            Stack(state_dir, env=env, command=SMALL, **ports),
        ):
            pass

    def test_gives_up_with_the_log_when_it_never_becomes_ready(self, state_dir, env, ports):
        env["PROGRAMS"] = json.dumps({"web": SLEEP})
        with (
            pytest.raises(StackError, match="not ready after 1 s"),
            Stack(state_dir, env=env, command=SMALL, ready_seconds=1, **ports),
        ):
            pass
        assert not is_taken(state_dir / "supervisor.lock")

    def test_knows_when_it_has_stopped(self, state_dir, env, ports):
        with Stack(state_dir, env=env, command=SMALL, **ports) as stack:
            pass
        with pytest.raises(StackError, match="does not run"):
            stack.pid_of("web")


class TestClaimPort:
    def test_names_the_process_that_has_it_and_the_way_out(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            with pytest.raises(StackError) as refusal:
                claim_port(port, option="--grpc-port")
        assert f"Port {port} is taken by process {os.getpid()} (" in str(refusal.value)
        assert f"--grpc-port {port + 1}" in str(refusal.value)

    def test_takes_any_free_one_for_0(self):
        port = claim_port(0, option="--port")
        assert port
        assert not accepts(port)
