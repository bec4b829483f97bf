"""Rankings of documents for a query: Cohere's and Jina's shape, and Text Embeddings Inference's."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.measure.plans import Generation, Target, Usage

from .answers import Completion, count_of, mapping, name_of, numbers
from .protocol import Protocol, dumps

DOCUMENTS = ("Paris is the capital of France.", "A heron is a bird.")


class Rerank(Protocol):
    """`results` with index and relevance_score."""

    name = "rerank"
    path = "rerank"
    aiperf_type = "cohere_rankings"

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        return {}

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        """The prompt is the query."""
        return dumps({**fields, "query": prompt, "documents": list(DOCUMENTS)})

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        results = data.get("results", data.get("data"))
        return _ranked(results, "relevance_score", model=name_of(data.get("model")), usage=_usage(data))


class RerankTei(Protocol):
    """A bare list with index and score; the path stands at the root, not below /v1."""

    name = "rerank_tei"
    path = "rerank"
    aiperf_type = "hf_tei_rankings"
    is_at_root = True

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        return {}

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        return dumps({"query": prompt, "texts": list(DOCUMENTS)})

    def read_parsed(self, data: Any) -> Completion:
        return _ranked(data, "score", model=None, usage=Usage())

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        return Completion(error="invalid_response")


def _ranked(results: Any, field: str, *, model: str | None, usage: Usage) -> Completion:
    """Each result has an index and a finite score, else it is no answer."""
    if not isinstance(results, list) or not all(_is_ranking(item, field) for item in results):
        return Completion(error="invalid_response")
    error = None if results else "empty_response"
    return Completion(finish_reason="stop", model=model, usage=usage, vectors=len(results), error=error)


def _is_ranking(item: Any, field: str) -> bool:
    ranking = mapping(item)
    return count_of(ranking.get("index")) is not None and numbers([ranking.get(field)]) is not None


def _usage(data: Mapping[str, Any]) -> Usage:
    """Jina tells usage as OpenAI does, Cohere in `meta`."""
    told = mapping(data.get("usage"))
    billed = mapping(mapping(data.get("meta")).get("billed_units"))
    return Usage(count_of(told.get("prompt_tokens", told.get("total_tokens", billed.get("input_tokens")))))
