"""One session of load: AIPerf against one endpoint, through our gateway, with every request on the ledger."""

import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused, Pinned
from llm_benchmark.measure.faults import egress_failure, outcome_failure
from llm_benchmark.measure.gateway import Bounds, Gateway, GatewayBroken, JournalEntry, JournalReader
from llm_benchmark.measure.gateway.bounds import HELD_BYTES
from llm_benchmark.measure.plans import Failure, PerformancePlan, Side, Target
from llm_benchmark.measure.sink import Purpose, Sink
from llm_benchmark.measure.tokenizer import TokenizerBroken, count_tokens

from . import canary
from .acceptance import ECHOED, Accepted, NotAccepted, accept
from .aiperf import Aiperf, AiperfJob, AiperfMissing, BadModelName, describe
from .exports import export_files, hash_files
from .ledger import Ledger

_HEAD_BYTES, _TOKEN_BYTES, _VECTOR_BYTES = 65_536, 512, 65_536
_POLL_SECONDS, _CANARY_POLL_SECONDS = 0.05, 0.005


class Failed(Exception):
    """The session ends here without a measurement."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Cancelled(Exception):
    """Somebody asked for the run to end."""


@dataclass
class Conditions:
    """What the sessions of one run share."""

    target: Target
    sink: Sink
    cancel: threading.Event
    heartbeat_seconds: float
    tokenizer_cache: Path
    pinned: Pinned
    program: Path
    calibration: Mapping[str, float]
    beaten_at: float = field(default_factory=time.monotonic)

    def beat(self) -> None:
        """Prolong the lease, and stop when asked to."""
        if time.monotonic() - self.beaten_at >= self.heartbeat_seconds:
            self.beaten_at = time.monotonic()
            if not self.sink.heartbeat():
                raise Cancelled
        if self.cancel.is_set():
            raise Cancelled


class LoadSession:
    """One session while it goes on.

    Args:
        plan: of one concurrency.
        workdir: the session's own, empty.
        level: stands before its attempts' keys and in its files' names; empty where it is the only one.

    Attributes:
        expected_latency_seconds: of one request, by the canary; slow endpoints are paced more slowly.
        files, digests: the evidence, by its name in a bundle; complete when `run` is over, however it ended.
    """

    def __init__(
        self, conditions: Conditions, plan: PerformancePlan, workdir: Path, *, level: str = ""
    ) -> None:
        self.plan, self._conditions, self._workdir, self._level = plan, conditions, workdir, level
        self.expected_latency_seconds: float | None = None
        self.ledger = Ledger(conditions.sink, level=level)
        self._journal = JournalReader(self._gateway_folder / "journal.jsonl")
        self.files: Mapping[str, Path] = {}
        self.digests: Mapping[str, str] = {}

    @property
    def returned_model(self) -> str | None:
        return next((entry.returned_model for entry in self.ledger.entries if entry.returned_model), None)

    @property
    def spent_tokens(self) -> int:
        """As the gateway counts them: by the provider, and at least one an event."""
        return sum(entry.spent_tokens for entry in self.ledger.entries)

    def describe(self) -> Mapping[str, Any]:
        return describe(self.plan, self._conditions.target, self.expected_latency_seconds)

    def run(self) -> Accepted:
        """Measure, to the end of both processes.

        Raises:
            Failed, NotAccepted: there is no measurement.
            Cancelled: it was asked to end.
            Stop: from the sink.
        """
        self.ledger.reserve(warmup=self.plan.warmup_requests, requests=self.plan.requests)
        try:
            with faults_named():
                exit_code = self._go()
        except (Failed, Cancelled) as ended:
            self._settle()
            self._drop_if_echoed(ended)
            raise
        self._settle()
        try:
            return self._judge(exit_code)
        except NotAccepted as refused:
            self._drop_if_echoed(refused)
            raise

    @property
    def _gateway_folder(self) -> Path:
        return self._workdir / "gateway"

    @property
    def _artifacts(self) -> Path:
        return self._workdir / "aiperf" / "artifacts"

    def _go(self) -> int:
        """AIPerf's exit code; whatever happens, neither process is left."""
        with ExitStack() as stack:
            gateway = stack.enter_context(self._gateway())
            self._ask_canary(gateway)
            aiperf = Aiperf.start(self._job(gateway), self._conditions.program)
            stack.callback(aiperf.stop)
            stack.callback(gateway.stop)  # first of all: then nothing more goes out
            return self._follow(gateway, aiperf)

    def _gateway(self) -> Gateway:
        plan = self.plan
        planned = 1 + plan.warmup_requests + plan.requests
        bounds = Bounds(
            requests=planned if plan.request_bound is None else min(planned, plan.request_bound),
            tokens=plan.token_bound,
            first_byte_seconds=plan.request_timeout_seconds,
            idle_seconds=plan.request_timeout_seconds,
            total_seconds=plan.request_timeout_seconds,
            connections=plan.concurrency,
            held_bytes=max(HELD_BYTES, plan.concurrency * _answer_bytes(plan)),
        )
        pinned = self._conditions.pinned
        return Gateway.start(self._conditions.target, bounds, self._gateway_folder, pinned=pinned)

    def _job(self, gateway: Gateway) -> AiperfJob:
        return AiperfJob(
            plan=self.plan,
            target=self._conditions.target,
            url=gateway.url,
            path=gateway.path,
            key=gateway.key,
            directory=self._workdir / "aiperf",
            tokenizer_cache=self._conditions.tokenizer_cache,
            expected_latency_seconds=self.expected_latency_seconds,
        )

    def _ask_canary(self, gateway: Gateway) -> None:
        """Nothing else is sent to an endpoint that does not answer one short question."""
        target, streaming = self._conditions.target, self.plan.streaming
        with closing(canary.send(gateway, target, streaming=streaming)):
            count_tokens("", cache=self._conditions.tokenizer_cache)  # loaded meanwhile
            entry = self._canary_entry(gateway)
        if entry.outcome != "ok":
            raise Failed(outcome_failure(entry.outcome, entry.status))
        self.expected_latency_seconds = canary.expected_latency_seconds(entry, self.plan)

    def _canary_entry(self, gateway: Gateway) -> JournalEntry:
        while True:
            self._pulse()
            for entry in self.ledger.entries:
                if entry.purpose == Purpose.CANARY:
                    return entry
            _check_alive(gateway)
            time.sleep(_CANARY_POLL_SECONDS)

    def _follow(self, gateway: Gateway, aiperf: Aiperf) -> int:
        """Store and beat until AIPerf ends."""
        while (code := aiperf.exit_code) is None:
            time.sleep(_POLL_SECONDS)  # waiting for a process in Python wakes up all the time
            self._pulse()
            _check_alive(gateway)
            if time.monotonic() - aiperf.started_at > self.plan.wall_seconds:
                raise Failed(self._too_long())
        return code

    def _too_long(self) -> Failure:
        if any(entry.purpose == Purpose.REQUEST for entry in self.ledger.entries):
            return Failure(Side.PROVIDER, "too_slow", "The endpoint did not answer all requests in time.")
        return Failure(Side.PLATFORM, "aiperf_stalled", "AIPerf did not begin in time.")

    def _pulse(self) -> None:
        self.ledger.record(self._journal.read())
        self._conditions.beat()

    def _settle(self) -> None:
        """The gateway is gone: store the last of its journal and give the rest of the attempts back.

        The files are named and hashed before anything in them is read.
        """
        self.ledger.record(self._journal.read())
        self.ledger.close()
        self._name_files()

    def _drop_if_echoed(self, ended: Exception) -> None:
        """Answers that spell the endpoint's key, in whatever pieces, are kept nowhere."""
        failure = getattr(ended, "failure", None)
        if failure is None or failure.code != ECHOED:
            return
        shutil.rmtree(self._workdir / "aiperf", ignore_errors=True)
        (self._gateway_folder / "bodies.jsonl.gz").unlink(missing_ok=True)
        self._name_files()

    def _name_files(self) -> None:
        self.files = {**export_files(self._artifacts, self._level), **self._own_files()}
        self.digests = hash_files(self.files)

    def _own_files(self) -> Mapping[str, Path]:
        within = f"gateway/{self._level}/" if self._level else "gateway/"
        names = ("journal.jsonl", "bodies.jsonl.gz")
        found = {f"{within}{name}": self._gateway_folder / name for name in names}
        return {name: path for name, path in found.items() if path.is_file()}

    def _judge(self, exit_code: int) -> Accepted:
        conditions = self._conditions
        return accept(
            exit_code=exit_code,
            artifacts=self._artifacts,
            plan=self.plan,
            protocol=protocols.get(conditions.target.protocol),
            journal=self.ledger.entries,
            calibration=conditions.calibration,
            tokenizer_cache=conditions.tokenizer_cache,
            api_key=conditions.target.api_key,
        )


def _answer_bytes(plan: PerformancePlan) -> int:
    """What an honest answer of this load may hold: with room for long events and vectors."""
    return _HEAD_BYTES + _TOKEN_BYTES * plan.output_tokens + _VECTOR_BYTES * (plan.batch_size or 0)


@contextmanager
def faults_named() -> Iterator[None]:
    """What can be wrong before and around a session, with the side whose fault it is."""
    try:
        yield
    except EgressRefused as refused:
        raise Failed(egress_failure(refused)) from refused
    except BadModelName as bad:
        raise Failed(Failure(Side.SUBMITTER, "model_name", str(bad))) from bad
    except AiperfMissing as missing:
        raise Failed(Failure(Side.PLATFORM, "aiperf_missing", "AIPerf is not installed.")) from missing
    except TokenizerBroken as broken:
        raise Failed(Failure(Side.PLATFORM, "tokenizer_broken", str(broken))) from broken
    except GatewayBroken as broken:
        raise Failed(Failure(Side.PLATFORM, "gateway_broken", str(broken))) from broken


def _check_alive(gateway: Gateway) -> None:
    if not gateway.is_alive:
        raise GatewayBroken("The gateway has ended.")
