"""OpenAI's chat completions."""

import time
from collections.abc import Mapping
from typing import Any

from llm_benchmark.simulator.request import Asked, generating, last_text
from llm_benchmark.simulator.wording import Said, event

from .speech import Openai

_STANDARD = (
    "model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop seed "
    "presence_penalty frequency_penalty logprobs top_logprobs logit_bias response_format tools tool_choice "
    "user parallel_tool_calls reasoning_effort service_tier store metadata"
)


class Chat(Openai):
    name = "chat"
    path = "/v1/chat/completions"
    standard = frozenset(_STANDARD.split())
    done = b"data: [DONE]\n\n"

    def read(self, data: Mapping[str, Any]) -> Asked:
        prompt = last_text(data.get("messages"))
        return generating("chat", data, prompt=prompt, limits=("max_completion_tokens", "max_tokens"))

    def document(self, said: Said) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(said.pieces)}
        if said.thoughts:
            message["content"] = message["content"] or None
            message["reasoning_content"] = "".join(said.thoughts)
        choice = {"index": 0, "message": message, "finish_reason": said.finish_reason}
        return {**_envelope(said, "chat.completion"), "choices": [choice], **self.usage(said), **said.more}

    def events(self, said: Said) -> list[bytes]:
        thought = [{"reasoning_content": piece} for piece in said.thoughts]
        deltas = [*thought, *({"content": piece} for piece in said.pieces)]
        if deltas:
            deltas[0] = {"role": "assistant", **deltas[0]}
        return [_chunk(said, {"delta": delta}) for delta in deltas]

    def closing(self, said: Said) -> bytes:
        events = _chunk(said, {"delta": {}, "finish_reason": said.finish_reason or None})
        if said.usage is not None:
            events += event({**_envelope(said, "chat.completion.chunk"), "choices": [], **self.usage(said)})
        return events


def _chunk(said: Said, choice: Mapping[str, Any]) -> bytes:
    choices = [{"index": 0, "finish_reason": None, **choice}]
    return event({**_envelope(said, "chat.completion.chunk"), "choices": choices})


def _envelope(said: Said, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-simulated-{said.number}",
        "object": kind,
        "created": int(time.time()),
        "model": said.model,
    }
