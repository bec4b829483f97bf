"""OpenAI's older text completions. They have no place for reasoning: it is left out."""

import time
from collections.abc import Mapping
from typing import Any

from llm_benchmark.simulator.request import Asked, generating, texts
from llm_benchmark.simulator.wording import Said, event

from .speech import Openai

_STANDARD = (
    "model prompt stream stream_options max_tokens temperature top_p n stop seed suffix echo best_of "
    "presence_penalty frequency_penalty logprobs logit_bias user"
)


class Completions(Openai):
    name = "completions"
    path = "/v1/completions"
    standard = frozenset(_STANDARD.split())
    done = b"data: [DONE]\n\n"

    def read(self, data: Mapping[str, Any]) -> Asked:
        return generating("completions", data, prompt=texts(data, "prompt")[0], limits=("max_tokens",))

    def document(self, said: Said) -> dict[str, Any]:
        choices = [_choice("".join(said.pieces), said.finish_reason)]
        return {**_envelope(said), "choices": choices, **self.usage(said), **said.more}

    def events(self, said: Said) -> list[bytes]:
        return [event({**_envelope(said), "choices": [_choice(piece, None)]}) for piece in said.pieces]

    def closing(self, said: Said) -> bytes:
        events = event({**_envelope(said), "choices": [_choice("", said.finish_reason or None)]})
        if said.usage is not None:
            events += event({**_envelope(said), "choices": [], **self.usage(said)})
        return events


def _choice(text: str, finish_reason: str | None) -> dict[str, Any]:
    return {"index": 0, "text": text, "logprobs": None, "finish_reason": finish_reason}


def _envelope(said: Said) -> dict[str, Any]:
    return {
        "id": f"cmpl-simulated-{said.number}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": said.model,
    }
