"""What a caller asks for, checked as an OpenAI-compatible server checks it."""

from dataclasses import dataclass
from typing import Any

import orjson

from .config import Behaviour
from .words import made_up, pieces_of

DEFAULT_TOKENS = 16
LARGEST_OUTPUT = 1_000_000
_STANDARD = (
    "model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop seed "
    "presence_penalty frequency_penalty logprobs top_logprobs logit_bias response_format tools tool_choice "
    "user parallel_tool_calls reasoning_effort service_tier store metadata"
)
STANDARD_FIELDS = frozenset(_STANDARD.split())


class BadRequest(Exception):
    """The body is not a chat request."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """`max_tokens` is the limit by either name."""

    model: str
    prompt: str
    stream: bool
    include_usage: bool
    max_tokens: int | None
    ignore_eos: bool
    min_tokens: int
    fields: frozenset[str]

    def check(self, behaviour: Behaviour) -> None:
        """Raises BadRequest for a field that this model refuses."""
        refused = self.fields & frozenset(behaviour.refused_fields)
        if behaviour.strict:
            refused |= self.fields - STANDARD_FIELDS - frozenset(behaviour.extra_fields)
        if refused:
            raise BadRequest(f"Unrecognized request argument supplied: {', '.join(sorted(refused))}")

    def text(self, behaviour: Behaviour) -> tuple[list[str], str]:
        """The answer in pieces of a token each, and its finish_reason."""
        settled = behaviour.answer_to(self.prompt)
        pieces = self._made_up(behaviour) if settled is None else pieces_of(settled)
        missing = self._at_least(behaviour) - len(pieces)
        if missing > 0:
            pieces += [f" {word.strip()}" for word in made_up(self.prompt, missing)]
        if self.max_tokens is not None and len(pieces) >= self.max_tokens:
            cut = len(pieces) > self.max_tokens or settled is None
            return pieces[: self.max_tokens], "length" if cut else "stop"
        return pieces, "stop"

    def _at_least(self, behaviour: Behaviour) -> int:
        """How long the answer has to be, as far as this model understands such wishes."""
        if self.ignore_eos and "ignore_eos" in behaviour.extra_fields:
            return self.max_tokens or 0
        return min(self.min_tokens, LARGEST_OUTPUT) if "min_tokens" in behaviour.extra_fields else 0

    def _made_up(self, behaviour: Behaviour) -> list[str]:
        length = behaviour.output_tokens
        if length is None:
            length = DEFAULT_TOKENS if self.max_tokens is None else self.max_tokens
        return made_up(self.prompt, min(length, LARGEST_OUTPUT))


def read_chat_request(body: bytes) -> ChatRequest:
    """Raises BadRequest."""
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest("The body is not JSON.") from error
    if not isinstance(data, dict) or not isinstance(data.get("model"), str):
        raise BadRequest("A model is missing.")
    messages = data.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("Messages are missing.")
    shortest = data.get("min_tokens")
    options = data.get("stream_options")
    return ChatRequest(
        model=data["model"],
        prompt=_prompt(messages),
        stream=data.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        max_tokens=_limit(data),
        ignore_eos=data.get("ignore_eos") is True,
        min_tokens=shortest if isinstance(shortest, int) else 0,
        fields=frozenset(data),
    )


def _limit(data: dict[str, Any]) -> int | None:
    given = data.get("max_completion_tokens", data.get("max_tokens"))
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise BadRequest("max_tokens must be a whole number above 0.")
    return min(given, LARGEST_OUTPUT)


def _prompt(messages: list[Any]) -> str:
    """The last message's text."""
    content = messages[-1].get("content") if isinstance(messages[-1], dict) else None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise BadRequest("The last message has no text.")
    return content
