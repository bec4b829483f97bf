"""From a request's body to the script that answers it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import orjson

from .config import Behaviour, SimulatorConfig
from .hostile import hostile
from .request import Asked, BadRequest
from .script import Script, answered, refused, said_to
from .spoken import BY_PATH, Speech
from .wording import refusal

MESSAGES, MODELS, TEI = "/v1/messages", "/v1/models", "/rerank"


@dataclass(frozen=True, slots=True)
class Caller:
    """What the headers tell of who asks."""

    bearer: str
    x_api_key: str
    version: str

    @classmethod
    def of(cls, headers: Mapping[bytes, str]) -> Self:
        bearer = headers.get(b"authorization", "").removeprefix("Bearer ")
        return cls(bearer, headers.get(b"x-api-key", ""), headers.get(b"anthropic-version", ""))

    def key_for(self, path: str) -> str:
        """Where that path looks for the key: Anthropic's have a header of their own."""
        if path == MESSAGES:
            return self.x_api_key
        return self.bearer or self.x_api_key if path == MODELS else self.bearer


class Talk:
    """What the models say."""

    def __init__(self, config: SimulatorConfig) -> None:
        self._models = config.models
        in_tei_shape = (name for name, behaviour in config.models.items() if behaviour.kind == "rerank_tei")
        self._only = {TEI: next(in_tei_shape, None)}

    def read(self, path: str, body: bytes, caller: Caller) -> Asked:
        """Raises BadRequest."""
        if path == MESSAGES and not caller.version:
            raise BadRequest("anthropic-version: header is required")
        data = _object(body)
        name = data.get("model") if path not in self._only else self._only[path]
        if path in self._only and name is None:
            raise BadRequest("No such path.", "not_found", 404)
        if not isinstance(name, str):
            raise BadRequest("A model is missing.")
        asked = BY_PATH[path].read({**data, "model": name} if path in self._only else data)
        if not self._serves(path, name):
            raise BadRequest(f"The model {name!r} does not exist.", "model_not_found", 404)
        return asked

    def script(self, path: str, asked: Asked, number: int, caller: Caller) -> Script:
        """The script of the `number`-th request of its model."""
        behaviour, speech = self._models[asked.model], BY_PATH[path]
        try:
            asked.check(behaviour, speech.standard)
        except BadRequest as bad:
            return Script([(0.0, refusal(bad.status, str(bad), bad.code))])
        return script_of(asked, speech, behaviour, number=number, key=caller.key_for(path))

    def _serves(self, path: str, name: str) -> bool:
        """A server of Text Embeddings Inference has none of the other paths for rankings."""
        behaviour = self._models.get(name)
        return behaviour is not None and not (path == "/v1/rerank" and behaviour.kind == "rerank_tei")


def script_of(asked: Asked, speech: Speech, behaviour: Behaviour, *, number: int, key: str) -> Script:
    """The script of the `number`-th request; `key` is the caller's credential."""
    failure = behaviour.failure_of(number)
    said = said_to(asked, behaviour, failure=failure, number=number, key=key)
    script = None
    if failure:
        script = refused(asked, behaviour, failure=failure, key=key)
        script = script or hostile(said, speech, behaviour, failure=failure)
    return script or answered(said, speech, behaviour, failure=failure, stream=asked.stream)


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest("The body is not JSON.") from error
    if not isinstance(data, dict):
        raise BadRequest("The body is no object.")
    return data
