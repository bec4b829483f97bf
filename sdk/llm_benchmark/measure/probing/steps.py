"""Which probe follows which: the smoke probe, another shape of it where the endpoint wants one, then three
for stability. Pure: everything follows from the probes so far."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .capability import Capability
from .findings import ProbeRecord

SMOKE = "smoke"
WITH_QUERY, IN_TEI_SHAPE = "smoke-query", "smoke-tei"
STABILITY = ("stability-1", "stability-2", "stability-3")

ASKED_FOR = {
    "embeddings": Capability.EMBEDDING,
    "rerank": Capability.RERANK,
    "rerank_tei": Capability.RERANK,
}
_PROTOCOLS = {Capability.EMBEDDING: "embeddings", Capability.RERANK: "rerank"}
_GENERATES = frozenset({Capability.CHAT_TEXT, Capability.UNKNOWN})
_BAD_REQUEST = 400
_NOT_THIS_SHAPE, _NO_SUCH_PATH = frozenset({404, 405, 422}), frozenset({404, 405})


@dataclass(frozen=True, slots=True)
class Probe:
    """What to send next. `fields` come on top of the protocol's."""

    step: str
    number: int
    protocol: str
    fields: dict[str, Any] = field(default_factory=dict)


def protocol_for(capability: Capability, endpoint_protocol: str) -> str | None:
    """How to ask a model of that kind; None: there is no probe for it.

    What is unknown is asked as its endpoint is: one for embeddings alone serves embedding models.
    """
    if capability in _PROTOCOLS:
        return _PROTOCOLS[capability]
    if capability not in _GENERATES:
        return None
    if endpoint_protocol in ASKED_FOR:
        return endpoint_protocol if capability is Capability.UNKNOWN else "chat"
    return endpoint_protocol


def following(probes: Sequence[ProbeRecord], protocol: str, *, repeats: bool) -> Probe | None:
    """The probe after these; None: there is nothing more to learn.

    Args:
        repeats: whether the last one failed in a way that is worth another try.
    """
    if not probes:
        return Probe(SMOKE, 1, protocol)
    last = probes[-1]
    if last.error is None:
        step = _after(last.step)
        return _shaped(probes, step, 1, protocol) if step else None
    if repeats:
        return _shaped(probes, last.step, last.number + 1, protocol)
    other = _other_shape(last, protocol)
    return _shaped(probes, other, 1, protocol) if other else None


def judged_steps(probes: Sequence[ProbeRecord]) -> list[list[str | None]]:
    """The outcomes by step, as `health.judge` takes them; of two smoke probes only the telling one."""
    steps: dict[str, list[ProbeRecord]] = {}
    for probe in probes:
        steps.setdefault(probe.step, []).append(probe)
    shapes = [step for step in (SMOKE, WITH_QUERY, IN_TEI_SHAPE) if step in steps]
    telling = shapes[-1]
    if telling == IN_TEI_SHAPE and steps[telling][-1].status in _NO_SUCH_PATH:
        telling = SMOKE
    kept = [steps[telling], *(tries for step, tries in steps.items() if step in STABILITY)]
    return [[probe.error for probe in tries] for tries in kept]


def protocol_of(probes: Sequence[ProbeRecord], protocol: str) -> str:
    """How the model is asked after these probes."""
    answered = any(probe.step == IN_TEI_SHAPE and probe.error is None for probe in probes)
    return "rerank_tei" if answered else protocol


def _after(step: str) -> str | None:
    if step not in STABILITY:
        return STABILITY[0]
    place = STABILITY.index(step) + 1
    return STABILITY[place] if place < len(STABILITY) else None


def _shaped(probes: Sequence[ProbeRecord], step: str, number: int, protocol: str) -> Probe:
    steps = {step, *(probe.step for probe in probes)}
    if IN_TEI_SHAPE in steps:
        return Probe(step, number, "rerank_tei")
    return Probe(step, number, protocol, {"input_type": "query"} if WITH_QUERY in steps else {})


def _other_shape(last: ProbeRecord, protocol: str) -> str | None:
    """Only after the first smoke probe, and only where the refusal asks for it."""
    if last.step != SMOKE:
        return None
    if protocol == "rerank" and last.status in _NOT_THIS_SHAPE:
        return IN_TEI_SHAPE
    wants_type = last.status == _BAD_REQUEST and "input_type" in last.excerpt and "required" in last.excerpt
    return WITH_QUERY if protocol == "embeddings" and wants_type else None
