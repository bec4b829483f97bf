"""A load profile in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from llm_benchmark.models import LoadProfile


def load_line(load: LoadProfile) -> str:
    """`20 requests of 64 → 32 tokens, 4 at a time`."""
    each = " at each level" if load.concurrencies else ""
    levels = ", ".join(map(str, load.concurrencies)) or str(load.concurrency)
    return f"{load.requests} requests{each} of {_asked(load)}, {levels} at a time"


def _asked(load: LoadProfile) -> str:
    if load.protocol == "embeddings":
        return f"{load.batch_size} × {load.input_tokens} tokens to embed"
    if load.protocol == "rerank":
        return f"{load.documents} documents of {load.input_tokens} tokens to rank"
    return f"{load.input_tokens} → {load.output_tokens} tokens"
