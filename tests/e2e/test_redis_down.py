"""Redis is only the doorbell: it may be emptied at any moment, or be gone."""

import os
import signal
import sys
import threading
from contextlib import contextmanager

import httpx
import pytest
import redis
from google.protobuf.json_format import ParseDict

from exchange.api.pb import submissions_pb2 as submissions
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


@contextmanager
def halted(url):
    """The server hangs: whoever asks it is let in and waits for an answer."""
    with redis.from_url(url) as client:
        pid = client.info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


class TestEmptiedRedis:
    def test_costs_no_run(self, lab, stack):
        with emptied(stack.env["REDIS_URL"], 0.5) as times:
            claims = [lab.claim_quality("able", RIGHT) for _ in range(3)]
            load = lab.claim_speed("slow", 514.0)
            asked = [lab.request_over_rest(claim) for claim in (*claims, load)]
            ended = [lab.ended(verification) for verification in asked]
            if ended[-1]["fault_side"] == "platform":  # its times were disturbed by what runs beside it
                ended[-1] = lab.ended(lab.request_over_rest(load))

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


class TestHangingRedis:
    def test_keeps_nobody_from_submitting_and_all_is_measured_once_it_answers(self, lab, stack):
        body = lab.claim_body(
            lab.quality, "able", claims=[{"name": "accuracy", "value": 0.3, "sample_count": 20}]
        )
        with halted(stack.env["REDIS_URL"]):
            over_rest = lab.rest.post("/submissions", body)
            over_grpc = lab.rpc("SubmitResults", ParseDict(body, submissions.SubmitResultsRequest()))
            asked = [lab.request_over_rest(over_rest), lab.request_over_grpc({"id": over_grpc.id})]
            ready = httpx.get(f"{stack.base_url}/ready", timeout=60)
            accepting = httpx.get(f"{stack.base_url}/accepting", timeout=60)

        shown = (ready.status_code, ready.json()["status"], ready.json()["accepting"])
        assert (shown, accepting.status_code) == ((503, "degraded", True), 200)
        assert [lab.ended(verification)["status"] for verification in asked] == ["decided"] * 2
