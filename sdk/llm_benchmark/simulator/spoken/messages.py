"""Anthropic's messages."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.simulator.request import Asked, BadRequest, generating, last_text
from llm_benchmark.simulator.wording import Said, named_event

from .speech import Speech

_STANDARD = (
    "model messages system stream max_tokens temperature top_p top_k stop_sequences metadata thinking tools "
    "tool_choice service_tier"
)


class Messages(Speech):
    name = "messages"
    path = "/v1/messages"
    standard = frozenset(_STANDARD.split())
    done = named_event({"type": "message_stop"})

    def read(self, data: Mapping[str, Any]) -> Asked:
        if data.get("max_tokens") is None:
            raise BadRequest("max_tokens: Field required")
        return generating("messages", data, prompt=last_text(data.get("messages")), limits=("max_tokens",))

    def document(self, said: Said) -> dict[str, Any]:
        thought = [{"type": "thinking", "thinking": "".join(said.thoughts)}] if said.thoughts else []
        answer = [{"type": "text", "text": "".join(said.pieces)}] if said.pieces else []
        ending = {"stop_reason": _stop_reason(said), "stop_sequence": None}
        return {**_envelope(said), "content": [*thought, *answer], **ending, **_usage(said), **said.more}

    def events(self, said: Said) -> list[bytes]:
        start = {**_envelope(said), "content": [], "stop_reason": None, **_usage(said, so_far=True)}
        opening = named_event({"type": "message_start", "message": start})
        thought = _block(0, {"type": "thinking", "thinking": ""}, "thinking", said.thoughts)
        text = _block(1 if thought else 0, {"type": "text", "text": ""}, "text", said.pieces)
        blobs = [*thought, *text]
        return [opening + blobs[0], *blobs[1:]] if blobs else [opening]

    def closing(self, said: Said) -> bytes:
        delta = {"stop_reason": _stop_reason(said), "stop_sequence": None}
        return named_event({"type": "message_delta", "delta": delta, **_usage(said)})


def _block(index: int, empty: Mapping[str, Any], field: str, pieces: Any) -> list[bytes]:
    """One blob a piece; the block opens with the first and closes with the last."""
    blobs = [
        named_event(
            {"type": "content_block_delta", "index": index, "delta": {"type": f"{field}_delta", field: piece}}
        )
        for piece in pieces
    ]
    if blobs:
        start = {"type": "content_block_start", "index": index, "content_block": empty}
        blobs[0] = named_event(start) + blobs[0]
        blobs[-1] += named_event({"type": "content_block_stop", "index": index})
    return blobs


def _stop_reason(said: Said) -> str | None:
    return {"stop": "end_turn", "length": "max_tokens"}.get(said.finish_reason)


def _usage(said: Said, *, so_far: bool = False) -> dict[str, Any]:
    told = said.usage
    if told is None:
        return {}
    counts = {"input_tokens": told.input, "output_tokens": 1 if so_far else told.output}
    return {"usage": {**counts, "cache_read_input_tokens": told.cached}}


def _envelope(said: Said) -> dict[str, Any]:
    return {
        "id": f"msg-simulated-{said.number}",
        "type": "message",
        "role": "assistant",
        "model": said.model,
    }
