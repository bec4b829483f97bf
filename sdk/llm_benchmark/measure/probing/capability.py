"""What a model is for, and how that is known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from llm_benchmark.measure.plans import JSON


class Capability(StrEnum):
    """What kind of request a model is made for."""

    CHAT_TEXT = "chat_text"
    EMBEDDING = "embedding"
    VISION = "vision"
    MULTIMODAL = "multimodal"
    PARSER = "parser"
    TRANSLATION = "translation"
    SAFETY = "safety"
    RERANK = "rerank"
    SPECIAL = "special"
    UNKNOWN = "unknown"


class Source(StrEnum):
    """How a capability is known."""

    METADATA = "metadata"
    NAME = "name"
    PROBE = "probe"
    MANUAL = "manual"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a model before it is checked.

    Args:
        source: one of Source; only what was set by hand (`manual`) survives a check.
        confidence: 0 to 1.
        metadata: as the endpoint lists the model.
    """

    capability: Capability = Capability.UNKNOWN
    source: str = Source.UNKNOWN
    confidence: float = 0.0
    metadata: Mapping[str, JSON] = field(default_factory=dict)
