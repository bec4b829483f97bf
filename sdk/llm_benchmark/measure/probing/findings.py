"""What a check of one model brings: the probes, one after the other, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llm_benchmark.measure.plans import JSON

from .capability import Capability
from .health import State


@dataclass(frozen=True, slots=True)
class ProbeRecord:
    """One request of a check.

    Args:
        step: smoke, stability-1, stability-2, stability-3.
        number: the try of this step, from 1.
        status: of HTTP; None where no answer came.
        error: a code of `measure.faults`; None: answered.
        retry_after_seconds: as the endpoint asked for, before any cap.
        excerpt: what came back, redacted, at most 512 characters.
    """

    step: str
    number: int
    status: int | None
    error: str | None
    latency_ms: float
    retry_after_seconds: float | None = None
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Args:
        source, confidence: how the capability is known, and how surely (0 to 1).
        protocol: how the model answered, or would be asked.
        state: None leaves the model's state as it is: nothing was learnt about the model.
        reason: a code for the state, or for why there is none.
        error: the code of `measure.faults` or of EgressRefused that decided, if one did.
        message: for people.
        stops_campaign: the endpoint refuses the credential; asking it for other models is of no use.
        is_ours: the measurement failed, not the model.
    """

    capability: Capability
    source: str
    confidence: float
    protocol: str
    state: State | None
    reason: str
    error: str | None
    message: str
    stops_campaign: bool = False
    is_ours: bool = False
    probes: Sequence[ProbeRecord] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """Come back after that many seconds with this stand (JSON), and the check goes on where it was."""

    seconds: float
    stand: Mapping[str, JSON]
