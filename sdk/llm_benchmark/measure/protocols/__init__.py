"""The ways to ask a model over HTTP. What is sent and how answers are read is written here alone."""

from collections.abc import Mapping

from llm_benchmark.measure.egress import EgressRefused, EndpointUrl

from .answers import Completion, Event, merged
from .chat import Chat
from .completions import Completions
from .embeddings import Embeddings
from .messages import Messages
from .protocol import LIMIT_FIELDS, SPEED_ONLY_FIELDS, Protocol
from .rerank import Rerank, RerankTei
from .responses import Responses
from .streams import Stream, stream_events

__all__ = [
    "DEFAULT",
    "GENERATING",
    "LIMIT_FIELDS",
    "PROTOCOLS",
    "SPEED_ONLY_FIELDS",
    "Completion",
    "Event",
    "Protocol",
    "Stream",
    "get",
    "merged",
    "of_path",
    "path_of",
    "stream_events",
]

PROTOCOLS: Mapping[str, Protocol] = {
    protocol.name: protocol
    for protocol in (Chat(), Completions(), Responses(), Messages(), Embeddings(), Rerank(), RerankTei())
}
DEFAULT = "chat"
GENERATING = frozenset({"chat", "completions", "responses", "messages"})
"""Those that answer with text."""


def get(name: str) -> Protocol:
    """Raises KeyError."""
    return PROTOCOLS[name]


def of_path(path: str) -> str | None:
    """The protocol that a full endpoint's path names by its last segments; None for a base path."""
    segments = path.rstrip("/")
    named = (name for name, protocol in PROTOCOLS.items() if segments.endswith(f"/{protocol.path}"))
    return next(named, None)


def path_of(url: EndpointUrl, protocol: Protocol, resource: str | None = None) -> str:
    """The path of a protocol's requests, or of another `resource` (`models`) beside them.

    A full endpoint is used as it is; a base path gets the protocol's path, and /v1 before it where there is
    no path at all.

    Raises:
        EgressRefused: protocol_mismatch; the URL is the full endpoint of another protocol.
    """
    named = of_path(url.path)
    if named is None:
        base = url.path.removesuffix("/v1") if protocol.is_at_root else url.path or "/v1"
        return f"{base}/{resource or protocol.path}"
    if PROTOCOLS[named].path != protocol.path:
        message = f"The URL is an endpoint for {PROTOCOLS[named].path}, not for {protocol.path}."
        raise EgressRefused("protocol_mismatch", message)
    return f"{url.path.removesuffix(protocol.path)}{resource}" if resource else url.path
