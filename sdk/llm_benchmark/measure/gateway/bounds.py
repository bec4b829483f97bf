"""What the gateway child is told at its start, and the limits it never passes."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from llm_benchmark.measure.egress import Pinned

HELD_BYTES = 96 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """Hard stops of one gateway. None is off, 0 denies.

    Args:
        requests, tokens: of all requests together; tokens by the provider's count, at least one a chunk.
        request_bytes, head_bytes, answer_bytes: of one request, of one answer's headers, of its body.
        held_bytes: of all answers that are under way together, each read counted as 200 bytes more.
        connect_seconds, first_byte_seconds, idle_seconds, total_seconds: idle is between two chunks.
        recorded_bytes: raw answers kept on disk, before compression.
        connections: opened before the first request.
    """

    requests: int | None = None
    tokens: int | None = None
    request_bytes: int = 4 * 1024 * 1024
    head_bytes: int = 32 * 1024
    answer_bytes: int = 16 * 1024 * 1024
    held_bytes: int = HELD_BYTES
    connect_seconds: float = 10.0
    first_byte_seconds: float = 60.0
    idle_seconds: float = 30.0
    total_seconds: float = 600.0
    recorded_bytes: int = 64 * 1024 * 1024
    connections: int = 1


@dataclass(frozen=True, slots=True)
class Orders:
    """All a gateway child needs to know. Travels as one JSON line through a pipe: it holds the key.

    `protocol` is a name of `measure.protocols`; `path` the provider's.
    """

    pinned: Pinned
    protocol: str
    path: str
    host_header: str
    api_key: str | None
    client_key: str
    canary_key: str
    journal: Path
    bodies: Path
    bounds: Bounds
    parent_pid: int

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "journal": str(self.journal), "bodies": str(self.bodies)}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        parts = {
            "pinned": Pinned(**fields["pinned"]),
            "bounds": Bounds(**fields["bounds"]),
            "journal": Path(fields["journal"]),
            "bodies": Path(fields["bodies"]),
        }
        return cls(**{**fields, **parts})
