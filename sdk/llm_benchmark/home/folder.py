"""The folder of a run: what was measured, the ledger of requests, and the bundle."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from llm_benchmark.errors import InvalidInput
from llm_benchmark.models import GroupScore, Model

from .errors import OtherRun, RunInUse, RunUnfinished

try:
    import fcntl
except ImportError:  # not on Windows: there two processes are not kept apart
    fcntl = None  # type: ignore[assignment]

RUN, BUNDLE, PUBLIC_BUNDLE = "run.json", "bundle.zip", "public.zip"
SCHEMA = "llm-benchmark-run-v1"
_SAME = ("exchange", "benchmark", "version", "content_hash", "model", "limit", "seed")
"""With endpoint and configuration, what makes two runs the same one: the second goes on with the first."""


class KeptMetric(Model, frozen=True, kw_only=True):
    """A metric of the version. `is_stated` is false where there were too few requests to claim it."""

    name: str
    title: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    sample_count: int
    is_stated: bool


class KeptCase(Model, frozen=True, kw_only=True):
    """What came of one case; `answer_sha256` is of the endpoint's answer as received."""

    key: str
    score: float
    answered: bool
    error: str | None
    answer_sha256: str | None


class KeptRun(Model, frozen=True, kw_only=True):
    """What `run.json` says. While something is missing, `finished_at` is None.

    `endpoint` is the SHA-256 of the endpoint's URL, which stands nowhere; nor does its key. `limit` is how
    many questions were asked of more; None: all. Tokens are the provider's count, None unless every answer
    tells it.
    """

    schema: str = SCHEMA
    exchange: str
    benchmark: str
    benchmark_id: str
    kind: str
    version_id: str
    version: str
    content_hash: str
    model: str
    endpoint: str
    dialect: dict[str, Any]
    choices: dict[str, Any]
    configuration: dict[str, Any]
    seed: int
    limit: int | None = None
    started_at: datetime
    finished_at: datetime | None = None
    returned_model: str | None = None
    flags: list[str] = []
    metrics: list[KeptMetric] = []
    cases: list[KeptCase] = []
    groups: list[GroupScore] = []
    input_tokens: int | None = None
    output_tokens: int | None = None
    bundle_sha256: str = ""
    evidence: str = ""

    @property
    def is_full_set(self) -> bool:
        """Whether every case of the version was asked; nothing else can be claimed."""
        return self.limit is None


class Folder:
    """The files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bundle, self.public_bundle = path / BUNDLE, path / PUBLIC_BUNDLE
        self._run, self._session = path / RUN, path / "session"

    def read(self) -> KeptRun | None:
        """None: nothing was begun here. Raises InvalidInput for a file that is none of ours."""
        try:
            kept = msgspec.json.decode(self._run.read_bytes(), type=KeptRun)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as wrong:
            message = f"{self._run} cannot be read: {wrong}. Name another folder."
            raise InvalidInput.of("run", "unreadable", message) from None
        if kept.schema != SCHEMA:
            message = f"{self._run} is of the form {kept.schema}; this program reads {SCHEMA}. Update it."
            raise InvalidInput.of("run", "unreadable", message)
        return kept

    def write(self, run: KeptRun) -> None:
        """Whole or not at all."""
        part = self._run.with_suffix(".part")
        with part.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._run)

    def fresh_session(self) -> Path:
        """An empty place for AIPerf: a session that was cut short cannot be continued."""
        self.drop_session()
        self._session.mkdir()
        return self._session

    def drop_session(self) -> None:
        shutil.rmtree(self._session, ignore_errors=True)


@contextmanager
def opened(path: Path) -> Iterator[Folder]:
    """The folder, for this process alone; made if missing, and readable by its owner.

    Raises:
        RunInUse: another process measures into it.
        InvalidInput: it cannot be made.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        raise InvalidInput.of("directory", "unwritable", f"{path} cannot be used: {wrong}.") from None
    try:
        _lock(handle, path)
        yield Folder(path.absolute())  # AIPerf works in a folder of its own
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    """Held as long as the process lives, however it ends."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RunInUse(
            f"Another process is measuring into {path}. Wait for it, or name another folder."
        ) from None


def now() -> datetime:
    """To the second."""
    return datetime.fromtimestamp(int(time.time()), UTC)


def check_same(kept: KeptRun, given: KeptRun) -> None:
    """Raises OtherRun naming the first difference."""
    if kept.endpoint != given.endpoint:
        raise OtherRun("endpoint")
    for name in _SAME:
        before, now = getattr(kept, name), getattr(given, name)
        if before != now:
            raise OtherRun(name, before, now)
    for name in kept.configuration.keys() | given.configuration.keys():
        before, now = kept.configuration.get(name), given.configuration.get(name)
        if before != now:
            raise OtherRun(f"configuration.{name}", before, now)


def finished(path: Path) -> KeptRun:
    """The run that is kept there.

    Raises:
        RunUnfinished: there is none, or something is missing.
    """
    kept = Folder(path).read()
    if kept is None:
        raise RunUnfinished(f"No run is kept in {path}. Measure into it first.")
    if kept.finished_at is None:
        raise RunUnfinished(
            f"The run in {path} is not complete. Run it again: only what is missing is asked."
        )
    return kept
