"""What a caller asks for, whichever protocol it speaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .config import KINDS, Behaviour
from .words import made_up, pieces_of

DEFAULT_TOKENS = 16
LARGEST_OUTPUT = 1_000_000
_REFUSALS = {
    "chat": "This is a chat model; it does not support {protocol}.",
    "embedding": "This is an embedding model; it does not support {protocol}. Use /v1/embeddings.",
    "rerank": "This is a reranker; it does not support {protocol}. Use /v1/rerank.",
    "rerank_tei": "This is a reranker; it does not support {protocol}. Use /rerank.",
}


class BadRequest(Exception):
    """The body is no request of its protocol, or this model refuses it."""

    def __init__(self, message: str, code: str = "invalid_request", status: int = 400) -> None:
        super().__init__(message)
        self.code, self.status = code, status


@dataclass(frozen=True, slots=True)
class Asked:
    """`max_tokens` is the limit by any name; `inputs` are texts to embed or documents to rank."""

    protocol: str
    model: str
    prompt: str
    fields: frozenset[str]
    stream: bool = False
    include_usage: bool = False
    max_tokens: int | None = None
    ignore_eos: bool = False
    min_tokens: int = 0
    inputs: Sequence[str] = ()

    def check(self, behaviour: Behaviour, standard: frozenset[str]) -> None:
        """Raises BadRequest for what this model refuses; `standard` are the fields its protocol knows."""
        if self.protocol not in KINDS[behaviour.kind]:
            message = _REFUSALS[behaviour.kind].format(
                protocol=self.protocol.replace("chat", "chat completions")
            )
            raise BadRequest(message, "unsupported_model")
        if behaviour.asymmetric and "input_type" not in self.fields:
            raise BadRequest("'input_type' parameter is required for asymmetric models", "missing_field")
        refused = self.fields & frozenset(behaviour.refused_fields)
        if behaviour.strict:
            refused |= self.fields - standard - frozenset(behaviour.extra_fields)
        if refused:
            message = f"Unrecognized request argument supplied: {', '.join(sorted(refused))}"
            raise BadRequest(message, "unknown_field")

    def answer(self, behaviour: Behaviour) -> tuple[list[str], list[str], str]:
        """Reasoning and answer in pieces of a token each, and the finish_reason."""
        if self.inputs:
            return [], [], "stop"
        thoughts = self._thoughts(behaviour) if behaviour.reasoning_tokens else []
        return thoughts, *self._text(behaviour, thought=len(thoughts))

    def _thoughts(self, behaviour: Behaviour) -> list[str]:
        count = behaviour.reasoning_tokens
        return made_up(self.model, count if self.max_tokens is None else min(count, self.max_tokens))

    def _text(self, behaviour: Behaviour, *, thought: int) -> tuple[list[str], str]:
        """`thought` tokens of the limit are spent already."""
        limit = None if self.max_tokens is None else self.max_tokens - thought
        settled = behaviour.answer_to(self.prompt)
        pieces = self._made_up(behaviour, limit) if settled is None else pieces_of(settled)
        missing = self._at_least(behaviour, limit) - len(pieces)
        if missing > 0:
            pieces += [f" {word.strip()}" for word in made_up(self.prompt, missing)]
        if limit is not None and len(pieces) >= limit:
            cut = len(pieces) > limit or settled is None
            return pieces[:limit], "length" if cut else "stop"
        return pieces, "stop"

    def _at_least(self, behaviour: Behaviour, limit: int | None) -> int:
        """How long the answer has to be, as far as this model understands such wishes."""
        if self.ignore_eos and "ignore_eos" in behaviour.extra_fields:
            return limit or 0
        return min(self.min_tokens, LARGEST_OUTPUT) if "min_tokens" in behaviour.extra_fields else 0

    def _made_up(self, behaviour: Behaviour, limit: int | None) -> list[str]:
        length = behaviour.output_tokens
        if length is None:
            length = DEFAULT_TOKENS if limit is None else limit
        return made_up(self.prompt, min(length, LARGEST_OUTPUT))


def generating(protocol: str, data: Mapping[str, Any], *, prompt: str, limits: Sequence[str]) -> Asked:
    """What the protocols that answer with text have in common; the limit is the first of `limits` given."""
    shortest, options = data.get("min_tokens"), data.get("stream_options")
    return Asked(
        protocol,
        data["model"],
        prompt,
        frozenset(data),
        stream=data.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        max_tokens=_limit(data, limits),
        ignore_eos=data.get("ignore_eos") is True,
        min_tokens=shortest if isinstance(shortest, int) else 0,
    )


def last_text(messages: Any) -> str:
    """The last message's text."""
    if not isinstance(messages, list) or not messages:
        raise BadRequest("Messages are missing.")
    content = messages[-1].get("content") if isinstance(messages[-1], dict) else None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise BadRequest("The last message has no text.")
    return content


def texts(data: Mapping[str, Any], name: str) -> list[str]:
    """A text, or a list of them."""
    given = data.get(name)
    found = [given] if isinstance(given, str) else given
    if not isinstance(found, list) or not found or not all(isinstance(text, str) for text in found):
        raise BadRequest(f"{name} must be a text or a list of texts.")
    return found


def _limit(data: Mapping[str, Any], names: Sequence[str]) -> int | None:
    given = next((data[name] for name in names if data.get(name) is not None), None)
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise BadRequest("max_tokens must be a whole number above 0.")
    return min(given, LARGEST_OUTPUT)
