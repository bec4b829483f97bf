"""The exchange for agents, over the Model Context Protocol. Needs the extra `mcp`.

A tool is one function in `tools/`: it takes the caller's client and returns a typed result. `offering` gives
it its schemas and annotations, `refusals` its errors; `serving` speaks over stdio or HTTP.
"""
