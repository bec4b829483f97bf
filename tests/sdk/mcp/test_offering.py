"""Tools made of small functions, asked in this process by the SDK's own client."""

import anyio
import pytest
from mcp import Client as AgentClient
from mcp.server.mcpserver import MCPServer

from llm_benchmark.errors import NotFound
from llm_benchmark.mcp.arguments import Limit
from llm_benchmark.mcp.offering import as_tool, offered
from llm_benchmark.mcp.results import Result
from llm_benchmark.mcp.server import build


class Sum(Result):
    value: int

    def lines(self):
        yield f"The sum is {self.value}."


class Clients:
    def of(self, headers):
        assert headers is None
        return 40


@offered("Add to what the client is")
def add(client, *, number: Limit = 2) -> Sum:
    """Adds."""
    return Sum(value=client + number)


@offered("Refuse")
def refuse(client) -> Sum:
    """Refuses."""
    raise NotFound("There is none.", code="nothing_found")


@offered("Break", writes=True, is_open_world=False)
def crash(client) -> Sum:
    """Breaks."""
    raise RuntimeError("sk-secret")


@pytest.fixture
def ask():
    server = MCPServer("test", tools=[as_tool(one, Clients()) for one in (add, refuse, crash)])

    def call(name=None, **arguments):
        async def run():
            async with AgentClient(server) as agent:
                listed = {tool.name: tool for tool in (await agent.list_tools()).tools}
                return await agent.call_tool(name, arguments) if name else listed

        return anyio.run(run)

    return call


class TestTool:
    def test_answers_in_words_and_structured(self, ask):
        result = ask("add", number=2)

        assert result.structured_content == {"value": 42}
        assert result.content[0].text.startswith("The sum is 42.\n")

    def test_lists_schemas_without_the_client(self, ask):
        tool = ask()["add"]

        assert list(tool.input_schema["properties"]) == ["number"]
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["required"] == ["value"]
        assert tool.description == "Adds."

    @pytest.mark.parametrize("wrong", [{"number": 0}, {"number": "sk-secret"}, {"nummer": 1}])
    def test_names_wrong_arguments_and_does_not_echo_them(self, ask, wrong):
        result = ask("add", **wrong)

        assert result.is_error
        assert f"- {next(iter(wrong))}: " in result.content[0].text
        assert "sk-secret" not in result.content[0].text

    def test_says_a_refusal_as_an_error_of_the_tool(self, ask):
        result = ask("refuse")

        assert result.is_error
        assert result.content[0].text.startswith("not_found (nothing_found): There is none.")

    def test_keeps_the_words_of_a_crash_to_itself(self, ask):
        result = ask("crash")

        assert result.is_error
        assert "sk-secret" not in result.content[0].text

    @pytest.mark.parametrize(("name", "hints"), [("add", (True, True)), ("crash", (False, False))])
    def test_says_whether_it_writes_and_whose_text_it_brings(self, ask, name, hints):
        said = ask()[name].annotations

        assert (said.read_only_hint, said.open_world_hint) == hints
        assert said.destructive_hint is False


@pytest.mark.parametrize("allow_writes", [False, True])
def test_what_writes_is_offered_only_where_that_is_allowed(allow_writes):
    async def names():
        return {tool.name for tool in await build(Clients(), allow_writes=allow_writes).list_tools()}

    assert ("benchmark_provider_discover" in anyio.run(names)) is allow_writes
