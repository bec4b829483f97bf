"""Ask an endpoint what it serves, and find out which fields of a request it understands."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

import orjson

from . import protocols
from .egress import EgressRefused, check_api_key, parse_endpoint_url, resolve
from .faults import failure, status_fault
from .plans import Dialect, Failure, Side, Target
from .protocols import Completion
from .quality.asking import new_loop
from .redaction import is_echoed
from .wire import MIB, Connections, Response, WireFault, render_request

DISCOVERY_LIMIT = 2 * MIB
MODELS_LIMIT = 10_000
NAME_LIMIT = 200
PROBE_TOKENS = 16
PROBE_PROMPT = "Reply with the single word: yes"
REFUSALS = frozenset({400, 422})


class EndpointFault(Exception):
    """The endpoint cannot be asked. `failure` says whose side it is on."""

    def __init__(self, reason: Failure) -> None:
        super().__init__(f"{reason.code}: {reason.message}")
        self.failure = reason


@dataclass(frozen=True, slots=True)
class DiscoveredModel:
    """One model as the endpoint lists it."""

    id: str
    owned_by: str | None = None


def discover(target: Target, *, seconds: float = 30.0) -> list[DiscoveredModel]:
    """The models at `GET …/models`, in the endpoint's order; `target.model` does not matter.

    At most 2 MiB and 10,000 names; unreadable or repeated names are left out.

    Raises:
        EndpointFault: codes of `measure.faults` and of EgressRefused, too_many_models, credential_echoed.
    """
    response = _Caller(target, seconds).send("GET", "models", limit=DISCOVERY_LIMIT)
    _raise_for(response)
    if is_echoed(response.body, target.api_key):
        raise EndpointFault(failure("credential_echoed"))
    entries = _entries(response)
    if len(entries) > MODELS_LIMIT:
        raise _fault("too_many_models", f"The endpoint lists more than {MODELS_LIMIT} models.")
    found: dict[str, DiscoveredModel] = {}
    for model in filter(None, map(_model, entries)):
        found.setdefault(model.id, model)
    return list(found.values())


def probe_dialect(target: Target, *, seconds: float = 60.0, within: float = math.inf) -> Dialect:
    """What the endpoint understands beside the standard fields, told by what it does, not by its name.

    Sends up to six requests of at most 16 tokens. One that refuses unknown fields is plain `openai`.

    Args:
        seconds: the most for one request.
        within: the most for all of them; the first may take long, where a model is loaded for it.
    Raises:
        EndpointFault: not even a plain request is answered.
    """
    probe = _Probe(_Caller(target, seconds, within), target.model)
    limit = probe.limit_field()
    goes_on = probe.reaches_limit({limit: PROBE_TOKENS, "ignore_eos": True})
    no_cache = probe.empties_cache({limit: PROBE_TOKENS, "cache_prompt": False})
    fills_up = not no_cache and probe.reaches_limit({limit: PROBE_TOKENS, "min_tokens": PROBE_TOKENS})
    extra: dict[str, Any] = {"ignore_eos": True} if goes_on else {}
    if no_cache:
        return Dialect("llamacpp", limit, {**extra, "cache_prompt": False})
    return Dialect("vllm" if goes_on and fills_up else "openai", limit, extra)


class _Probe:
    def __init__(self, caller: "_Caller", model: str) -> None:
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
        messages = [{"role": "user", "content": PROBE_PROMPT}]
        body = orjson.dumps({"model": self._model, "messages": messages, "stream": False, **fields})
        response = self._caller.send("POST", "chat/completions", body=body)
        if response.status in REFUSALS:
            return None
        _raise_for(response)
        completion = protocols.get("chat").read(response.body, response.headers.get("content-type", ""))
        if completion.error in {"invalid_response", "provider_reported_error", "incomplete_stream"}:
            raise EndpointFault(failure(completion.error))
        self._cached = max(self._cached, completion.usage.cached_tokens or 0)
        return completion


class _Caller:
    """Single calls to one endpoint, each over its own connection."""

    def __init__(self, target: Target, seconds: float, within: float = math.inf) -> None:
        try:
            if target.api_key is not None:
                check_api_key(target.api_key)
            self._url = parse_endpoint_url(target.base_url)
            self._pinned = resolve(self._url, target.egress)
        except EgressRefused as refused:
            raise EndpointFault(Failure(Side.SUBMITTER, refused.code, refused.message)) from None
        self._key, self._seconds, self._ends_at = target.api_key, seconds, monotonic() + within

    def send(self, method: str, resource: str, *, body: bytes | None = None, limit: int = MIB) -> Response:
        chat, host = protocols.get("chat"), self._url.host_header
        path = protocols.path_of(self._url, chat, resource)
        request = render_request(method, path, host=host, headers=chat.headers(self._key), body=body)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(self._exchange(request, limit))

    async def _exchange(self, request: bytes, limit: int) -> Response:
        connections = Connections(self._pinned)
        try:
            seconds = max(0.0, min(self._seconds, self._ends_at - monotonic()))
            return await connections.send(request, seconds=seconds, limit=limit)
        except WireFault as fault:
            raise EndpointFault(failure(fault.code)) from None
        finally:
            await connections.close()


def _raise_for(response: Response) -> None:
    refused = status_fault(response.status)
    if refused:
        raise EndpointFault(failure(refused, status=response.status))


def _entries(response: Response) -> list[Any]:
    try:
        data = orjson.loads(response.body)
    except orjson.JSONDecodeError:
        data = None
    entries = data.get("data") if isinstance(data, dict) else data
    if not isinstance(entries, list):
        raise _fault("invalid_response", "The endpoint does not list models in OpenAI's form.")
    return entries


def _model(entry: Any) -> DiscoveredModel | None:
    name = entry.get("id") if isinstance(entry, dict) else None
    if not isinstance(name, str) or not 0 < len(name) <= NAME_LIMIT or not name.isprintable():
        return None
    owner = entry.get("owned_by")
    return DiscoveredModel(
        name, owner[:NAME_LIMIT] if isinstance(owner, str) and owner.isprintable() else None
    )


def _fault(code: str, message: str) -> EndpointFault:
    return EndpointFault(Failure(Side.PROVIDER, code, message))


def _runs_over(completion: Completion) -> bool:
    told = completion.usage.output_tokens
    return told is not None and told > PROBE_TOKENS
