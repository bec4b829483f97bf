"""The gRPC server itself, over real connections: who gets in, what it tells of itself, what it bears."""

import asyncio
import datetime as dt
import ipaddress
import threading
import time
from contextlib import ExitStack, contextmanager

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from exchange.accounts.models import User
from exchange.api import tls
from exchange.api.pb import users_pb2, users_pb2_grpc
from exchange.health.rpc import Health
from exchange.management.commands import serve_grpc
from exchange.servicers import service_names
from tests.factories.accounts import UserFactory, token_for

pytestmark = pytest.mark.sockets
SECONDS = 20
OWN_CONNECTION = ("grpc.use_local_subchannel_pool", 1)


@contextmanager
def serving():
    """A server in a thread of its own; the port it listens at."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server, port = asyncio.run_coroutine_threadsafe(started(), loop).result(SECONDS)
    try:
        yield port
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(None), loop).result(SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def started():
    server = serve_grpc.build_server(Health())
    port = serve_grpc.listen(server, "127.0.0.1:0")
    await server.start()
    return server, port


def plain(port):
    return grpc.insecure_channel(f"127.0.0.1:{port}", options=[OWN_CONNECTION])


def health(channel, seconds=SECONDS):
    stub = health_pb2_grpc.HealthStub(channel)
    return stub.Check(health_pb2.HealthCheckRequest(), timeout=seconds).status


def refused(act):
    with pytest.raises(grpc.RpcError) as failed:
        act()
    return failed.value


class Files:
    """A certificate authority, and the PEM files of a server that it vouches for."""

    def __init__(self, folder):
        self.folder, self.ca_key = folder, ec.generate_private_key(ec.SECP256R1())
        self.ca = self.certificate("ca", self.ca_key)
        key = ec.generate_private_key(ec.SECP256R1())
        self.cert = self.write("server.crt", self.pem(self.certificate("server", key)))
        self.key = self.write("server.key", self.pem(key))
        self.other_key = self.write("other.key", self.pem(ec.generate_private_key(ec.SECP256R1())))
        self.locked_key = self.write("locked.key", self.pem(key, b"secret"))

    def certificate(self, name, key):
        address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        named = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, who)]) for who in (name, "ca")]
        return (
            x509.CertificateBuilder(*reversed(named), key.public_key(), x509.random_serial_number())
            .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
            .not_valid_after(dt.datetime(2090, 1, 1, tzinfo=dt.UTC))
            .add_extension(x509.SubjectAlternativeName([address]), critical=False)
            .add_extension(x509.BasicConstraints(ca=name == "ca", path_length=None), critical=True)
            .sign(self.ca_key, hashes.SHA256())
        )

    def pem(self, part, password=None):
        encoding = serialization.Encoding.PEM
        if isinstance(part, x509.Certificate):
            return part.public_bytes(encoding)
        lock = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
        return part.private_bytes(encoding, serialization.PrivateFormat.PKCS8, lock)

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return str(self.folder / name)


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


class TestTls:
    @pytest.fixture
    def port(self, files, settings):
        settings.GRPC_TLS_CERT, settings.GRPC_TLS_KEY = files.cert, files.key
        with serving() as port:
            yield port

    def test_lets_in_who_trusts_the_certificate(self, files, port):
        trust = grpc.ssl_channel_credentials(files.pem(files.ca))

        with grpc.secure_channel(f"127.0.0.1:{port}", trust) as channel:
            assert health(channel) == health_pb2.HealthCheckResponse.SERVING

    def test_is_not_left_out_by_the_client(self, port):
        with plain(port) as channel:
            assert refused(lambda: health(channel)).code() == grpc.StatusCode.UNAVAILABLE

    def test_is_not_believed_without_trust(self, port):
        with grpc.secure_channel(f"127.0.0.1:{port}", grpc.ssl_channel_credentials()) as channel:
            assert refused(lambda: health(channel)).code() == grpc.StatusCode.UNAVAILABLE


class TestStart:
    @pytest.mark.parametrize(
        ("cert", "key", "named"),
        [
            ("cert", "", "Set EXCHANGE_GRPC_TLS_KEY too"),
            ("", "key", "Set EXCHANGE_GRPC_TLS_CERT too"),
            ("nowhere.crt", "key", "EXCHANGE_GRPC_TLS_CERT: nowhere.crt cannot be read: No such file"),
            ("cert", "/", "EXCHANGE_GRPC_TLS_KEY: / cannot be read: Is a directory"),
            ("cert", "other_key", "EXCHANGE_GRPC_TLS_CERT and EXCHANGE_GRPC_TLS_KEY are not"),
            ("cert", "locked_key", "EXCHANGE_GRPC_TLS_CERT and EXCHANGE_GRPC_TLS_KEY are not"),
            ("key", "key", "EXCHANGE_GRPC_TLS_CERT and EXCHANGE_GRPC_TLS_KEY are not"),
        ],
    )
    def test_stops_at_a_certificate_that_would_not_do(self, files, settings, cert, key, named):
        settings.GRPC_TLS_CERT, settings.GRPC_TLS_KEY = (getattr(files, path, path) for path in (cert, key))

        with pytest.raises(ImproperlyConfigured, match=named):
            tls.credentials()

    def test_says_so_as_a_command(self, settings):
        settings.GRPC_TLS_CERT = "nowhere.crt"

        with pytest.raises(CommandError, match="EXCHANGE_GRPC_TLS_CERT: nowhere"):
            call_command("serve_grpc", address="127.0.0.1:0")

    def test_stops_at_an_address_that_is_taken(self):
        with serving() as port, pytest.raises(CommandError, match="is taken"):
            call_command("serve_grpc", address=f"127.0.0.1:{port}")


class TestReflection:
    def services(self, port):
        ask = reflection_pb2.ServerReflectionRequest(list_services="")
        with plain(port) as channel:
            stub = reflection_pb2_grpc.ServerReflectionStub(channel)
            [answer] = stub.ServerReflectionInfo(iter([ask]), timeout=SECONDS)
        return {service.name for service in answer.list_services_response.service}

    def test_tells_every_service_when_it_is_on(self, settings):
        settings.GRPC_REFLECTION = True

        with serving() as port:
            assert set(service_names()) < self.services(port)

    def test_tells_nothing_when_it_is_off(self, settings):
        settings.GRPC_REFLECTION = False

        with serving() as port:
            assert refused(lambda: self.services(port)).code() == grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.django_db(transaction=True)
class TestCalls:
    @pytest.fixture
    def port(self):
        with serving() as port:
            yield port

    @pytest.fixture
    def users(self, port):
        with plain(port) as channel:
            yield users_pb2_grpc.UserServiceStub(channel)

    def test_that_are_refused_tell_the_reason(self, users):
        error = refused(lambda: users.GetProfile(users_pb2.GetProfileRequest(), timeout=SECONDS))

        reason = ErrorInfo()
        rpc_status.from_call(error).details[0].Unpack(reason)
        assert (error.code(), reason.reason) == (grpc.StatusCode.UNAUTHENTICATED, "unauthenticated")

    def test_without_a_deadline_are_served(self, users):
        error = refused(lambda: users.GetProfile(users_pb2.GetProfileRequest()))

        assert error.code() == grpc.StatusCode.UNAUTHENTICATED

    def test_that_are_too_large_are_refused(self, users):
        request = users_pb2.LoginRequest(password="x" * (serve_grpc.LARGEST_MESSAGE + 1))

        error = refused(lambda: users.Login(request, timeout=SECONDS))
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED

    def test_that_are_too_large_when_unpacked_are_refused(self, users):
        request = users_pb2.LoginRequest(password="x" * (serve_grpc.LARGEST_MESSAGE + 1))

        error = refused(lambda: users.Login(request, timeout=SECONDS, compression=grpc.Compression.Gzip))
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED

    def test_stop_the_database_when_their_client_has_gone(self, users):
        user = UserFactory()
        token = [("authorization", f"Bearer {token_for(user)}")]
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            request = users_pb2.UpdateProfileRequest(bio="New")
            error = refused(lambda: users.UpdateProfile(request, metadata=token, timeout=0.5))
            assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
            assert ends(waiting_for_locks)
        user.refresh_from_db()
        assert user.bio == ""


def ends(waiting):
    """Whether nobody waits soon."""
    until = time.monotonic() + 5
    while waiting() and time.monotonic() < until:
        time.sleep(0.05)
    return not waiting()


def waiting_for_locks():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0]


class Idle:
    """Calls to `LOGIN` that never send their message."""

    LOGIN = "/llm_benchmark.v1.UserService/Login"
    A_CONNECTION = 100

    def __init__(self, port, count):
        self.over, self.left = threading.Event(), ExitStack()
        channels = [self.left.enter_context(plain(port)) for _ in range(0, count, self.A_CONNECTION)]
        self.calls = [
            channels[number // self.A_CONNECTION].stream_unary(self.LOGIN).future(self.nothing())
            for number in range(count)
        ]

    def nothing(self):
        self.over.wait()
        yield from ()

    def __enter__(self):
        time.sleep(1)  # what is on its way arrives
        assert not any(call.done() for call in self.calls)
        return self

    def __exit__(self, *_error):
        self.over.set()
        self.left.close()


@pytest.mark.django_db(transaction=True)
class TestIdleStreams:
    def test_do_no_harm_by_the_thousand(self):
        with serving() as port, Idle(port, 1000), plain(port) as channel:
            stub = users_pb2_grpc.UserServiceStub(channel)
            error = refused(lambda: stub.GetProfile(users_pb2.GetProfileRequest(), timeout=SECONDS))

        assert error.code() == grpc.StatusCode.UNAUTHENTICATED

    def test_are_bounded(self, monkeypatch):
        monkeypatch.setattr(serve_grpc, "MOST_CALLS", 3)

        with serving() as port, Idle(port, 3), plain(port) as channel:
            assert refused(lambda: health(channel)).code() == grpc.StatusCode.RESOURCE_EXHAUSTED

    def test_end_with_their_connection_when_it_is_old(self, monkeypatch):
        monkeypatch.setitem(serve_grpc.OPTIONS, "grpc.max_connection_age_ms", 1500)
        monkeypatch.setitem(serve_grpc.OPTIONS, "grpc.max_connection_age_grace_ms", 200)
        monkeypatch.setattr(serve_grpc, "MOST_CALLS", 3)

        with serving() as port, Idle(port, 3) as idle, plain(port) as channel:
            assert {call.code() for call in idle.calls} == {grpc.StatusCode.UNAVAILABLE}
            assert health(channel) == health_pb2.HealthCheckResponse.SERVING
