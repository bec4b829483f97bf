"""The sink of a run at home: JSON lines on disk, each batch flushed to the disk itself before it counts."""

import base64
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from llm_benchmark import __version__

from .bundle import BundleManifest, performance_members, quality_members, write_bundle
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


class HomeSink:
    """A directory with a ledger. Opened again, it goes on: the reserved are released, the sent are lost.

    Args:
        directory: made if missing. One process at a time.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.attempts: dict[int, Attempt] = {}
        self._answers: dict[str, Answer] = {}
        whole = self._replay()
        self._file = os.open(self.directory / LEDGER, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(self._file, whole)
        self._sync_directory()
        self._close_open_attempts()

    @property
    def answers(self) -> list[Answer]:
        """All stored answers of questions, in the order they came."""
        return list(self._answers.values())

    @property
    def answered(self) -> frozenset[str]:
        """Keys that `run_quality(..., answered=…)` may skip."""
        return frozenset(self._answers)

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
        members = quality_members(
            plan=plan,
            answers=[self._answers[q.key] for q in plan.questions if q.key in self._answers],
            planned=planned,
            kinds=kinds,
            are_cases_public=are_cases_public,
            journal=self._journal(),
        )
        manifest = _manifest("quality", configuration, {**(snapshot or {}), "seed": plan.order_seed}, {})
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
        lines = memoryview(b"".join(orjson.dumps(event) + b"\n" for event in events))
        while lines:
            lines = lines[os.write(self._file, lines) :]
        os.fsync(self._file)
        for event in events:
            self._apply(event)

    def _replay(self) -> int:
        """Read the ledger back; the length of its whole lines in bytes. A torn last line never counted."""
        try:
            content = (self.directory / LEDGER).read_bytes()
        except FileNotFoundError:
            return 0
        whole = content.rfind(b"\n") + 1
        for line in content[:whole].splitlines():
            self._apply(orjson.loads(line))
        return whole

    def _apply(self, event: dict[str, Any]) -> None:
        if event["event"] == "reserved":
            attempt = Attempt(event["id"], Purpose(event["purpose"]), event["key"], event["number"])
            self.attempts[attempt.id] = attempt
            return
        attempt = self.attempts[event["id"]]
        attempt.state = event["event"]
        attempt.http_status, attempt.error = event.get("http_status"), event.get("error")
        attempt.usage = Usage(**event.get("usage", {}))
        if event.get("answer") and attempt.purpose is Purpose.QUESTION:
            self._answers[attempt.key] = _read_answer(event["answer"])

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
