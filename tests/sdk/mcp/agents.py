"""Servers, and agents that ask them over either transport."""

import os
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

import anyio
import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

SERVER = [sys.executable, "-m", "llm_benchmark.cli", "mcp"]


class Agent:
    """A program that opens a session of the official SDK for each thing that it asks."""

    def __init__(self, connect):
        self._connect = connect

    def initialize(self):
        return self._run(lambda session: session.initialize_result)

    def tools(self):
        async def ask(session):
            return (await session.list_tools()).tools

        return {tool.name: tool for tool in self._run(ask)}

    def call(self, name, **arguments):
        return self.call_each([(name, arguments)])[0]

    def call_each(self, calls):
        """The session itself checks structured results against the schemas that the server listed."""

        async def ask(session):
            await session.list_tools()
            return [await session.call_tool(name, arguments) for name, arguments in calls]

        return self._run(ask)

    def data(self, name, **arguments):
        result = self.call(name, **arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    def refusal(self, name, **arguments):
        result = self.call(name, **arguments)
        assert result.is_error, result
        assert result.structured_content is None
        return result.content[0].text

    def _run(self, ask):
        async def run():
            async with self._connect() as (read, write), ClientSession(read, write) as session:
                await session.initialize()
                found = ask(session)
                return await found if hasattr(found, "__await__") else found

        return anyio.run(run)


def over_http(url, token=None):
    @asynccontextmanager
    async def connect():
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            streamable_http_client(url, http_client=http) as streams,
        ):
            yield streams

    return Agent(connect)


def over_stdio(stack, token=None, *options, errors, home=None):
    """`errors`: the file that the server's standard error goes to; `home`: where its user's files are."""
    home = str(home or stack.state_dir)
    env = {**os.environ, "LLM_BENCHMARK_API_URL": stack.base_url, "LLM_BENCHMARK_HOME": home}
    env |= {"LLM_BENCHMARK_TOKEN": token} if token else {}
    server = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], *options], env=env)
    return Agent(lambda: stdio_client(server, errlog=errors))


@contextmanager
def http_server(stack, *options, errors, token=""):
    """The URL of a server whose own user has `token`, which no caller may profit from."""
    env = {**os.environ, "LLM_BENCHMARK_API_URL": stack.base_url, "LLM_BENCHMARK_TOKEN": token}
    command = [*SERVER, "--transport", "http", "--port", "0", *options]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as server:
        try:
            yield server.stdout.readline().split()[1]
        finally:
            server.terminate()
