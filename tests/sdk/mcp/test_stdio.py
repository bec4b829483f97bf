"""The server as a program of an agent's own: its user's token, and the protocol alone on its output."""

import json
import os
import subprocess

import pytest

from .agents import SERVER, over_stdio

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
FIRST = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": "test", "version": "0"}},
}  # fmt: skip
SECOND = {"jsonrpc": "2.0", "method": "notifications/initialized"}
THIRD = {
    "jsonrpc": "2.0", "id": 2, "method": "tools/call",
    "params": {"name": "search_benchmarks", "arguments": {"query": "sums"}},
}  # fmt: skip


def test_asks_with_the_token_of_its_user(world, own_token, errors):
    own = over_stdio(world.stack, own_token, errors=errors)

    assert own.data("benchmark_provider_list")["items"][0]["id"] == world.lab.endpoint.id


def test_asks_as_nobody_without_one(world, errors):
    own = over_stdio(world.stack, errors=errors)

    assert own.data("search_benchmarks")["items"][0]["slug"] == "sums"
    assert "LLM_BENCHMARK_TOKEN" in own.refusal("benchmark_provider_list")


def test_asks_with_what_auth_login_kept(world, own_token, errors, tmp_path):
    kept = {world.stack.base_url: {"token": own_token}}
    (tmp_path / "credentials.json").write_text(json.dumps(kept))
    own = over_stdio(world.stack, errors=errors, home=tmp_path)

    assert own.data("benchmark_provider_list")["items"][0]["id"] == world.lab.endpoint.id


def test_offers_writing_on_request(world, own_token, errors):
    tools = over_stdio(world.stack, own_token, "--allow-writes", errors=errors).tools()

    assert "benchmark_provider_discover" in tools


def test_speaks_nothing_but_the_protocol_even_when_it_logs(world, own_token):
    env = {
        **os.environ,
        "LLM_BENCHMARK_API_URL": world.stack.base_url,
        "LLM_BENCHMARK_TOKEN": own_token,
        "LLM_BENCHMARK_DEBUG": "1",
    }
    with subprocess.Popen(
        SERVER, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        answers = [_ask(server, FIRST)]
        _ask(server, SECOND, is_answered=False)
        answers.append(_ask(server, THIRD))
        rest, log = server.communicate(timeout=60)

    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["items"][0]["slug"] == "sums"
    assert (rest, server.returncode) == ("", 0)
    assert "GET /api/v1/benchmarks" in log
    assert own_token not in log


def _ask(server, message, *, is_answered=True):
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline()) if is_answered else None
