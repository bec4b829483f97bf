"""Redis is only the doorbell: it may be emptied at any moment, or be gone."""

import sys
import threading
from contextlib import contextmanager

import pytest
import redis

from exchange.embedded.lifeline import Child
from exchange.embedded.ports import accepts, free_port
from exchange.processes import CHECKOUT, program
from exchange.settings.environment import Environment
from tests.e2e.people import PASSWORD, RIGHT, until
from tests.e2e.rest import Rest

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]


@contextmanager
def emptied(url, seconds):
    """FLUSHALL again and again while the block runs; gives the list of times it was done."""
    client, stop, done = redis.from_url(url), threading.Event(), []

    def empty():
        while not stop.wait(seconds):
            done.append(client.flushall())

    thread = threading.Thread(target=empty)
    thread.start()
    try:
        yield done
    finally:
        stop.set()
        thread.join()
        client.close()


@contextmanager
def website_without_redis(stack, log):
    """Another web process on the stack's database, which finds nobody at the broker's address."""
    port = free_port()
    elsewhere = {
        "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
        "EXCHANGE_WEB_ADDRESS": f"127.0.0.1:{port}",
    }
    env = {**stack.env, **elsewhere, "PYTHONPATH": ":".join(sys.path)}
    web = program("web", Environment(env), state_dir=log.parent)
    child = Child(web.argv, log=log, env=env, cwd=CHECKOUT)
    try:
        until(lambda: accepts(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        child.end()


class TestEmptiedRedis:
    def test_costs_no_run(self, lab, stack):
        with emptied(stack.env["REDIS_URL"], 0.5) as times:
            claims = [lab.claim_quality("able", RIGHT) for _ in range(3)]
            claims.append(lab.claim_speed("chatty", 36.0))
            asked = [lab.request_over_rest(claim) for claim in claims]
            ended = [lab.ended(verification) for verification in asked]

        assert len(times) > 1
        assert [(one["status"], one["verdict"]) for one in ended] == [("decided", "consistent")] * 4
        runs = [lab.rest.get(f"/runs/{one['run_ids'][0]}") for one in ended]
        assert [run["requests_lost"] for run in runs] == [0] * 4


class TestAbsentRedis:
    def test_keeps_nobody_from_submitting_and_the_run_is_found_all_the_same(self, lab, stack, tmp_path):
        with website_without_redis(stack, tmp_path / "web.log") as address, Rest(address) as rest:
            rest.log_in(username=lab.name, email="", password=PASSWORD)
            body = lab.claim_body(
                lab.quality, "able", claims=[{"name": "accuracy", "value": 0.3, "sample_count": 20}]
            )
            submission = rest.post("/submissions", body)
            verification = lab.request_over_rest(submission, rest)

        ended = lab.ended(verification)
        assert ended["status"] == "decided", ended
