"""Find out which non-standard fields of a request an endpoint understands."""

import math
from collections.abc import Mapping
from typing import Any

from llm_benchmark.measure import protocols
from llm_benchmark.measure.faults import failure
from llm_benchmark.measure.plans import Dialect, Target
from llm_benchmark.measure.protocols import Completion

from .caller import Caller, EndpointFault, raise_for

CHAT = protocols.get("chat")
PROBE_TOKENS = 16
PROBE_PROMPT = "Reply with the single word: yes"
REFUSALS = frozenset({400, 422})
UNREADABLE = frozenset({"invalid_response", "provider_reported_error", "incomplete_stream"})


def probe_dialect(target: Target, *, seconds: float = 60.0, within: float = math.inf) -> Dialect:
    """What the endpoint understands beside the standard fields, told by what it does, not by its name.

    Sends up to six requests of at most 16 tokens. One that refuses unknown fields is plain `openai`. Other
    protocols than chat have no dialects, and cost no request.

    Args:
        seconds: the most for one request.
        within: the most for all of them; the first may take long, where a model is loaded for it.
    Raises:
        EndpointFault: not even a plain request is answered.
    """
    if target.protocol != CHAT.name:
        return Dialect()
    probe = _Probe(Caller(target, seconds=seconds, within=within), target.model)
    limit = probe.limit_field()
    goes_on = probe.reaches_limit({limit: PROBE_TOKENS, "ignore_eos": True})
    no_cache = probe.empties_cache({limit: PROBE_TOKENS, "cache_prompt": False})
    fills_up = not no_cache and probe.reaches_limit({limit: PROBE_TOKENS, "min_tokens": PROBE_TOKENS})
    extra: dict[str, Any] = {"ignore_eos": True} if goes_on else {}
    if no_cache:
        return Dialect("llamacpp", limit, {**extra, "cache_prompt": False})
    return Dialect("vllm" if goes_on and fills_up else "openai", limit, extra)


class _Probe:
    def __init__(self, caller: Caller, model: str) -> None:
        self._caller, self._model = caller, model
        self._cached = 0

    def limit_field(self) -> str:
        """The newer name unless it is refused or has no effect."""
        newer, older = "max_completion_tokens", "max_tokens"
        with_newer = self._ask({newer: PROBE_TOKENS})
        if with_newer is not None and not _runs_over(with_newer):
            return newer
        with_older = self._ask({older: PROBE_TOKENS})
        if with_older is None and with_newer is None:
            raise EndpointFault(failure("request_refused"))
        return older if with_older is not None else newer

    def reaches_limit(self, fields: Mapping[str, Any]) -> bool:
        completion = self._ask(fields)
        return completion is not None and completion.finish_reason == "length" and not _runs_over(completion)

    def empties_cache(self, fields: Mapping[str, Any]) -> bool:
        """The prompt was asked before: a server that caches tells so unless it understands the field."""
        completion = self._ask(fields)
        return completion is not None and self._cached > 0 and completion.usage.cached_tokens == 0

    def _ask(self, fields: Mapping[str, Any]) -> Completion | None:
        """None: refused for its form."""
        asked = {"model": self._model, "stream": False, **fields}
        response = self._caller.ask(CHAT.body(asked, prompt=PROBE_PROMPT))
        if response.status in REFUSALS:
            return None
        raise_for(response)
        completion = CHAT.read(response.body, response.headers.get("content-type", ""))
        if completion.error in UNREADABLE:
            raise EndpointFault(failure(completion.error or ""))
        self._cached = max(self._cached, completion.usage.cached_tokens or 0)
        return completion


def _runs_over(completion: Completion) -> bool:
    told = completion.usage.output_tokens
    return told is not None and told > PROBE_TOKENS
