"""What to measure and what came of it: the values that pass through the engine.

Durations are seconds unless a name ends in `_ms` or `_ns`; scores are 0 to 1; unknown is None, never 0.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

JSON = Any


class Side(StrEnum):
    """Whose fault a failed measurement is."""

    PLATFORM = "platform"
    PROVIDER = "provider"
    MODEL = "model"
    SUBMITTER = "submitter"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no measurement. `code` is for programs, `message` for people."""

    side: Side
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """The non-standard body fields an endpoint understands.

    Args:
        name: openai, vllm, llamacpp, …
        max_tokens_field: `max_completion_tokens` or `max_tokens`.
        extra_body: fields added to each request, e.g. `{"ignore_eos": true, "cache_prompt": false}`.
    """

    name: str = "openai"
    max_tokens_field: str = "max_completion_tokens"
    extra_body: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EgressRules:
    """Which addresses may be dialled.

    Args:
        allow: exact `host:port` pairs that may be non-public (EGRESS_ALLOW).
        refuse: `host:port` pairs that are refused even when allowed (the platform's own).
    """

    allow: frozenset[str] = frozenset()
    refuse: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Target:
    """One model as served behind one endpoint. `protocol` is a name of `measure.protocols`."""

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    protocol: str = "chat"
    dialect: Dialect = field(default_factory=Dialect)
    egress: EgressRules = field(default_factory=EgressRules)


@dataclass(frozen=True, slots=True)
class Generation:
    """How answers are generated. None leaves the field out of the request."""

    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int | None = 256
    seed: int | None = None
    stop: tuple[str, ...] = ()


UNGROUPED = "__ungrouped__"
"""The group of all questions that name none: groups are a partition."""


@dataclass(frozen=True, slots=True)
class Question:
    """One case, ready to be asked and scored.

    Args:
        group: what it is counted with beside the whole.
        seed: the generation's for this question alone; None: none is sent.
    """

    key: str
    prompt: str
    reference: str
    scorer: str
    scorer_config: Mapping[str, JSON] = field(default_factory=dict)
    choices: Mapping[str, str] | None = None
    weight: float = 1.0
    seed: int | None = None
    group: str = UNGROUPED


@dataclass(frozen=True, slots=True)
class QualityPlan:
    """A set of questions, asked once each.

    Args:
        order_seed: shuffles the order of the questions; fresh for each verification.
        request_bound, token_bound: hard stops; None is off, 0 denies.
        retry_policy: a name of `retries.POLICIES`: how often a question is sent again, and when.
        streaming: ask for streams, where answers may be long; an endpoint that refuses is asked whole.
        request_timeout_seconds: for a whole answer; the longest silence in a stream, which has half an hour.
    """

    questions: Sequence[Question]
    generation: Generation = field(default_factory=Generation)
    system_prompt: str = ""
    concurrency: int = 4
    order_seed: int = 0
    retry_policy: str = "question-v1"
    streaming: bool = False
    request_bound: int | None = None
    token_bound: int | None = None
    request_timeout_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class PerformancePlan:
    """An AIPerf load profile: a closed loop with paced starts.

    Args:
        input_tokens, output_tokens: mean lengths, o200k tokens; of each text where a request has several.
            Requests that generate nothing have 0 output tokens.
        requests: counted requests; `warmup_requests` come before them and are not counted. Of each level.
        protocol: None: text is generated, by the target's own protocol. `embeddings`, `rerank`: no text is.
        concurrencies: the levels of a sweep, lowest first; `concurrency` says nothing then.
        slo: goals in ms that a good request keeps: `ttft_ms`, `itl_ms`, `request_latency_ms`.
        batch_size: texts in one request for embeddings.
        documents: texts that one query ranks.
        seed: AIPerf's random seed; fresh for each verification.
        request_rate: pacing of starts per second; None lets the engine choose (aiperf: 500).
        request_bound, token_bound: hard stops at the gateway; None is off, 0 denies. All levels together.
        wall_seconds: AIPerf is killed after this time. All levels together.
    """

    input_tokens: int
    output_tokens: int
    requests: int
    seed: int
    warmup_requests: int = 2
    concurrency: int = 1
    streaming: bool = True
    protocol: str | None = None
    concurrencies: Sequence[int] = ()
    slo: Mapping[str, float] = field(default_factory=dict)
    batch_size: int | None = None
    documents: int | None = None
    request_rate: float | None = None
    request_bound: int | None = None
    token_bound: int | None = None
    request_timeout_seconds: float = 60.0
    wall_seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class Usage:
    """The provider's own count of tokens. None: not told."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one question, after its last attempt.

    `raw` is the provider's body as received, without echoes of the key; a stream is packed by gzip, its first
    4 MiB at most. `text` is the answer taken from it.
    `error` is None or a coded reason why there is no answer (`rate_limited`, `total_timeout`, …).
    """

    key: str
    text: str | None
    raw: bytes = field(repr=False)
    latency_ms: float | None
    http_status: int | None
    finish_reason: str | None = None
    returned_model: str | None = None
    usage: Usage = field(default_factory=Usage)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class QualityOutcome:
    """How the questions of one call ended. Their answers are the sink's: together they may be large.

    Args:
        ends: key → None, or the coded reason why there is no answer; in the plan's order of questions
            (unasked ones are absent).
        findings: what people should know of how it was asked (JSON).
    """

    ends: Mapping[str, str | None]
    attempts: int
    returned_model: str | None
    failure: Failure | None = None
    cancelled: bool = False
    findings: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One counted AIPerf request, from its raw export. Times in ms; None where not measured."""

    start_ns: int
    ttft_ms: float | None
    latency_ms: float | None
    itl_ms: float | None
    input_tokens: int | None
    output_tokens: int | None
    usage: Usage
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """What one run under load brought.

    Args:
        records: the counted requests; of a sweep none, its levels have them.
        flags: `saturated`, `not_comparable`, …
        slo: the goals of a good request, see `PerformancePlan`.
        levels: of a sweep, lowest first, each as a session of its own.
    """

    records: Sequence[RequestRecord]
    flags: Collection[str] = ()
    concurrency: int = 1
    slo: Mapping[str, float] = field(default_factory=dict)
    levels: Sequence["Session"] = ()


@dataclass(frozen=True, slots=True)
class PerformanceOutcome:
    """One accepted AIPerf session, or the levels of a sweep that were; or why there is none.

    Args:
        metrics: `ttft_p50` and the like (ms), `output_tokens_per_second`, `error_rate` (0 to 1), …
        session: the counted requests, for recomputation and intervals; its flags are findings, not faults.
        calibration: the gateway's own cost: `added_ttft_p50_ms`, `requests_per_second`, …
        files: name in the bundle → path of an export on disk.
        digests: name → SHA-256 hex, taken before the file was parsed.
        tools: versions, e.g. `{"aiperf": "0.13.0"}`.
        findings: numbers behind the flags and checks, for people (JSON).
    """

    metrics: Mapping[str, float | None]
    session: Session
    calibration: Mapping[str, float]
    files: Mapping[str, Path]
    digests: Mapping[str, str]
    tools: Mapping[str, str]
    findings: Mapping[str, JSON]
    returned_model: str | None = None
    failure: Failure | None = None
    cancelled: bool = False

    @property
    def records(self) -> Sequence[RequestRecord]:
        """The counted requests of all levels."""
        return [*self.session.records, *(record for level in self.session.levels for record in level.records)]

    @property
    def flags(self) -> frozenset[str]:
        return frozenset(self.session.flags)
