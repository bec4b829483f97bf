"""Addresses of the website's pages, for people to read on."""

from urllib.parse import quote

from llm_benchmark.client import Client


def page(client: Client, *parts: str) -> str:
    """`page(client, "benchmarks", slug)` → `https://exchange.example/benchmarks/mmlu`."""
    return "/".join([client.settings.api_url, *(quote(part, safe="") for part in parts)])
