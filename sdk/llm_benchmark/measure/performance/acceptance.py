"""Whether an AIPerf session counts: complete, unaltered, borne out by the gateway's journal, and comparable.

What makes a session invalid is a fault of the platform, never a verdict on a model; what makes it less than
comparable is a flag.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from llm_benchmark.measure.faults import BOUND_CODES, failure, model_changed, outcome_failure
from llm_benchmark.measure.gateway import JournalEntry
from llm_benchmark.measure.loads import input_tokens_of
from llm_benchmark.measure.plans import Failure, PerformancePlan, RequestRecord, Side
from llm_benchmark.measure.protocols import GENERATING, Protocol
from llm_benchmark.measure.sink import Purpose

from .disagreements import disagreements
from .exports import ExportBroken, Exports, KeyEchoed, RawRequest, failed_to_read, read_exports
from .side_by_side import Pair, compare_times, credit_of, gaps_above, gateway_share_of, lengths_of, usage_of

TIMES_SLACK_MS = 3.0
TIMES_SLACK = 0.01
SATURATION_SLACK = 0.05
GATEWAY_SHARE = 0.5
CREDIT_SHARE = 0.10
OUTPUT_BAND, OUTPUT_BAND_WITHOUT_USAGE, INPUT_BAND = 0.05, 0.20, 0.02
BURST_SHARE = 0.25
ECHOED = "credential_echoed"
_TIMES = {"ttft": "TTFT", "latency": "Latency"}
_UNREAD = (
    "The endpoint's answers are whole, and AIPerf cannot read them. "
    "Measure with a profile for another protocol, if the endpoint has one."
)
_ENDINGS = BOUND_CODES | {ECHOED}
"""One request that ended so is the end of the session."""


class NotAccepted(Exception):
    """The session does not count. `failure` says whose fault it is."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Accepted:
    """The counted requests, the flags on them, and the numbers behind the checks.

    `findings` is JSON, and a number is null where it is not known:
        times: `ttft_p50_aiperf`, `ttft_p50_gateway`, `latency_p50_aiperf`, `latency_p50_gateway` (ms): the
            same requests, timed on both sides of loopback.
        lengths: means of a request: `usage_input_tokens_mean` and `usage_output_tokens_mean` as the provider
            counts, `o200k_input_tokens_mean` and `o200k_output_tokens_mean` as we do,
            `content_chunks_mean`, `finished_by_length_share` (0 to 1).
        usage: `input_difference`, `output_difference`: the provider's count over ours, less 1 (0.25: a
            quarter more); `cached_tokens` of all counted requests; `cached_requests`, how many had any.
        gateway_share: of the chunk rate that the gateway is calibrated to, 0 to 1.
        credit_to_start_ms: `p50`, `p99` of AIPerf's own lateness.
        connections_opened: requests that found no open connection.
        errors: how many requests ended in which outcome.
    """

    records: Sequence[RequestRecord]
    flags: frozenset[str]
    findings: Mapping[str, Any]


def accept(
    *,
    exit_code: int | None,
    artifacts: Path,
    plan: PerformancePlan,
    protocol: Protocol,
    journal: Sequence[JournalEntry],
    calibration: Mapping[str, float],
    tokenizer_cache: Path,
    api_key: str | None = None,
) -> Accepted:
    """Judge a session by its exports (hash them before) and by the journal of its gateway.

    Raises:
        NotAccepted: with the side and the reason.
    """
    load = [entry for entry in journal if entry.purpose == Purpose.REQUEST]
    stopped = next((entry.outcome for entry in load if entry.outcome in _ENDINGS), None)
    if stopped:
        raise NotAccepted(failure(stopped))
    changed = model_changed({entry.returned_model for entry in journal if entry.returned_model})
    if changed:
        raise NotAccepted(changed)
    if exit_code != 0:
        raise NotAccepted(_why_aiperf_failed(exit_code, load, artifacts))
    try:
        exports = read_exports(
            artifacts,
            protocol=protocol,
            streaming=plan.streaming,
            tokenizer_cache=tokenizer_cache,
            api_key=api_key,
        )
    except KeyEchoed:
        raise NotAccepted(failure(ECHOED)) from None
    except ExportBroken as broken:
        raise _invalid("export_broken", str(broken)) from broken
    _check_completeness(exports, plan)
    pairs = _paired(exports, load)
    _check_unaltered(exports, plan)
    _check_inputs(exports, plan)
    flags, findings = _judge(pairs, exports, plan, calibration)
    return Accepted([_record(pair) for pair in pairs], flags, findings)


def _invalid(code: str, message: str) -> NotAccepted:
    return NotAccepted(Failure(Side.PLATFORM, code, message))


def _why_aiperf_failed(exit_code: int | None, load: Sequence[JournalEntry], artifacts: Path) -> Failure:
    """AIPerf fails when all requests failed: then the journal knows better than its exit code."""
    bad = [entry for entry in load if entry.outcome != "ok"]
    if bad and len(bad) == len(load):
        [((outcome, status), _)] = Counter((entry.outcome, entry.status) for entry in bad).most_common(1)
        return outcome_failure(outcome, status)
    streamed = [entry for entry in load if entry.event_count > 1]
    if streamed and not any(entry.first_content_after_ns for entry in streamed):
        return failure("empty_response")
    if load and not bad and failed_to_read(artifacts):
        return Failure(Side.PLATFORM, "aiperf_cannot_read", _UNREAD)
    return Failure(Side.PLATFORM, "aiperf_failed", f"AIPerf ended with exit code {exit_code}.")


def _check_completeness(exports: Exports, plan: PerformancePlan) -> None:
    summary = exports.summary
    completed = (summary.get("completed_request_count") or {}).get("avg")
    whole = summary.get("is_complete") is True and summary.get("was_cancelled") is False
    if not whole or completed != plan.requests or len(exports.counted) != plan.requests:
        raise _invalid("aiperf_incomplete", f"{completed} of {plan.requests} requests are complete.")
    if len(exports.raw) != plan.requests + plan.warmup_requests:
        raise _invalid("aiperf_incomplete", "The warm-up is not complete.")
    unfinished = [r for r in exports.counted if r.error is None and not r.finish_reason]
    if unfinished:
        raise _invalid("finish_reason_missing", f"{len(unfinished)} answers without a finish_reason.")


def _check_unaltered(exports: Exports, plan: PerformancePlan) -> None:
    found = disagreements(exports, plan.slo)
    if found:
        raise _invalid("export_disagrees", f"The raw export does not bear out: {', '.join(found[:10])}.")


def _check_inputs(exports: Exports, plan: PerformancePlan) -> None:
    mean, planned = fmean(request.input_tokens for request in exports.counted), input_tokens_of(asdict(plan))
    if abs(mean / planned - 1) > INPUT_BAND:
        raise _invalid("input_length", f"Prompts of {mean:.1f} tokens instead of {planned}.")


def _paired(exports: Exports, load: Sequence[JournalEntry]) -> list[Pair]:
    """The counted requests with their journal entries; each must have one, and tell the same."""
    entries = {entry.request_id: entry for entry in load}
    ids = [request.request_id for request in exports.raw]
    if len(entries) != len(load) or len(set(ids)) != len(ids) or entries.keys() != set(ids):
        raise _invalid("journal_disagrees", "AIPerf and the gateway saw different requests.")
    for request in exports.raw:
        difference = _difference(request, entries[request.request_id])
        if difference:
            raise _invalid("journal_disagrees", f"Request {request.request_id}: {difference}.")
    return [Pair(request, entries[request.request_id]) for request in exports.counted]


def _difference(raw: RawRequest, entry: JournalEntry) -> str | None:
    if entry.outcome != "ok":
        return None if raw.error else f"AIPerf counts what the gateway ended as {entry.outcome}"
    if raw.error:
        # AIPerf wants content; a whole answer without any is the model's affair.
        return None if raw.content_count == 0 else f"AIPerf failed ({raw.error}) on a whole answer"
    if raw.status != entry.status:
        return f"status {raw.status} and {entry.status}"
    if raw.event_count != entry.event_count:
        return f"{raw.event_count} and {entry.event_count} chunks"
    return None


def _record(pair: Pair) -> RequestRecord:
    raw, entry = pair.raw, pair.entry
    error = None if pair.is_good else (entry.outcome if entry.outcome != "ok" else "empty_response")
    return RequestRecord(
        start_ns=raw.start_ns,
        ttft_ms=raw.ttft_ms if pair.is_good else None,
        latency_ms=raw.latency_ms if pair.is_good else None,
        itl_ms=raw.itl_ms if pair.is_good else None,
        input_tokens=raw.input_tokens,
        output_tokens=raw.output_tokens if pair.is_good else None,
        usage=entry.usage,
        error=error,
    )


def _judge(
    pairs: Sequence[Pair], exports: Exports, plan: PerformancePlan, calibration: Mapping[str, float]
) -> tuple[frozenset[str], dict[str, Any]]:
    good = [pair for pair in pairs if pair.is_good]
    times = compare_times(good)
    _check_times(times, plan, calibration)
    load = gateway_share_of(pairs, calibration)
    credit = credit_of(exports.summary)
    lengths, is_generated = lengths_of(good), exports.protocol.name in GENERATING
    flags = {
        "saturated": _is_saturated(times, plan, load, credit),
        "not_comparable": is_generated and _is_off(lengths, plan),
        "cached_outside_warmup": any(pair.entry.usage.cached_tokens for pair in pairs),
        "burst": plan.streaming and _is_burst(lengths),
        "usage_missing": is_generated and lengths["usage_output_tokens_mean"] is None,
        "provider_errors": len(good) < len(pairs),
        "paused": any(pair.entry.pause_ns for pair in pairs),
    }
    findings: dict[str, Any] = {"times": times, "lengths": lengths, "usage": usage_of(good, lengths)}
    findings |= {"gateway_share": load, "credit_to_start_ms": credit}
    findings["connections_opened"] = sum(not pair.entry.is_connection_reused for pair in pairs)
    findings["errors"] = dict(Counter(pair.entry.outcome for pair in pairs if not pair.is_good))
    return frozenset(name for name, is_set in flags.items() if is_set), findings


def _check_times(
    times: Mapping[str, float | None], plan: PerformancePlan, calibration: Mapping[str, float]
) -> None:
    """Of one request at a time both sides tell the same, but for what lies between them."""
    if plan.concurrency > 1:
        return
    slack_ms = calibration.get("added_ttft_p50_ms", 0.0) + TIMES_SLACK_MS
    for name, gap in gaps_above(times, slack_ms=slack_ms, share=TIMES_SLACK).items():
        raise _invalid("times_disagree", f"{_TIMES[name]} p50 differs by {gap:.2f} ms from the gateway's.")


def _is_saturated(
    times: Mapping[str, float | None],
    plan: PerformancePlan,
    gateway_share: float | None,
    credit: Mapping[str, float | None],
) -> bool:
    ttft = times["ttft_p50_gateway"] or times["latency_p50_gateway"]
    # The median: of ten requests the p99 is the slowest, and one hiccup of the host says nothing.
    late = ttft is not None and (credit["p50"] or 0.0) > CREDIT_SHARE * ttft
    if late or (gateway_share or 0.0) > GATEWAY_SHARE:
        return True
    return plan.concurrency > 1 and bool(gaps_above(times, slack_ms=TIMES_SLACK_MS, share=SATURATION_SLACK))


def _is_off(lengths: Mapping[str, float | None], plan: PerformancePlan) -> bool:
    told, ours = lengths["usage_output_tokens_mean"], lengths["o200k_output_tokens_mean"]
    if told is not None:
        return abs(told / plan.output_tokens - 1) > OUTPUT_BAND
    return ours is not None and abs(ours / plan.output_tokens - 1) > OUTPUT_BAND_WITHOUT_USAGE


def _is_burst(lengths: Mapping[str, float | None]) -> bool:
    tokens = lengths["usage_output_tokens_mean"] or lengths["o200k_output_tokens_mean"]
    chunks = lengths["content_chunks_mean"]
    return bool(tokens and chunks and chunks < BURST_SHARE * tokens)
