"""The gRPC health service, asked over a connection while the parts come and go."""

import asyncio
import threading
from contextlib import contextmanager

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub, add_HealthServicer_to_server

from exchange.health import checks, rpc
from exchange.health.rpc import Health
from exchange.servicers import service_names

pytestmark = pytest.mark.sockets
SECONDS = 30
SERVING, NOT_SERVING = HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING


def report(*, pending=(), redis=True):
    return checks.Report(list(pending) if pending is not None else None, redis, evidence=True)


@pytest.fixture
def found(monkeypatch):
    """`found(report)`: what a look finds from now on."""

    def find(one):
        monkeypatch.setattr(checks, "look", lambda: one)

    find(report())
    return find


@contextmanager
def loop():
    running = asyncio.new_event_loop()
    thread = threading.Thread(target=running.run_forever)
    thread.start()
    try:
        yield lambda call: asyncio.run_coroutine_threadsafe(call, running).result(SECONDS)
    finally:
        running.call_soon_threadsafe(running.stop)
        thread.join()
        running.close()


async def serve(health):
    server = grpc.aio.server()
    add_HealthServicer_to_server(health, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, port


@pytest.fixture
def running():
    """(run a coroutine, the health service, its stub)."""
    with loop() as run:

        async def start():
            health = Health()
            return health, *(await serve(health))

        health, server, port = run(start())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield run, health, HealthStub(channel)
        run(server.stop(None))


def status(stub, name=""):
    return stub.Check(HealthCheckRequest(service=name), timeout=SECONDS).status


class TestHealth:
    @pytest.mark.parametrize(
        ("one", "expected"),
        [
            (report(), SERVING),
            (report(redis=False), SERVING),
            (report(pending=None), NOT_SERVING),
            (report(pending=["core.0004_worker_processes"]), NOT_SERVING),
        ],
        ids=["all is there", "redis is away", "the database is away", "a migration is pending"],
    )
    def test_of_every_service_is_whether_claims_are_taken(self, running, found, one, expected):
        run, health, stub = running
        found(one)
        run(health.look(service_names()))
        assert {status(stub, name) for name in ("", *service_names())} == {expected}

    def test_of_the_process_itself_is_good_without_a_database(self, running, found):
        run, health, stub = running
        found(report(pending=None))
        run(health.look(service_names()))
        assert status(stub, rpc.LIVE) == SERVING

    def test_of_what_is_not_offered_is_not_known(self, running, found):
        run, health, stub = running
        run(health.look(service_names()))
        with pytest.raises(grpc.RpcError) as refusal:
            status(stub, "llm_benchmark.v1.Nothing")
        assert refusal.value.code() == grpc.StatusCode.NOT_FOUND

    def test_is_watched_from_serving_to_stopping(self, running, found, monkeypatch):
        monkeypatch.setattr(rpc, "BETWEEN_LOOKS_SECONDS", 0.05)
        run, health, stub = running
        run(health.look(service_names()))
        seen = stub.Watch(HealthCheckRequest(service=service_names()[0]), timeout=SECONDS)

        async def begin():
            return asyncio.create_task(health.keep_looking(service_names()))

        looking = run(begin())
        changes = [next(seen).status]
        found(report(pending=None))
        changes.append(next(seen).status)
        found(report())
        changes.append(next(seen).status)
        run(health.enter_graceful_shutdown())
        changes.append(next(seen).status)
        seen.cancel()
        looking.cancel()
        assert changes == [SERVING, NOT_SERVING, SERVING, NOT_SERVING]
