"""Embeddings and rankings, made up: the same text always has the same vector and the same relevance."""

import zlib
from collections.abc import Mapping
from typing import Any

from llm_benchmark.simulator.request import Asked, texts
from llm_benchmark.simulator.wording import Said

from .speech import Openai, Speech

DIMENSIONS = 8


class Embeddings(Openai):
    name = "embeddings"
    path = "/v1/embeddings"
    streams = False
    standard = frozenset({"model", "input", "encoding_format", "dimensions", "user"})

    def read(self, data: Mapping[str, Any]) -> Asked:
        inputs = texts(data, "input")
        return Asked("embeddings", data["model"], "".join(inputs), frozenset(data), inputs=inputs)

    def document(self, said: Said) -> dict[str, Any]:
        entries = [
            {"object": "embedding", "index": index, "embedding": _vector(text)}
            for index, text in enumerate(said.inputs)
        ]
        counts = {}
        if said.usage is not None:
            counts = {"usage": {"prompt_tokens": said.usage.input, "total_tokens": said.usage.input}}
        return {"object": "list", "data": entries, "model": said.model, **counts, **said.more}


class Rerank(Speech):
    """Cohere's and Jina's shape."""

    name = "rerank"
    path = "/v1/rerank"
    streams = False
    standard = frozenset({"model", "query", "documents", "top_n", "return_documents", "max_tokens_per_doc"})

    def read(self, data: Mapping[str, Any]) -> Asked:
        documents = texts(data, "documents")
        return Asked("rerank", data["model"], texts(data, "query")[0], frozenset(data), inputs=documents)

    def document(self, said: Said) -> dict[str, Any]:
        results = [{"index": index, "relevance_score": score} for index, score in _ranking(said)]
        counts = {}
        if said.usage is not None:
            counts = {"meta": {"billed_units": {"search_units": 1, "input_tokens": said.usage.input}}}
        ids = {"id": f"rerank-simulated-{said.number}", "model": said.model}
        return {**ids, "results": results, **counts, **said.more}


class RerankTei(Speech):
    """Text Embeddings Inference's shape, which names no model."""

    name = "rerank_tei"
    path = "/rerank"
    streams = False
    standard = frozenset({"query", "texts", "raw_scores", "return_text", "truncate", "truncation_direction"})

    def read(self, data: Mapping[str, Any]) -> Asked:
        documents = texts(data, "texts")
        return Asked("rerank_tei", data["model"], texts(data, "query")[0], frozenset(data), inputs=documents)

    def document(self, said: Said) -> list[dict[str, Any]]:
        return [{"index": index, "score": score} for index, score in _ranking(said)]


def _ranking(said: Said) -> list[tuple[int, float]]:
    scores = [(index, _share(text)) for index, text in enumerate(said.inputs)]
    return sorted(scores, key=lambda entry: -entry[1])


def _vector(text: str) -> list[float]:
    return [_share(f"{dimension}:{text}") * 2 - 1 for dimension in range(DIMENSIONS)]


def _share(text: str) -> float:
    """0 to 1."""
    return round(zlib.crc32(text.encode()) / 0xFFFFFFFF, 6)
