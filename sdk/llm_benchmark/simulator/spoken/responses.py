"""OpenAI's responses."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.simulator.request import Asked, generating, last_text
from llm_benchmark.simulator.wording import Said, named_event

from .speech import Speech

_STANDARD = (
    "model input instructions stream stream_options max_output_tokens temperature top_p store metadata user "
    "reasoning text tools tool_choice parallel_tool_calls previous_response_id service_tier truncation "
    "include"
)


class Responses(Speech):
    name = "responses"
    path = "/v1/responses"
    standard = frozenset(_STANDARD.split())

    def read(self, data: Mapping[str, Any]) -> Asked:
        given = data.get("input")
        prompt = given if isinstance(given, str) else last_text(given)
        return generating("responses", data, prompt=prompt, limits=("max_output_tokens",))

    def document(self, said: Said) -> dict[str, Any]:
        summary = [{"type": "summary_text", "text": "".join(said.thoughts)}]
        thought = [{"type": "reasoning", "summary": summary}] if said.thoughts else []
        content = [{"type": "output_text", "text": "".join(said.pieces), "annotations": []}]
        answer = [{"type": "message", "role": "assistant", "content": content}] if said.pieces else []
        ending: dict[str, Any] = {"status": "completed"}
        if said.is_cut:
            ending = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
        return {**_envelope(said), **ending, "output": [*thought, *answer], **_usage(said), **said.more}

    def events(self, said: Said) -> list[bytes]:
        thought = [("response.reasoning_summary_text.delta", piece) for piece in said.thoughts]
        deltas = [*thought, *(("response.output_text.delta", piece) for piece in said.pieces)]
        events = [named_event({"type": kind, "output_index": 0, "delta": piece}) for kind, piece in deltas]
        created = {**_envelope(said), "status": "in_progress", "output": []}
        opening = named_event({"type": "response.created", "response": created})
        return [opening + events[0], *events[1:]] if events else [opening]

    def closing(self, said: Said) -> bytes:
        """The last event is the terminator and the finish_reason in one."""
        if not said.finish_reason:
            return b""
        kind = "response.incomplete" if said.is_cut else "response.completed"
        return named_event({"type": kind, "response": self.document(said)})


def _usage(said: Said) -> dict[str, Any]:
    told = said.usage
    if told is None:
        return {}
    return {
        "usage": {
            "input_tokens": told.input,
            "output_tokens": told.output,
            "total_tokens": told.total,
            "input_tokens_details": {"cached_tokens": told.cached},
            "output_tokens_details": {"reasoning_tokens": told.reasoning},
        }
    }


def _envelope(said: Said) -> dict[str, Any]:
    return {"id": f"resp-simulated-{said.number}", "object": "response", "model": said.model}
