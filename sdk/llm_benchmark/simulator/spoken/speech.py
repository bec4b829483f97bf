"""What a protocol is to the simulator: how its requests are read, and how its answers are worded."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from llm_benchmark.simulator.request import Asked
from llm_benchmark.simulator.wording import Said


class Speech(ABC):
    """One protocol. `standard`: the fields it knows; `done`: what ends its streams after the closing."""

    name: ClassVar[str]
    path: ClassVar[str]
    standard: ClassVar[frozenset[str]]
    streams: ClassVar[bool] = True
    done: ClassVar[bytes] = b""

    @abstractmethod
    def read(self, data: Mapping[str, Any]) -> Asked:
        """Raises BadRequest."""

    @abstractmethod
    def document(self, said: Said) -> Any:
        """The body without streaming, before JSON."""

    def events(self, said: Said) -> list[bytes]:
        """One blob of events a token, reasoning first; what opens the stream is part of the first."""
        return []

    def closing(self, said: Said) -> bytes:
        """What follows the text, without `done`; with a finish_reason unless that is empty."""
        return b""


class Openai(Speech):
    """What chat, completions and embeddings share."""

    @staticmethod
    def usage(said: Said) -> dict[str, Any]:
        told = said.usage
        if told is None:
            return {}
        counts = {"prompt_tokens": told.input, "completion_tokens": told.output, "total_tokens": told.total}
        details: dict[str, Any] = {"prompt_tokens_details": {"cached_tokens": told.cached}}
        if told.reasoning:
            details["completion_tokens_details"] = {"reasoning_tokens": told.reasoning}
        return {"usage": {**counts, **details}}
