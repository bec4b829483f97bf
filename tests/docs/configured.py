"""A configuration of an MCP client, taken at its word: starts each server it names and prints its tools."""

import json
import os
import sys
from pathlib import Path

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def tools_of(server):
    env = {**os.environ, **server.get("env", {})}
    started = StdioServerParameters(command=server["command"], args=server.get("args", []), env=env)
    async with stdio_client(started) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return [tool.name for tool in (await session.list_tools()).tools]


def main():
    configuration = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for name, server in configuration.get("mcpServers", {}).items():
        print(f"{name}: {', '.join(anyio.run(tools_of, server))}")


if __name__ == "__main__":
    main()
