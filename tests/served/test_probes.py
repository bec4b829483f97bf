"""Probes of a web process all of whose threads hang."""

import json
from contextlib import ExitStack, closing
from socket import create_server

import pytest

from .conftest import Web
from .test_clients import Client

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
THREADS = 4  # of both workers


def test_are_answered_while_postgresql_answers_nobody(tmp_path):
    with closing(create_server(("127.0.0.1", 0), backlog=100)) as silent, ExitStack() as life:
        url = f"postgres://a:b@127.0.0.1:{silent.getsockname()[1]}/c?connect_timeout=600"
        web = life.enter_context(Web(tmp_path, env={"DATABASE_URL": url}, WEB_THREADS=THREADS // 2))
        for _ in range(10 * THREADS):
            life.enter_context(
                Client(web, "GET /api/v1/benchmarks HTTP/1.1", "Authorization: Bearer lbx_pat_x")
            )

        assert web.get("/live").status == 200
        ready = web.get("/ready")
        assert (ready.status, json.load(ready)["checks"]["database"]) == (503, False)
