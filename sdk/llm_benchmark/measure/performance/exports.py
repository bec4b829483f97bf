"""AIPerf's exports: hashed first, then read. What counts is in the raw one."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from llm_benchmark.measure.gateway.content import content_of
from llm_benchmark.measure.protocols import GENERATING, Completion, Protocol
from llm_benchmark.measure.redaction import is_echoed
from llm_benchmark.measure.tokenizer import count_tokens

from .aiperf import EXPORTS

_MAX_EXPORT_BYTES = 1024**3
_MS = 1_000_000


class KeyEchoed(Exception):
    """An answer spells the endpoint's key in pieces, which the gateway cannot see."""


class ExportBroken(Exception):
    """An export is missing, unreadable or does not agree with itself."""


@dataclass(frozen=True, slots=True)
class RawRequest:
    """One request as AIPerf saw it. Durations in ms; token counts are o200k.

    `content_count` is of events with content, or 1 of a whole document with any. `input_tokens` are of all
    texts, each for itself; `joined_input_tokens` as AIPerf counts them, None where it does not.
    """

    request_id: str
    phase: str
    start_ns: int
    status: int | None
    event_count: int
    content_count: int
    ttft_ms: float | None
    latency_ms: float | None
    output_tokens: int | None
    input_tokens: int
    joined_input_tokens: int | None
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

    protocol: Protocol
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


def export_files(artifacts: Path, level: str = "") -> dict[str, Path]:
    """The exports that are there, by their name in a bundle; those of a sweep by level."""
    within = f"aiperf/{level}/" if level else "aiperf/"
    return {f"{within}{name}": artifacts / name for name in EXPORTS if (artifacts / name).is_file()}


def read_exports(
    artifacts: Path,
    *,
    protocol: Protocol,
    streaming: bool,
    tokenizer_cache: Path,
    api_key: str | None = None,
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
        prompts = _prompts(protocol, orjson.loads(_content(artifacts / "inputs.json")))
        records = {
            line["metadata"]["x_request_id"]: line for line in _lines(artifacts / "profile_export.jsonl")
        }
        reading = _Reading(protocol, streaming, tokenizer_cache, api_key, prompts)
        raw = [reading.request(row) for row in _lines(artifacts / "profile_export_raw.jsonl")]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, AttributeError, IndexError) as error:
        told = error.strerror if isinstance(error, OSError) else error  # the path is ours
        raise ExportBroken(f"{type(error).__name__}: {told}") from error
    if not isinstance(summary, dict):
        raise ExportBroken("The summary is not an object.")
    return Exports(protocol, summary, records, raw)


def _content(path: Path) -> bytes:
    _check_size(path)
    return path.read_bytes()


def _lines(path: Path) -> Iterator[Any]:
    """What each line says; one is held at a time, for all answers of a session may be more than fits."""
    _check_size(path)
    with path.open("rb") as file:
        yield from map(orjson.loads, file)


def _check_size(path: Path) -> None:
    if path.stat().st_size > _MAX_EXPORT_BYTES:
        raise ExportBroken(f"{path.name} is too large.")


def failed_to_read(artifacts: Path) -> bool:
    """Whether AIPerf could read none of the answers. False where that is not known."""
    try:
        lines = _lines(artifacts / "profile_export.jsonl")
        kinds = {(line.get("error") or {}).get("type") for line in lines}
    except (OSError, orjson.JSONDecodeError, AttributeError, ExportBroken):
        return False
    return kinds == {"InvalidInferenceResultError"}


def _prompts(protocol: Protocol, inputs: Mapping[str, Any]) -> dict[str, list[str]]:
    return {entry["session_id"]: _texts(protocol, entry["payloads"][0]) for entry in inputs["data"]}


def _texts(protocol: Protocol, body: Mapping[str, Any]) -> list[str]:
    """All that a request of AIPerf's gives to read."""
    if protocol.name == "completions":
        return [body["prompt"]]
    if protocol.name == "responses":
        return [body["input"][0]["content"]]
    if protocol.name == "embeddings":
        return list(body["input"])
    if protocol.name in GENERATING:
        return [body["messages"][0]["content"]]
    return [body["query"], *body["documents" if protocol.name == "rerank" else "texts"]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What AIPerf kept of one answer. `times` are of its content, in ns."""

    event_count: int
    times: Sequence[int]
    text: str
    reasoning: str
    finish_reason: str | None


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the raw export of one session is read."""

    protocol: Protocol
    streaming: bool
    cache: Path
    api_key: str | None
    prompts: Mapping[str, list[str]]

    def request(self, row: Mapping[str, Any]) -> RawRequest:
        metadata, start, error = row["metadata"], row["start_perf_ns"], row.get("error")
        answer = self._answer(row.get("responses") or [])
        texts, times = self.prompts[metadata["conversation_id"]], answer.times
        each = [self._count(text) for text in texts]
        return RawRequest(
            request_id=metadata["x_request_id"],
            phase=metadata["benchmark_phase"],
            start_ns=metadata["request_start_ns"],
            status=row.get("status"),
            event_count=answer.event_count,
            content_count=len(times),
            ttft_ms=(times[0] - start) / _MS if times and self.streaming else None,
            latency_ms=(times[-1] - start) / _MS if times else None,
            output_tokens=self._output_tokens(answer),
            input_tokens=sum(each),
            joined_input_tokens=self._joined(texts, each),
            finish_reason=answer.finish_reason,
            error=None if error is None else str(error.get("type") or "error")[:200],
        )

    def _answer(self, responses: Sequence[Mapping[str, Any]]) -> _Answer:
        payloads = [(entry["perf_ns"], payload) for entry in responses for payload in _payloads(entry)]
        is_stream = any("packets" in entry for entry in responses)
        answer = self._streamed(payloads) if is_stream else self._whole(payloads)
        if is_echoed(answer.text + answer.reasoning, self.api_key):
            raise KeyEchoed
        return answer

    def _streamed(self, payloads: Sequence[tuple[int, bytes]]) -> _Answer:
        contents = [(at, content_of(self.protocol, payload)) for at, payload in payloads]
        reasons = [content.finish_reason for _, content in contents]
        return _Answer(
            event_count=len(payloads),
            times=[at for at, content in contents if content.is_timed],
            text="".join(content.text for _, content in contents),
            reasoning="".join(content.reasoning for _, content in contents),
            finish_reason=next((reason for reason in reversed(reasons) if reason), None),
        )

    def _whole(self, payloads: Sequence[tuple[int, bytes]]) -> _Answer:
        found = self.protocol.read(payloads[0][1]) if payloads else Completion()
        times = [payloads[0][0]] if found.has_content else []
        return _Answer(len(payloads), times, found.text or "", found.reasoning or "", found.finish_reason)

    def _output_tokens(self, answer: _Answer) -> int | None:
        """Reasoning and text, each for itself, as AIPerf counts them."""
        if not answer.times or self.protocol.name not in GENERATING:
            return None
        return sum(self._count(part) for part in (answer.text, answer.reasoning) if part)

    def _joined(self, texts: Sequence[str], each: Sequence[int]) -> int | None:
        """AIPerf puts a space between texts, and does not find those that are ranked."""
        if self.protocol.name in {"rerank", "rerank_tei"}:
            return None
        return each[0] if len(texts) == 1 else self._count(" ".join(texts))

    def _count(self, text: str) -> int:
        return count_tokens(text, cache=self.cache)


def _payloads(entry: Mapping[str, Any]) -> list[bytes]:
    """A document, or the data of an event; a comment has none."""
    if "packets" not in entry:
        return [str(entry.get("text") or "").encode()]
    data = [str(packet["value"]) for packet in entry["packets"] if packet["name"] == "data"]
    return ["\n".join(data).encode()] if data else []
