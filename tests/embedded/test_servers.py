import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from exchange import embedded
from exchange.embedded import home, locks, ports, programs
from exchange.embedded.errors import EmbeddedError
from exchange.embedded.record import Record
from tests.embedded.conftest import reachable_folder

pytestmark = pytest.mark.sockets

ROOT = Path(__file__).parents[2]
DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")


@contextmanager
def started(state_dir, **options):
    servers = embedded.start(state_dir, for_tests=True, **options)
    try:
        yield servers
    finally:
        servers.stop()


@contextmanager
def starter(state_dir, *, python=sys.executable, **popen):
    """The servers in a process of their own, as `make up` would start them."""
    process = subprocess.Popen(
        [python, "-m", "tests.embedded.starter", str(state_dir)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        **popen,
    )
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def ask(url, query):
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query).fetchone()


def run(url, *statements):
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def wait_for_end(state_dir):
    for name in ("postgres", "valkey"):
        lock = locks.Lock.take(state_dir / f"{name}.alive", timeout=30)
        assert lock, f"{name} goes on living"
        lock.close()


def owner_of(pid):
    return os.stat(f"/proc/{pid}").st_uid


@pytest.fixture(scope="module")
def servers(shared_state_dir):
    with started(shared_state_dir) as servers:
        yield servers


@pytest.fixture(scope="module")
def seed():
    with reachable_folder() as path:
        with started(path):
            pass
        yield path


@pytest.fixture
def used_dir(seed, state_dir):
    """A folder on which the servers have run before: copied, which is quicker than `initdb`."""
    subprocess.run(["cp", "-a", f"{seed}/.", str(state_dir)], check=True)
    return state_dir


class TestStart:
    def test_gives_a_broker_that_refuses_to_evict_and_asks_for_a_password(self, servers):
        with redis.Redis.from_url(servers.redis_url, decode_responses=True) as client:
            client.set("key", "value")
            assert client.get("key") == "value"
            assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
        port = int(servers.redis_url.rsplit(":", 1)[1].split("/")[0])
        with (
            redis.Redis(port=port, retry=Retry(NoBackoff(), 0)) as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.get("key")

    def test_refuses_a_wrong_database_password(self, servers):
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(servers.database_url, password="wrong")

    @pytest.mark.parametrize(
        ("url", "rights"),
        [
            ("database_owner_url", ("exchange_owner", False, True, True)),
            ("database_url", ("exchange_app", False, False, False)),
        ],
    )
    def test_gives_each_role_its_rights_and_no_more(self, servers, url, rights):
        found = ask(
            getattr(servers, url),
            "SELECT rolname, rolsuper, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user",
        )
        assert found == rights

    def test_refuses_the_app_role_to_make_a_table(self, servers):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(servers.database_url, "CREATE TABLE mine (id int)")

    def test_lets_the_app_role_use_what_the_owner_makes(self, servers):
        run(servers.database_owner_url, "CREATE TABLE shared (id serial, word text)")
        run(servers.database_url, "INSERT INTO shared (word) VALUES ('word')")
        assert ask(servers.database_url, "SELECT id, word FROM shared") == (1, "word")

    def test_lets_the_app_role_use_a_database_that_the_owner_makes_later(self, servers):
        run(servers.database_owner_url, "CREATE DATABASE later")
        owner_url, app_url = (
            url.removesuffix("exchange") + "later"
            for url in (servers.database_owner_url, servers.database_url)
        )
        run(owner_url, "CREATE TABLE shared (id serial)")
        run(app_url, "INSERT INTO shared DEFAULT VALUES")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(app_url, "CREATE TABLE mine (id int)")

    def test_sorts_by_bytes_and_folds_unicode(self, servers):
        query = "SELECT lower('É'), 'B' < 'a', 'z' < 'é'"
        assert ask(servers.database_url, query) == ("é", True, True)

    def test_lets_the_owner_make_trusted_extensions(self, servers):
        run(servers.database_owner_url, "CREATE EXTENSION pg_trgm", "CREATE EXTENSION btree_gist")

    def test_keeps_passwords_out_of_sight(self, servers):
        secret = Record.load(servers.servers[0].held.with_name("servers.json"))
        listing = subprocess.check_output(["ps", "axww"], text=True)
        assert secret.path.stat().st_mode & 0o777 == 0o600
        for password in secret.passwords.values():
            assert password not in listing + repr(servers) + repr(secret)

    def test_joins_running_servers_and_leaves_them_running(self, servers):
        joined = embedded.start(servers.servers[0].held.parent)
        assert joined.environment() == servers.environment()
        assert not joined.started_here
        joined.stop()
        assert servers.live()
        assert ask(servers.database_url, "SELECT 1") == (1,)

    def test_refuses_to_be_called_from_another_thread(self, state_dir):
        failures = []

        def attempt():
            with pytest.raises(RuntimeError, match="main thread") as failure:
                embedded.start(state_dir, for_tests=True)
            failures.append(failure)

        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
        assert failures


class TestRunning:
    def test_tells_the_addresses_only_while_the_servers_answer(self, used_dir):
        assert embedded.running(used_dir) is None
        with started(used_dir) as servers:
            assert embedded.running(used_dir) == servers.environment()
        assert embedded.running(used_dir) is None


class TestRestart:
    def test_keeps_data_and_urls(self, used_dir):
        with started(used_dir) as servers:
            before = servers.environment()
            run(servers.database_owner_url, "CREATE TABLE kept AS SELECT 7 AS number")
        assert not servers.live()
        with started(used_dir) as servers:
            assert servers.environment() == before
            assert ask(servers.database_url, "SELECT number FROM kept") == (7,)

    def test_avoids_ports_that_others_have_taken_since(self, used_dir):
        with started(used_dir) as servers:
            before = servers.environment()
        taken = Record.load(used_dir / "servers.json").ports
        listeners = [socket.create_server(("127.0.0.1", port)) for port in taken.values()]
        try:
            with started(used_dir) as servers:
                assert servers.environment().keys() == before.keys()
                after = Record.load(used_dir / "servers.json").ports
                assert not set(taken.values()) & set(after.values())
                assert ask(servers.database_url, "SELECT 1") == (1,)
        finally:
            for listener in listeners:
                listener.close()

    def test_recovers_from_a_pid_file_whose_number_is_another_process(self, used_dir):
        with started(used_dir):
            data = used_dir / "servers/postgres"
            lines = (data / "postmaster.pid").read_text().splitlines()
        identity = {"user": data.stat().st_uid} if os.geteuid() == 0 else {}
        stranger = subprocess.Popen(["/bin/sleep", "60"], cwd="/", **identity)
        try:
            (data / "postmaster.pid").write_text("\n".join([str(stranger.pid), *lines[1:]]) + "\n")
            with started(used_dir) as servers:
                assert ask(servers.database_url, "SELECT 1") == (1,)
            assert stranger.poll() is None
        finally:
            stranger.kill()
            stranger.wait()

    def test_finishes_a_cluster_whose_making_was_interrupted(self, state_dir):
        half = home.find_home(state_dir).make("postgres.new")
        (half / "PG_VERSION").write_text("18\n")
        with started(state_dir) as servers:
            assert ask(servers.database_url, "SELECT 1") == (1,)

    def test_refuses_data_of_another_major_version(self, used_dir):
        (used_dir / "servers/postgres/PG_VERSION").write_text("14\n")
        with pytest.raises(EmbeddedError, match="of PostgreSQL 14"), started(used_dir):
            pass


class TestStarterKilled:
    def test_ends_the_servers_and_the_next_start_finds_the_data(self, used_dir):
        with starter(used_dir) as (process, urls):
            run(urls["DATABASE_OWNER_URL"], "CREATE TABLE kept AS SELECT 7 AS number")
            process.send_signal(signal.SIGKILL)
            process.wait()
            with started(used_dir) as servers:  # at once: it waits for the dying ones
                assert servers.started_here
                assert ask(servers.database_url, "SELECT number FROM kept") == (7,)
        wait_for_end(used_dir)

    def test_ends_the_servers_while_a_client_is_busy(self, used_dir):
        with starter(used_dir) as (process, urls):
            busy = psycopg.connect(urls["DATABASE_URL"])
            busy.execute("SELECT 1")
            process.kill()
            process.wait()
            wait_for_end(used_dir)
            with pytest.raises(psycopg.OperationalError):
                busy.execute("SELECT 1")
            busy.close()

    def test_leaves_a_joined_process_to_notice(self, used_dir):
        with starter(used_dir) as (process, _):
            joined = embedded.start(used_dir)
            assert joined.live()
            process.kill()
            process.wait()
            assert not joined.live()
            wait_for_end(used_dir)

    def test_recovers_when_the_servers_are_killed_too(self, used_dir):
        with starter(used_dir) as (_, urls):
            run(urls["DATABASE_OWNER_URL"], "CREATE TABLE kept AS SELECT 7 AS number")
            for pid in urls["pids"]:
                os.kill(pid, signal.SIGKILL)
        with started(used_dir) as servers:
            assert ask(servers.database_url, "SELECT number FROM kept") == (7,)


class TestTwoStartsAtOnce:
    def test_run_one_pair_of_servers(self, used_dir):
        with starter(used_dir) as (_, first), starter(used_dir) as (_, second):
            urls = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")
            assert [first[key] for key in urls] == [second[key] for key in urls]
            assert None not in first["pids"]
            assert second["pids"] == [None, None]
        wait_for_end(used_dir)

    def test_race_for_an_empty_folder(self, state_dir):
        argv = [sys.executable, "-m", "tests.embedded.starter", str(state_dir)]
        racers = [subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=ROOT) for _ in range(3)]
        try:
            answers = [json.loads(racer.stdout.readline()) for racer in racers]
            assert len({answer["DATABASE_URL"] for answer in answers}) == 1
            assert sum(answer["pids"] != [None, None] for answer in answers) == 1
        finally:
            for racer in racers:
                racer.kill()
                racer.communicate()
        wait_for_end(state_dir)


class TestAsRoot:
    def test_runs_the_servers_as_nobody(self, as_root, used_dir):
        with starter(used_dir) as (_, urls):
            nobody = pwd.getpwnam("nobody").pw_uid
            assert [owner_of(pid) for pid in urls["pids"]] == [nobody, nobody]
        wait_for_end(used_dir)

    def test_keeps_the_owner_of_data_that_is_there(self, as_root, state_dir):
        daemon = pwd.getpwnam("daemon")
        place = state_dir / "servers"
        place.mkdir(mode=0o700)
        os.chown(place, daemon.pw_uid, daemon.pw_gid)
        with starter(state_dir) as (_, urls):
            assert {owner_of(pid) for pid in urls["pids"]} == {daemon.pw_uid}
        wait_for_end(state_dir)

    def test_puts_data_elsewhere_when_the_folder_is_private(self, as_root, private_state_dir):
        with started(private_state_dir) as servers:
            run(servers.database_owner_url, "CREATE TABLE kept AS SELECT 7 AS number")
        place = Path((private_state_dir / "servers.at").read_text().strip())
        assert place.parent == home.ELSEWHERE
        assert place.stat().st_mode & 0o777 == 0o700
        assert private_state_dir.parent.stat().st_mode & 0o777 == 0o700
        with started(private_state_dir) as servers:
            assert ask(servers.database_url, "SELECT number FROM kept") == (7,)

    def test_starts_empty_where_a_removed_folder_left_data_elsewhere(self, as_root, private_state_dir):
        with started(private_state_dir) as servers:
            run(servers.database_owner_url, "CREATE TABLE gone ()")
        shutil.rmtree(private_state_dir)
        with started(private_state_dir) as servers:
            assert ask(servers.database_url, "SELECT to_regclass('gone')") == (None,)

    def test_copies_programs_that_the_user_cannot_reach(self, as_root, used_dir, monkeypatch):
        monkeypatch.setattr(programs.Home, "can_run", lambda self, program: False)
        with started(used_dir) as servers:
            assert ask(servers.database_url, "SELECT 1") == (1,)
            running = Path(f"/proc/{servers.servers[0].child.pid}/exe").resolve()
        assert running.is_relative_to(used_dir / "servers/programs")

    def test_refuses_a_place_that_is_somebody_elses(self, as_root, private_state_dir):
        place = home.find_home(private_state_dir).directory
        daemon = pwd.getpwnam("daemon").pw_uid
        os.chown(place, daemon, -1)
        with pytest.raises(EmbeddedError, match="not a folder of this user"):
            embedded.start(private_state_dir)


class TestAsAnOrdinaryUser:
    @pytest.fixture
    def daemon(self, as_root, state_dir):
        daemon = pwd.getpwnam("daemon")
        account = home.Account(daemon.pw_uid, daemon.pw_gid)
        os.chown(state_dir, account.uid, account.gid)
        return account

    @pytest.fixture
    def python(self, daemon):
        """This Python, or the system's of the same version if this one lies in a private home."""
        system = Path(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
        for python in (Path(sys.executable).resolve(), system):
            if daemon.can_run(python) and daemon.can_run(ROOT):
                return python
        pytest.skip("no Python or checkout here that an ordinary user can reach")

    def test_runs_the_servers_as_that_user(self, daemon, python, state_dir):
        path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
        options = {**daemon.as_popen(), "env": {"PATH": os.defpath, "PYTHONPATH": path}}
        with starter(state_dir, python=python, **options) as (_, urls):
            assert {owner_of(pid) for pid in urls["pids"]} == {daemon.uid}
            assert ask(urls["DATABASE_URL"], "SELECT 1") == (1,)
        wait_for_end(state_dir)


class TestInstalledPostgres:
    @pytest.mark.skipif(not DEBIAN_15.exists(), reason=f"no PostgreSQL 15 in {DEBIAN_15}")
    def test_starts_on_version_15(self, state_dir):
        with started(state_dir, postgres_bin=DEBIAN_15) as servers:
            assert ask(servers.database_url, "SHOW server_version_num")[0].startswith("15")
            query = "SELECT lower('É'), 'B' < 'a'"
            assert ask(servers.database_url, query) == ("é", True)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(servers.database_url, "CREATE TABLE mine (id int)")

    def test_is_found_and_named_when_the_platform_has_no_wheel(self, state_dir, monkeypatch, caplog):
        monkeypatch.setattr(programs, "find_spec", lambda name: None)
        monkeypatch.setattr(programs, "DEBIAN", state_dir / "postgresql")
        for version in ("9", "15", "16"):
            folder = state_dir / "postgresql" / version / "bin"
            folder.mkdir(parents=True)
            (folder / "postgres").touch()
            (folder / "initdb").touch()
        monkeypatch.setenv("PATH", "/nowhere")
        found = programs.postgres_bin(home.find_home(state_dir / "state"))
        assert found == state_dir / "postgresql/16/bin"
        assert f"No PostgreSQL wheel for this platform: using the one in {found}." in caplog.text

    def test_is_asked_for_when_there_is_none(self, state_dir, monkeypatch):
        monkeypatch.setattr(programs, "find_spec", lambda name: None)
        monkeypatch.setattr(programs, "DEBIAN", state_dir)
        monkeypatch.setenv("PATH", "/nowhere")
        with pytest.raises(EmbeddedError, match="Install PostgreSQL 15-18"):
            programs.postgres_bin(home.find_home(state_dir / "state"))


class TestPorts:
    def test_sees_a_listener_on_all_addresses(self):
        with socket.create_server(("0.0.0.0", 0)) as listener:
            assert not ports.is_free(listener.getsockname()[1])

    def test_stays_out_of_the_range_of_outgoing_connections(self):
        assert ports.free_port() in ports.RANGE

    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a held port is refused to servers")
    def test_gives_nobody_else_a_port_before_its_server_listens(self, monkeypatch):
        port = ports.free_port()
        monkeypatch.setattr(ports, "RANGE", [port])
        with pytest.raises(StopIteration):
            ports.free_port()
        with socket.create_server((ports.LOOPBACK, port)):
            assert ports.accepts(port)
