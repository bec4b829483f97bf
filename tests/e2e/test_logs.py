"""What every process writes, from its start to its end, is JSON: a line a record."""

import json
import signal
import sys
from contextlib import contextmanager

import httpx
import pytest

from exchange.api.pb import users_pb2
from exchange.embedded.lifeline import Child
from exchange.embedded.ports import accepts, free_port
from exchange.processes import CHECKOUT, NAMES, program
from exchange.settings.environment import Environment
from tests.e2e.people import Visitor, until

SAID_WHEN_READY = {"grpc": "gRPC on", "worker": "ready."}
pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]


def lines(log):
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def is_ready(name, log, stack, web_port):
    """Beat has nothing to say, but it rings beside the stack's own; web hears signals once it answers."""
    if name == "beat":
        beats = 'exchange_worker_processes{kind="beat",state="active"} 2.0'
        return beats in httpx.get(f"{stack.base_url}/metrics").text
    if name == "web":
        return accepts(web_port) and httpx.get(f"http://127.0.0.1:{web_port}/live", timeout=60).is_success
    return SAID_WHEN_READY[name] in log.read_text()


@contextmanager
def running(name, stack, folder, web_port=0):
    """Another process of that name on the stack's servers; its log."""
    here = {
        "EXCHANGE_WEB_ADDRESS": f"127.0.0.1:{web_port}",
        "EXCHANGE_WEB_WORKERS": "1",
        "EXCHANGE_GRPC_ADDRESS": f"127.0.0.1:{free_port()}",
        "PYTHONPATH": ":".join(sys.path),
    }
    env, log = {**stack.env, **here}, folder / f"{name}.log"
    child = Child(program(name, Environment(env), state_dir=folder).argv, log=log, env=env, cwd=CHECKOUT)
    try:
        yield child, log
    finally:
        child.end()


class TestEveryLine:
    @pytest.mark.parametrize("name", ["web", "grpc", "worker", "beat"])
    def test_of_a_process_that_starts_and_stops_is_a_record(self, stack, tmp_path, name):
        web_port = free_port()
        with running(name, stack, tmp_path, web_port) as (child, log):
            until(lambda: is_ready(name, log, stack, web_port))
            child.send(signal.SIGTERM)
            assert child.wait(60)

        for line in lines(log):
            assert {"time", "level", "logger", "message"} <= line.keys()

    def test_of_the_migration_is_a_record(self, stack, tmp_path):
        with running("migrate", stack, tmp_path) as (child, log):
            assert child.wait(120)
            assert child.exit_code() == 0
        assert any(line["logger"] == "exchange.migrate" for line in lines(log))

    def test_of_a_migration_that_fails_is_a_record(self, stack, tmp_path):
        broken = {"DATABASE_URL": "postgresql://n:n@127.0.0.1:1/n", "DATABASE_OWNER_URL": ""}
        stack_env = type("Stack", (), {"env": {**stack.env, **broken}})
        with running("migrate", stack_env, tmp_path) as (child, log):
            assert child.wait(120)
            assert child.exit_code() == 1
        assert lines(log)[-1]["level"] == "error"

    def test_of_a_stack_that_was_used_is_a_record(self, lab, stack):
        lab.rest.get("/benchmarks")
        for name in ("migrate", *NAMES):
            lines(stack.state_dir / "log" / f"{name}.log")


class TestAccess:
    SECRET = "sesame-open-0815"

    def found(self, stack, name, **fields):
        """The first access line with these fields."""

        def look():
            access = (
                line for line in lines(stack.state_dir / "log" / f"{name}.log") if "duration_ms" in line
            )
            return next((line for line in access if fields.items() <= line.items()), None)

        return until(look)

    def test_of_a_request_has_its_route_and_not_what_it_carries(self, lab, stack):
        answer = httpx.get(
            f"{stack.base_url}/api/v1/submissions/{self.SECRET}?password={self.SECRET}",
            headers={"Authorization": f"Bearer {self.SECRET}"},
        )
        line = self.found(stack, "web", request_id=answer.headers["X-Request-ID"])

        assert line["logger"] == "exchange.access"
        assert (line["method"], line["status"], line["actor"]) == ("GET", answer.status_code, "anonymous")
        assert line["route"] == "/api/v1/submissions/(?P<pk>[^/]+)"
        assert line["duration_ms"] > 0
        assert self.SECRET not in (stack.state_dir / "log" / "web.log").read_text()

    def test_of_a_person_says_how_they_are_known(self, lab, stack):
        lab.rest.get("/users/me")
        visitor = Visitor(stack.base_url)
        visitor.log_in(lab.name)
        visitor.get("/profile")
        visitor.close()
        assert self.found(stack, "web", route="/api/v1/users/me", actor="token")["status"] == 200
        assert self.found(stack, "web", route="/profile", actor="session")["status"] == 200

    def test_of_a_call_has_its_code(self, lab, stack):
        lab.rpc("GetProfile", users_pb2.GetProfileRequest())
        lab.rpc.refusal("Login", users_pb2.LoginRequest(email_or_username="nobody", password=self.SECRET))

        good = self.found(stack, "grpc", route="UserService.GetProfile")
        assert (good["method"], good["code"], good["actor"], good["refusal"]) == ("gRPC", "OK", "token", None)
        bad = self.found(stack, "grpc", route="UserService.Login")
        assert (bad["code"], bad["refusal"]) == ("UNAUTHENTICATED", "login_failed")
        assert self.SECRET not in (stack.state_dir / "log" / "grpc.log").read_text()

    def test_of_a_probe_is_left_out_while_all_is_well(self, lab, stack):
        httpx.get(f"{stack.base_url}/live")
        missing = httpx.get(f"{stack.base_url}/nowhere")
        self.found(stack, "web", request_id=missing.headers["X-Request-ID"])
        routes = {line.get("route") for line in lines(stack.state_dir / "log" / "web.log")}
        assert "/live" not in routes
