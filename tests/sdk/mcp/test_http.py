"""One server, several callers: each request is answered with what it brought, and with nothing else."""

import anyio
import httpx
import httpx2
import pytest
from mcp import Client as AgentClient
from mcp.client.streamable_http import streamable_http_client

from .agents import http_server, over_http
from .world import HUSH

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPTS = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def writing_url(world, errors):
    with http_server(world.stack, "--allow-writes", errors=errors) as url:
        yield url


class TestCallers:
    def test_each_sees_its_own(self, agent, rival, world):
        mine, theirs = (one.data("benchmark_provider_list")["items"] for one in (agent, rival))

        assert [one["id"] for one in mine] == [world.lab.endpoint.id]
        assert [one["id"] for one in theirs] == [world.rival.endpoint.id]

    def test_are_not_mixed_up_when_they_ask_at_once(self, server_url, own_token, world):
        tokens = {own_token: world.lab, world.rival.token("endpoints:read"): world.rival}

        async def ask(token, found):
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
                AgentClient(streamable_http_client(server_url, http_client=http)) as agent,
            ):
                for _ in range(5):
                    result = await agent.call_tool("benchmark_provider_list", {})
                    found.append((token, result.structured_content["items"][0]["id"]))

        async def ask_all(found):
            async with anyio.create_task_group() as group:
                for token in [*tokens] * 3:
                    group.start_soon(ask, token, found)
            return found

        found = anyio.run(ask_all, [])
        assert len(found) == 30
        assert all(tokens[token].endpoint.id == endpoint_id for token, endpoint_id in found)

    def test_without_a_token_are_nobody_though_the_server_has_one(self, nobody):
        assert nobody.data("get_leaderboard", benchmark="sums")["ranked_count"] == 2
        assert nobody.refusal("benchmark_provider_list").startswith("unauthorized (unauthenticated): ")

    def test_with_a_bad_token_are_refused(self, server_url):
        refusal = over_http(server_url, "lbx_pat_nonsense").refusal("search_benchmarks")

        assert refusal.startswith("unauthorized (")
        assert "nonsense" not in refusal

    def test_are_told_which_scope_is_missing(self, server_url, world):
        narrow = over_http(server_url, world.lab.token("benchmarks:read"))
        refusal = narrow.refusal("benchmark_provider_list")

        assert refusal.startswith("permission_denied (scope_missing): ")
        assert "endpoints:read" in refusal


class TestPrivateThings:
    @pytest.mark.parametrize("who", ["agent", "nobody"])
    def test_stay_hidden(self, request, world, who):
        asker = request.getfixturevalue(who)

        assert asker.data("search_benchmarks", query=HUSH)["items"] == []
        assert asker.data("benchmark_model_list", query=HUSH)["items"] == []
        assert asker.refusal("get_leaderboard", benchmark=HUSH).startswith("not_found")
        assert asker.refusal("submission_status", submission_id=world.hidden_submission.id).startswith(
            "not_found"
        )

    def test_of_another_organization_do_not_exist(self, agent, world):
        for tool in ("benchmark_provider_get", "benchmark_model_list"):
            result = agent.call(tool, provider_id=world.rival.endpoint.id)
            assert result.is_error or result.structured_content["items"] == []

    def test_are_there_for_their_owner(self, rival, world):
        status = rival.data("submission_status", submission_id=world.hidden_submission.id)

        assert (status["model_name"], status["visibility"]) == (HUSH, "private")
        assert [one["slug"] for one in rival.data("search_benchmarks", query=HUSH)["items"]] == [HUSH]


class TestDiscover:
    def test_asks_the_provider(self, writing_url, world):
        writer = over_http(writing_url, world.lab.token("endpoints:write"))
        found = writer.data("benchmark_provider_discover", provider_id=world.lab.endpoint.id)

        assert {one["served_name"] for one in found["models"]} == {"able", "boasting", "chatty", "slow"}
        assert writer.tools()["benchmark_provider_discover"].annotations.read_only_hint is False

    def test_still_needs_the_scope(self, writing_url, own_token, world):
        refusal = over_http(writing_url, own_token).refusal(
            "benchmark_provider_discover", provider_id=world.lab.endpoint.id
        )

        assert refusal.startswith("permission_denied (scope_missing): ")
        assert "endpoints:write" in refusal

    def test_is_not_there_where_writing_is_not_allowed(self, agent, world):
        result = agent.call("benchmark_provider_discover", provider_id=world.lab.endpoint.id)

        assert result.is_error
        assert "Unknown tool" in result.content[0].text


class TestRequests:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"Host": "evil.example"}, 421),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": "http://127.0.0.1.evil.example"}, 403),
            ({}, 200),
        ],
    )
    def test_from_elsewhere_in_a_browser_are_refused(self, server_url, headers, status):
        assert httpx.post(server_url, json=LIST, headers={**ACCEPTS, **headers}).status_code == status

    def test_open_no_session_that_another_could_use(self, server_url):
        answer = httpx.post(server_url, json=LIST, headers=ACCEPTS)

        assert "mcp-session-id" not in answer.headers
        assert len(answer.json()["result"]["tools"]) == 13

    def test_that_are_too_large_are_refused(self, server_url):
        large = {**LIST, "params": {"cursor": "x" * 100_000}}

        assert httpx.post(server_url, json=large, headers=ACCEPTS).status_code == 413

    @pytest.mark.parametrize("mode", ["legacy", "auto"])
    def test_of_both_generations_of_the_protocol_carry_the_token(self, server_url, own_token, world, mode):
        async def ask():
            headers = {"Authorization": f"Bearer {own_token}"}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as http,
                AgentClient(streamable_http_client(server_url, http_client=http), mode=mode) as agent,
            ):
                return await agent.call_tool("benchmark_provider_list", {})

        assert anyio.run(ask).structured_content["items"][0]["id"] == world.lab.endpoint.id
