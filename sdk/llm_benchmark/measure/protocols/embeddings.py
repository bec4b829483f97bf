"""OpenAI's embeddings: a vector for each text."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.measure.plans import Generation, Target

from .answers import Completion, name_of, numbers, openai_usage
from .protocol import Protocol, dumps


class Embeddings(Protocol):
    name = "embeddings"
    path = "embeddings"
    aiperf_type = "embeddings"

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        return {}

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        return dumps({**fields, "input": prompt})

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        """Each item has a vector of finite numbers (or base64), else it is no answer."""
        items = data.get("data")
        if not isinstance(items, list) or not all(map(_is_embedding, items)):
            return Completion(error="invalid_response")
        return Completion(
            finish_reason="stop",
            model=name_of(data.get("model")),
            usage=openai_usage(data.get("usage")),
            vectors=len(items),
            error=None if items else "empty_response",
        )


def _is_embedding(item: Any) -> bool:
    vector = item.get("embedding") if isinstance(item, dict) else None
    return bool(vector) if isinstance(vector, str) else numbers(vector) is not None
