"""AIPerf's exports: hashed first, then read, and every figure that counts computed again from the raw one."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from .aiperf import EXPORTS
from .gateway.answer import content_of, parse_event
from .redaction import is_echoed
from .tokenizer import count_tokens

_MAX_EXPORT_BYTES = 1024**3
_PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
_MS = 1_000_000


class KeyEchoed(Exception):
    """An answer spells the endpoint's key in pieces, which the gateway cannot see."""


class ExportBroken(Exception):
    """An export is missing, unreadable or does not agree with itself."""


@dataclass(frozen=True, slots=True)
class RawRequest:
    """One request as AIPerf saw it. Durations in ms; token counts are o200k."""

    request_id: str
    phase: str
    start_ns: int
    status: int | None
    event_count: int
    content_count: int
    ttft_ms: float | None
    latency_ms: float | None
    output_tokens: int | None
    input_tokens: int | None
    finish_reason: str | None
    error: str | None

    @property
    def itl_ms(self) -> float | None:
        """Mean gap between tokens after the first; None for a single token or without streaming."""
        gaps = (self.output_tokens or 0) - 1
        if self.ttft_ms is None or self.latency_ms is None or gaps < 1:
            return None
        return (self.latency_ms - self.ttft_ms) / gaps


@dataclass(frozen=True, slots=True)
class Exports:
    """What AIPerf left behind. `summary` is its JSON, `records` its per-request lines by request id."""

    summary: Mapping[str, Any]
    records: Mapping[str, Mapping[str, Any]]
    raw: Sequence[RawRequest]

    @property
    def counted(self) -> Sequence[RawRequest]:
        """Without the warm-up."""
        return [request for request in self.raw if request.phase == "profiling"]


def hash_files(files: Mapping[str, Path]) -> dict[str, str]:
    """SHA-256 of each file, to be taken before anything is parsed."""
    digests = {}
    for name, path in files.items():
        with path.open("rb") as file:
            digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return digests


def export_files(artifacts: Path) -> dict[str, Path]:
    """The exports that are there, by their name in a bundle."""
    return {f"aiperf/{name}": artifacts / name for name in EXPORTS if (artifacts / name).is_file()}


def read_exports(
    artifacts: Path, *, streaming: bool, tokenizer_cache: Path, api_key: str | None = None
) -> Exports:
    """Read what AIPerf wrote.

    Args:
        api_key: the endpoint's, which must not stand in it.

    Raises:
        ExportBroken: a file is missing, too large or not what it should be.
        KeyEchoed: an answer says the key.
    """
    try:
        summary = orjson.loads(_content(artifacts / "profile_export_aiperf.json"))
        lines = [orjson.loads(line) for line in _content(artifacts / "profile_export.jsonl").splitlines()]
        rows = [orjson.loads(line) for line in _content(artifacts / "profile_export_raw.jsonl").splitlines()]
        prompts = _prompts(orjson.loads(_content(artifacts / "inputs.json")))
        records = {line["metadata"]["x_request_id"]: line for line in lines}
        raw = [
            _raw_request(row, prompts, streaming=streaming, cache=tokenizer_cache, api_key=api_key)
            for row in rows
        ]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, AttributeError, IndexError) as error:
        told = error.strerror if isinstance(error, OSError) else error  # the path is ours
        raise ExportBroken(f"{type(error).__name__}: {told}") from error
    if not isinstance(summary, dict):
        raise ExportBroken("The summary is not an object.")
    return Exports(summary, records, raw)


def disagreements(exports: Exports) -> list[str]:
    """The statistics of AIPerf's JSON that its raw export does not bear out; empty for an honest export."""
    good = [request for request in exports.counted if request.error is None]
    found = _record_disagreements(exports, good)
    for name, values in _series(good).items():
        stated = exports.summary.get(name)
        if values or stated:
            found += [f"{name}.{key}" for key in _differing(_statistics(values), stated)]
    return found + _total_disagreements(exports, good)


def _content(path: Path) -> bytes:
    if path.stat().st_size > _MAX_EXPORT_BYTES:
        raise ExportBroken(f"{path.name} is too large.")
    return path.read_bytes()


def _prompts(inputs: Mapping[str, Any]) -> dict[str, str]:
    return {entry["session_id"]: entry["payloads"][0]["messages"][0]["content"] for entry in inputs["data"]}


def _raw_request(
    row: Mapping[str, Any],
    prompts: Mapping[str, str],
    *,
    streaming: bool,
    cache: Path,
    api_key: str | None,
) -> RawRequest:
    metadata, start = row["metadata"], row["start_perf_ns"]
    error = row.get("error")
    events = [(entry["perf_ns"], _event_of(entry)) for entry in row.get("responses") or []]
    texts = [(at, content_of(event)) for at, event in events]
    times = [at for at, text in texts if text]
    answer = "".join(text for _, text in texts)
    if is_echoed(answer, api_key):
        raise KeyEchoed
    reasons = [reason for _, event in events if (reason := _finish_reason(event))]
    return RawRequest(
        request_id=metadata["x_request_id"],
        phase=metadata["benchmark_phase"],
        start_ns=metadata["request_start_ns"],
        status=row.get("status"),
        event_count=len(events),
        content_count=len(times),
        ttft_ms=(times[0] - start) / _MS if times and streaming else None,
        latency_ms=(times[-1] - start) / _MS if times else None,
        output_tokens=count_tokens(answer, cache=cache) if times else None,
        input_tokens=count_tokens(prompts[metadata["conversation_id"]], cache=cache),
        finish_reason=reasons[-1] if reasons else None,
        error=None if error is None else str(error.get("type") or "error")[:200],
    )


def _event_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    if "packets" not in entry:
        return parse_event(str(entry.get("text") or "").encode())
    data = [packet["value"] for packet in entry["packets"] if packet["name"] == "data"]
    return parse_event(str(data[0]).encode()) if data else {}


def _finish_reason(event: Mapping[str, Any]) -> str | None:
    choices = event.get("choices") or [{}]
    reason: str | None = choices[0].get("finish_reason")
    return reason


def _series(good: Sequence[RawRequest]) -> dict[str, list[float]]:
    return {
        "time_to_first_token": _known(request.ttft_ms for request in good),
        "request_latency": _known(request.latency_ms for request in good),
        "inter_token_latency": _known(request.itl_ms for request in good),
        "output_sequence_length": _known(request.output_tokens for request in good),
        "input_sequence_length": _known(request.input_tokens for request in good),
    }


def _known(values: Iterable[float | None]) -> list[float]:
    return [float(value) for value in values if value is not None]


def _statistics(values: Sequence[float]) -> dict[str, float]:
    """AIPerf's statistics: percentiles by linear interpolation, the population's standard deviation."""
    if not values:
        return {}
    ordered, count = sorted(values), len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / count
    percentiles = {f"p{k}": _percentile(ordered, k) for k in _PERCENTILES}
    return {"avg": mean, "min": ordered[0], "max": ordered[-1], "std": math.sqrt(variance), **percentiles}


def _percentile(ordered: Sequence[float], k: int) -> float:
    place = k / 100 * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _differing(computed: Mapping[str, float], stated: Any) -> list[str]:
    if not isinstance(stated, Mapping):
        return ["missing"]
    scale = max((abs(value) for value in computed.values()), default=0.0)
    return [key for key, value in computed.items() if not _is_near(stated.get(key), value, scale, 1e-9)]


def _is_near(stated: Any, computed: float, scale: float, tolerance: float) -> bool:
    is_number = isinstance(stated, int | float) and not isinstance(stated, bool)
    return is_number and abs(stated - computed) <= tolerance * max(scale, 1e-3)


def _record_disagreements(exports: Exports, good: Sequence[RawRequest]) -> list[str]:
    if exports.records.keys() != {request.request_id for request in exports.raw}:
        return ["request ids"]
    found = []
    for request in good:
        metrics = exports.records[request.request_id].get("metrics") or {}
        computed = {
            "time_to_first_token": request.ttft_ms,
            "request_latency": request.latency_ms,
            "output_sequence_length": request.output_tokens,
            "input_sequence_length": request.input_tokens,
        }
        for name, value in computed.items():
            stated = (metrics.get(name) or {}).get("value")
            if value is not None and not _is_near(stated, value, abs(value), 1e-9):
                found.append(f"{request.request_id}.{name}")
    return found


def _total_disagreements(exports: Exports, good: Sequence[RawRequest]) -> list[str]:
    tokens = sum(request.output_tokens or 0 for request in good)
    seconds = _phase_seconds(exports.summary)
    expected = {
        "request_count": (float(len(good)), 1e-9),
        "completed_request_count": (float(len(exports.counted)), 1e-9),
        "total_osl": (float(tokens), 1e-9),
    }
    if seconds:  # the phase's ends are rounded to a microsecond
        expected["request_throughput"] = (len(good) / seconds, 2e-6 / seconds + 1e-9)
        expected["output_token_throughput"] = (tokens / seconds, 2e-6 / seconds + 1e-9)
    found = []
    for name, (value, tolerance) in expected.items():
        stated = (exports.summary.get(name) or {}).get("avg")
        if not _is_near(stated, value, abs(value), tolerance):
            found.append(name)
    return found


def _phase_seconds(summary: Mapping[str, Any]) -> float | None:
    try:
        start, end = (datetime.fromisoformat(summary[name]) for name in ("start_time", "end_time"))
    except (KeyError, TypeError, ValueError):
        return None
    return (end - start).total_seconds()
