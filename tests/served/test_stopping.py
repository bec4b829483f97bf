"""SIGTERM to the processes that serve: what was begun is finished, nothing new begins, and they end."""

import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import psycopg
import pytest
import redis
from django.conf import settings as configured
from django.db import connection, transaction
from grpc_health.v1 import health_pb2, health_pb2_grpc

from exchange.accounts.models import User
from exchange.api.pb import users_pb2, users_pb2_grpc
from exchange.embedded.ports import accepts, free_port
from tests.factories.accounts import UserFactory, token_for

from .processes import PATIENCE_SECONDS, Process, broker
from .test_clients import Client, multipart, upload

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
OWNER = ("USER", "PASSWORD")
CONNECTED = ("ENGINE", "NAME", "HOST", "PORT", *OWNER)


class Held:
    """A person's row, kept from others until `let_go`: a request that changes it is under way for so long."""

    def __init__(self, user):
        self._begun, self._let_go = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold, args=[user])

    def _hold(self, user):
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            self._begun.set()
            self._let_go.wait(PATIENCE_SECONDS)
        connection.close()

    def __enter__(self):
        self._thread.start()
        self._begun.wait(PATIENCE_SECONDS)
        return self

    def let_go(self):
        self._let_go.set()
        self._thread.join()

    def __exit__(self, *_error):
        self.let_go()


def is_waiting():
    """Whether somebody waits for a lock in the test's database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN"
            " (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
        )
        return bool(cursor.fetchone()[0])


class TestWeb:
    def test_finishes_what_it_serves_and_takes_nothing_new(self, web):
        process, user = web(), UserFactory()
        lines = ("PATCH /api/v1/users/me HTTP/1.1", f"Authorization: Bearer {token_for(user)}")
        body = b'{"bio": "Kept"}'
        more = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        with Held(user) as held, Client(process, *lines, *more, body=body) as client, Client(process) as idle:
            process.until(is_waiting)
            process.send()
            process.until(lambda: not accepts(process.port))
            held.let_go()
            assert client.answer()[0] == 200
            assert process.ended() == 0
            assert idle.answer() == (None, None)
        user.refresh_from_db()
        assert user.bio == "Kept"

    def test_ends_although_somebody_goes_on_taking_an_answer(self, web, tmp_path):
        """Whoever has not taken it within 25 seconds, here within one, is cut off."""
        options = {"--workers-kill-timeout": "1"}
        process = web(EVIDENCE_URL=(tmp_path / "evidence").as_uri(), options=options)
        head, *lines = upload()
        body = multipart(b'"' + b"y" * 16 * 1024 * 1024 + b'"')
        with Client(process, head, *lines, f"Content-Length: {len(body)}", body=body) as client:
            status, evidence = client.answer()
        assert status == 201, evidence
        with Client(process, f"GET /api/v1/evidence/{evidence['id']}/content HTTP/1.1", lines[0]) as client:
            assert client.socket.recv(100).startswith(b"HTTP/1.1 200")
            process.send()
            process.ended()


class TestGrpc:
    @pytest.fixture
    def address(self, tmp_path):
        address = f"127.0.0.1:{free_port()}"
        with Process("grpc", tmp_path, env={"EXCHANGE_GRPC_ADDRESS": address}) as self.process:
            yield address

    def test_finishes_its_calls_refuses_others_and_says_that_it_does_not_serve(self, address):
        user = UserFactory()
        token = [("authorization", f"Bearer {token_for(user)}")]
        with grpc.insecure_channel(address) as channel, ThreadPoolExecutor(1) as pool, Held(user) as held:
            users = users_pb2_grpc.UserServiceStub(channel)
            watch = health_pb2_grpc.HealthStub(channel).Watch(
                health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS, wait_for_ready=True
            )
            assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
            request = users_pb2.UpdateProfileRequest(bio="Kept")
            call = pool.submit(users.UpdateProfile, request, metadata=token, timeout=PATIENCE_SECONDS)
            self.process.until(is_waiting)
            self.process.send()
            assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
            self.process.until(lambda: not accepts(int(address.rpartition(":")[2])))
            with pytest.raises(grpc.RpcError) as refused:
                users.GetProfile(users_pb2.GetProfileRequest(), metadata=token, timeout=PATIENCE_SECONDS)
            held.let_go()
            assert call.result(PATIENCE_SECONDS).bio == "Kept"
        assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
        assert self.process.ended() == 0


class TestBeat:
    def test_just_ends(self, tmp_path):
        bell = redis.from_url(broker())
        bell.flushdb()
        with Process("beat", tmp_path) as process:
            process.until(lambda: bell.llen("short"))
            process.send()
            assert process.ended() == 0


class TestMigrate:
    def test_leaves_nothing_half_done(self, tmp_path):
        owner = {**connection.settings_dict, **{name: configured.DATABASE_OWNER[name] for name in OWNER}}
        login = f"{owner['USER']}:{owner['PASSWORD']}@{owner['HOST']}:{owner['PORT']}"
        url = f"postgresql://{login}/{owner['NAME']}"
        settings = {
            "DATABASES": {"default": {key: owner[key] for key in CONNECTED}},
            "INSTALLED_APPS": [*configured.INSTALLED_APPS, "tests.served.slow"],
        }
        with psycopg.connect(url, autocommit=True) as seen:
            with Process("migrate", tmp_path, **settings) as process:
                process.until(lambda: is_asleep(seen))
                process.send()
                assert process.ended() != 0
            assert not is_asleep(seen)
            assert seen.execute("SELECT to_regclass('slow_half')").fetchone() == (None,)
            rows = seen.execute("SELECT count(*) FROM django_migrations WHERE app = 'slow'")
            assert rows.fetchone() == (0,)


def is_asleep(seen):
    found = seen.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'"
        " AND query = 'SELECT pg_sleep(600)'"
    )
    return bool(found.fetchone()[0])
