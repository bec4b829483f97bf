"""What docs/mcp.md says is true."""

import json
import os
import re
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from llm_benchmark.mcp.offering import offer_of
from llm_benchmark.mcp.tools import TOOLS

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")


def test_lists_each_tool_and_which_write():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", PAGE, re.MULTILINE))

    assert set(rows) == {tool.__name__ for tool in TOOLS}
    writing = {name for name, about in rows.items() if "--allow-writes" in about}
    assert writing == {tool.__name__ for tool in TOOLS if offer_of(tool).writes}


@pytest.mark.sockets
def test_gives_a_configuration_that_starts_the_server():
    [config] = re.findall(r"```json\n(.+?)```", PAGE, re.DOTALL)
    [server] = json.loads(config)["mcpServers"].values()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    started = StdioServerParameters(**{**server, "env": {**server["env"], "PATH": path}})

    async def ask():
        async with Client(started) as client:
            return (await client.list_tools()).tools

    assert len(anyio.run(ask)) == sum(not offer_of(tool).writes for tool in TOOLS)
