"""Fifty requests at once to a web process with two workers, and to the gRPC process."""

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
import redis

from exchange.api.pb import users_pb2, users_pb2_grpc
from exchange.embedded.ports import free_port
from tests.factories.accounts import UserFactory, token_for

from .processes import PATIENCE_SECONDS, Process, broker

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
LIMIT, AT_ONCE = 5, 50


@pytest.fixture(params=["with Redis", "without Redis"])
def limited(request):
    """Settings of a process that counts up to 5."""
    redis.from_url(broker()).flushdb()
    away = {"CELERY_BROKER_URL": f"redis://127.0.0.1:{free_port()}/0"}
    return {"REQUESTS_A_MINUTE": LIMIT, **(away if request.param == "without Redis" else {})}


def at_once(ask):
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda _number: ask(), range(AT_ONCE)))


def test_two_web_workers_let_in_as_many_as_the_limit_says(web, limited):
    process, token = web(**limited), token_for(UserFactory())

    answers = at_once(lambda: process.get("/api/v1/users/me", Authorization=f"Bearer {token}").status)

    assert sorted(answers) == [200] * LIMIT + [429] * (AT_ONCE - LIMIT)


def test_the_grpc_process_lets_in_as_many_as_the_limit_says(limited, tmp_path):
    token, address = token_for(UserFactory()), f"127.0.0.1:{free_port()}"

    def ask(stub):
        try:
            stub.GetProfile(
                users_pb2.GetProfileRequest(),
                metadata=[("authorization", f"Bearer {token}")],
                timeout=PATIENCE_SECONDS,
                wait_for_ready=True,
            )
        except grpc.RpcError as failed:
            return failed.code()
        return grpc.StatusCode.OK

    with (
        Process("grpc", tmp_path, env={"EXCHANGE_GRPC_ADDRESS": address}, **limited),
        grpc.insecure_channel(address) as channel,
    ):
        stub = users_pb2_grpc.UserServiceStub(channel)
        answers = at_once(lambda: ask(stub))

    assert answers.count(grpc.StatusCode.OK) == LIMIT
    assert answers.count(grpc.StatusCode.RESOURCE_EXHAUSTED) == AT_ONCE - LIMIT
