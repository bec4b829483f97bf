"""The sink of a run at home: JSON lines on disk, each batch flushed to the disk itself before it counts."""

import base64
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from llm_benchmark import __version__

from .bundle import BundleManifest, keep_answers, performance_members, quality_members, write_bundle
from .bundle.formats import lines
from .metrics import MetricKind
from .plans import Answer, PerformanceOutcome, PerformancePlan, QualityOutcome, QualityPlan, Usage
from .sink import Purpose, Reservation, SettledAs, Settlement

LEDGER = "ledger.jsonl"


@dataclass
class Attempt:
    """One HTTP request as the ledger knows it. `state` is reserved, sent, settled, lost or released."""

    id: int
    purpose: Purpose
    key: str
    number: int
    state: str = "reserved"
    http_status: int | None = None
    error: str | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the ledger an answer stands, and why it is none."""

    start: int
    size: int
    error: str | None


class HomeSink:
    """A directory with a ledger. Opened again, it goes on: the reserved are released, the sent are lost.

    Answers stay in the ledger: together they may be larger than memory.

    Args:
        directory: made if missing. One process at a time.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.attempts: dict[int, Attempt] = {}
        self._places: dict[str, _Place] = {}
        self._size = 0
        self._replay()
        self._file = os.open(self.directory / LEDGER, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(self._file, self._size)
        self._sync_directory()
        self._close_open_attempts()

    @property
    def answers(self) -> Iterator[Answer]:
        """All stored answers of questions, in the order they came, read as they are taken."""
        return self._read(self._places)

    @property
    def ends(self) -> dict[str, str | None]:
        """As a `QualityOutcome` has them, of all calls: key → None, or why there is no answer."""
        return {key: place.error for key, place in self._places.items()}

    @property
    def answered(self) -> frozenset[str]:
        """Keys that `run_quality(..., answered=…)` may skip."""
        return frozenset(self._places)

    def reserve(self, batch: Sequence[Reservation]) -> Sequence[int]:
        first = len(self.attempts) + 1
        ids = range(first, first + len(batch))
        self._append(
            {"event": "reserved", "id": id_, "purpose": item.purpose, "key": item.key, "number": item.number}
            for id_, item in zip(ids, batch, strict=True)
        )
        return ids

    def sent(self, attempt_ids: Sequence[int]) -> None:
        self._append({"event": "sent", "id": attempt_id} for attempt_id in attempt_ids)

    def settled(self, batch: Sequence[Settlement]) -> None:
        self._append(_settled_event(settlement) for settlement in batch)

    def heartbeat(self) -> bool:
        return True

    def write_quality_bundle(
        self,
        path: Path,
        *,
        plan: QualityPlan,
        outcome: QualityOutcome,
        configuration: Mapping[str, Any],
        snapshot: Mapping[str, Any] | None = None,
        planned: int | None = None,
        kinds: Mapping[str, MetricKind] | None = None,
        are_cases_public: bool = False,
    ) -> str:
        """Write the run's evidence in the platform's format and give its SHA-256.

        Args:
            configuration: what the submitter chooses; no URL and no key.
            snapshot: what else was in force.
            planned: cases of the version, where the plan is a part of them.

        Raises:
            ValueError: the run brought no measurement.
        """
        _refuse_unmeasured(outcome)
        answers = self._read(question.key for question in plan.questions if question.key in self._places)
        manifest = _manifest("quality", configuration, {**(snapshot or {}), "seed": plan.order_seed}, {})
        with tempfile.TemporaryDirectory(prefix=".answers-", dir=self.directory) as folder:
            members = quality_members(
                plan=plan,
                answers=keep_answers(Path(folder) / "answers.jsonl", plan.questions, answers),
                planned=planned,
                kinds=kinds,
                are_cases_public=are_cases_public,
                journal=self._journal(),
            )
            return write_bundle(path, manifest, members)

    def write_performance_bundle(
        self,
        path: Path,
        *,
        plan: PerformancePlan,
        outcome: PerformanceOutcome,
        configuration: Mapping[str, Any],
        snapshot: Mapping[str, Any] | None = None,
        are_cases_public: bool = False,
    ) -> str:
        """As `write_quality_bundle`, while the session's files are still where it wrote them."""
        _refuse_unmeasured(outcome)
        members = performance_members(
            plan=plan,
            sessions=[outcome.session],
            files=outcome.files,
            digests=outcome.digests,
            are_cases_public=are_cases_public,
            journal=self._journal(),
        )
        found = {
            "seed": plan.seed,
            "flags": sorted(outcome.flags),
            "findings": dict(outcome.findings),
            "calibration": dict(outcome.calibration),
            "digests": dict(outcome.digests),
        }
        manifest = _manifest("performance", configuration, {**(snapshot or {}), **found}, outcome.tools)
        return write_bundle(path, manifest, members)

    def _journal(self) -> bytes:
        """The attempts, without what was answered."""
        return lines(asdict(attempt) for attempt in self.attempts.values())

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, events: Iterable[dict[str, Any]]) -> None:
        events = list(events)
        written = [orjson.dumps(event) + b"\n" for event in events]
        lines = memoryview(b"".join(written))
        while lines:
            lines = lines[os.write(self._file, lines) :]
        os.fsync(self._file)
        for event, line in zip(events, written, strict=True):
            self._apply(event, len(line))

    def _replay(self) -> None:
        """Read the ledger back, without a torn last line: it never counted."""
        try:
            with (self.directory / LEDGER).open("rb") as ledger:
                for line in ledger:
                    if line.endswith(b"\n"):
                        self._apply(orjson.loads(line), len(line))
        except FileNotFoundError:
            return

    def _read(self, keys: Iterable[str]) -> Iterator[Answer]:
        with (self.directory / LEDGER).open("rb") as ledger:
            for key in keys:
                ledger.seek(self._places[key].start)
                yield _read_answer(orjson.loads(ledger.read(self._places[key].size))["answer"])

    def _apply(self, event: dict[str, Any], size: int) -> None:
        """Note a line of the ledger, `size` bytes long, behind those that were noted before."""
        start = self._size
        self._size += size
        if event["event"] == "reserved":
            attempt = Attempt(event["id"], Purpose(event["purpose"]), event["key"], event["number"])
            self.attempts[attempt.id] = attempt
            return
        attempt = self.attempts[event["id"]]
        attempt.state = event["event"]
        attempt.http_status, attempt.error = event.get("http_status"), event.get("error")
        attempt.usage = Usage(**event.get("usage", {}))
        if event.get("answer") and attempt.purpose is Purpose.QUESTION:
            self._places[attempt.key] = _Place(start, size, event["answer"]["error"])

    def _close_open_attempts(self) -> None:
        left = {"reserved": SettledAs.RELEASED, "sent": SettledAs.LOST}
        open_ = [attempt for attempt in self.attempts.values() if attempt.state in left]
        if open_:
            self.settled([Settlement(a.id, left[a.state], error="interrupted") for a in open_])

    def _sync_directory(self) -> None:
        """A new file is only safe once its directory entry is."""
        if hasattr(os, "O_DIRECTORY"):
            handle = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY)
            os.fsync(handle)
            os.close(handle)


def _refuse_unmeasured(outcome: QualityOutcome | PerformanceOutcome) -> None:
    if outcome.failure or outcome.cancelled:
        raise ValueError("a run that failed or was cancelled has no bundle")


def _manifest(
    kind: str, configuration: Mapping[str, Any], snapshot: Mapping[str, Any], tools: Mapping[str, str]
) -> BundleManifest:
    code = {"name": "llm-benchmark-exchange", "version": __version__}
    return BundleManifest(kind, configuration, snapshot, code, tools)


def _settled_event(settlement: Settlement) -> dict[str, Any]:
    event: dict[str, Any] = {
        "event": settlement.state,
        "id": settlement.attempt_id,
        "http_status": settlement.http_status,
        "error": settlement.error,
        "usage": asdict(settlement.usage),
    }
    if settlement.answer is not None:
        event["answer"] = _written_answer(settlement.answer)
    return event


def _written_answer(answer: Answer) -> dict[str, Any]:
    """Raw bytes as text where they are UTF-8, else as base64."""
    fields = {name: getattr(answer, name) for name in Answer.__slots__ if name != "raw"}
    fields["usage"] = asdict(answer.usage)
    try:
        return {**fields, "raw": answer.raw.decode()}
    except UnicodeDecodeError:
        return {**fields, "raw_base64": base64.b64encode(answer.raw).decode()}


def _read_answer(fields: dict[str, Any]) -> Answer:
    written = dict(fields)
    encoded = written.pop("raw_base64", None)
    raw = base64.b64decode(encoded) if encoded is not None else written["raw"].encode()
    return Answer(**{**written, "raw": raw, "usage": Usage(**written["usage"])})
