"""A performance run: AIPerf against one endpoint, through our gateway, with every request on the ledger."""

import json
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .acceptance import ECHOED, Accepted, NotAccepted, accept
from .aiperf import (
    Aiperf,
    AiperfJob,
    AiperfMissing,
    BadModelName,
    aiperf_version,
    check_model_name,
    describe,
    extra_inputs,
    find_aiperf,
)
from .egress import EgressRefused, Pinned, check_api_key, resolve
from .exports import export_files, hash_files
from .faults import egress_failure, outcome_failure
from .gateway import Bounds, Gateway, GatewayBroken, JournalEntry, JournalReader
from .gateway.calibration import calibrate
from .ledger import Ledger
from .metrics import performance_metrics
from .plans import Failure, PerformanceOutcome, PerformancePlan, Side, Target
from .sink import Purpose, Sink
from .tokenizer import TokenizerBroken, count_tokens, seed_cache

CANARY_PROMPT, CANARY_TOKENS = "Say OK.", 8

_POLL_SECONDS = 0.05


class _Failed(Exception):
    """The run ends here without a measurement."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class _Cancelled(Exception):
    """Somebody asked for the run to end."""


@dataclass
class _Run:
    """One run while it goes on."""

    plan: PerformancePlan
    target: Target
    sink: Sink
    cancel: threading.Event
    workdir: Path
    heartbeat_seconds: float
    expected_latency_seconds: float | None
    tokenizer_cache: Path
    calibration: Mapping[str, float] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.sink)
        self._journal = JournalReader(self.gateway_folder / "journal.jsonl")
        self._beaten_at = time.monotonic()

    @property
    def gateway_folder(self) -> Path:
        return self.workdir / "gateway"

    @property
    def canary(self) -> JournalEntry | None:
        """How the canary came back; None while it is out."""
        return next((entry for entry in self.ledger.entries if entry.purpose == Purpose.CANARY), None)

    @property
    def returned_model(self) -> str | None:
        return next((entry.returned_model for entry in self.ledger.entries if entry.returned_model), None)

    def job(self, gateway: Gateway) -> AiperfJob:
        return AiperfJob(
            plan=self.plan,
            model=self.target.model,
            dialect=self.target.dialect,
            url=gateway.url,
            key=gateway.key,
            directory=self.workdir / "aiperf",
            tokenizer_cache=self.tokenizer_cache,
            expected_latency_seconds=self.expected_latency_seconds,
        )

    def pulse(self) -> None:
        """Store what happened, prolong the lease, and stop when asked to."""
        self.ledger.record(self._journal.read())
        if time.monotonic() - self._beaten_at >= self.heartbeat_seconds:
            self._beaten_at = time.monotonic()
            if not self.sink.heartbeat():
                raise _Cancelled
        if self.cancel.is_set():
            raise _Cancelled

    def settle(self) -> None:
        """The gateway is gone: store the last of its journal and give the rest of the attempts back."""
        self.ledger.record(self._journal.read())
        self.ledger.close()


def run_performance(
    plan: PerformancePlan,
    target: Target,
    sink: Sink,
    cancel: threading.Event,
    *,
    workdir: Path,
    aiperf: Path | None = None,
    heartbeat_seconds: float = 2.0,
    expected_latency_seconds: float | None = None,
    tokenizer_cache: Path | None = None,
) -> PerformanceOutcome:
    """Measure one session. Blocks, and uses the sink from this thread only.

    Args:
        workdir: the run's own, empty; what the bundle needs stays in it.
        aiperf: the program, when it is not beside this Python.
        heartbeat_seconds: between two heartbeats of the sink.
        expected_latency_seconds: of one request, if known: chooses the pacing of slow and of fast endpoints.
        tokenizer_cache: where o200k_base is kept, by default below the user's cache folder.

    Raises:
        Stop: from the sink; the child processes are gone and nothing more was written.
    """
    cache = tokenizer_cache or Path.home() / ".cache" / "llm-benchmark" / "tokenizer"
    run = _Run(plan, target, sink, cancel, workdir, heartbeat_seconds, expected_latency_seconds, cache)
    try:
        accepted = _measure(run, aiperf)
    except _Cancelled:
        return _outcome(run, cancelled=True)
    except (_Failed, NotAccepted) as failed:
        return _outcome(run, failure=failed.failure)
    return _outcome(run, accepted=accepted)


def _measure(run: _Run, program: Path | None) -> Accepted:
    with _faults_named():
        pinned = resolve(run.target.base_url, run.target.egress)
        if run.target.api_key:
            check_api_key(run.target.api_key)
        check_model_name(run.target.model)
        program = find_aiperf(program)
        seed_cache(run.tokenizer_cache)
        run.calibration = calibrate()
    run.ledger.reserve(warmup=run.plan.warmup_requests, requests=run.plan.requests)
    try:
        with _faults_named():
            exit_code = _session(run, pinned, program)
    except (_Failed, _Cancelled):
        run.settle()
        raise
    run.settle()
    return _judge(run, exit_code)


@contextmanager
def _faults_named() -> Iterator[None]:
    """What can be wrong before and around a session, with the side whose fault it is."""
    try:
        yield
    except EgressRefused as refused:
        raise _Failed(egress_failure(refused)) from refused
    except BadModelName as bad:
        raise _Failed(Failure(Side.SUBMITTER, "model_name", str(bad))) from bad
    except AiperfMissing as missing:
        raise _Failed(Failure(Side.PLATFORM, "aiperf_missing", "AIPerf is not installed.")) from missing
    except TokenizerBroken as broken:
        raise _Failed(Failure(Side.PLATFORM, "tokenizer_broken", str(broken))) from broken
    except GatewayBroken as broken:
        raise _Failed(Failure(Side.PLATFORM, "gateway_broken", str(broken))) from broken


def _session(run: _Run, pinned: Pinned, program: Path) -> int:
    """Run AIPerf to its end; whatever happens, neither process is left. Its exit code."""
    with ExitStack() as stack:
        gateway = stack.enter_context(_gateway(run, pinned))
        aiperf = Aiperf.start(run.job(gateway), program)
        stack.callback(aiperf.stop)
        stack.callback(gateway.stop)  # first of all: then nothing more goes out
        stack.enter_context(closing(_send_canary(run, gateway)))
        # AIPerf needs seconds to start; the tokenizer is loaded meanwhile.
        count_tokens("", cache=run.tokenizer_cache)
        return _follow(run, gateway, aiperf)


def _gateway(run: _Run, pinned: Pinned) -> Gateway:
    plan = run.plan
    planned = 1 + plan.warmup_requests + plan.requests
    bounds = Bounds(
        requests=planned if plan.request_bound is None else min(planned, plan.request_bound),
        tokens=plan.token_bound,
        first_byte_seconds=plan.request_timeout_seconds,
        idle_seconds=plan.request_timeout_seconds,
        total_seconds=plan.request_timeout_seconds,
        connections=plan.concurrency,
    )
    return Gateway.start(run.target, bounds, run.gateway_folder, pinned=pinned, gated=True)


def _send_canary(run: _Run, gateway: Gateway) -> socket.socket:
    """Ask one short question; the journal tells how it went, so the answer is left unread."""
    fields: dict[str, Any] = {
        **extra_inputs(run.target.dialect),
        "model": run.target.model,
        "messages": [{"role": "user", "content": CANARY_PROMPT}],
        "stream": run.plan.streaming,
        run.target.dialect.max_tokens_field: CANARY_TOKENS,
    }
    if run.plan.streaming:
        fields["stream_options"] = {"include_usage": True}
    body = json.dumps(fields).encode()
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
        f"Authorization: Bearer {gateway.canary_key}\r\nX-Request-ID: canary\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", gateway.port), timeout=10)
    connection.sendall(head.encode() + body)
    return connection


def _follow(run: _Run, gateway: Gateway, aiperf: Aiperf) -> int:
    """Let the load in when the canary is back; store and beat until AIPerf ends."""
    is_open = False
    while (code := aiperf.wait(_POLL_SECONDS)) is None:
        run.pulse()
        if not is_open and run.canary:
            if run.canary.outcome != "ok":
                raise _Failed(outcome_failure(run.canary.outcome, run.canary.status))
            gateway.open()
            is_open = True
        if not gateway.is_alive:
            raise GatewayBroken("The gateway has ended.")
        if time.monotonic() - aiperf.started_at > run.plan.wall_seconds:
            raise _Failed(_too_long(run))
    return code


def _too_long(run: _Run) -> Failure:
    if any(entry.purpose == Purpose.REQUEST for entry in run.ledger.entries):
        return Failure(Side.PROVIDER, "too_slow", "The endpoint did not answer all requests in time.")
    return Failure(Side.PLATFORM, "aiperf_stalled", "AIPerf did not begin in time.")


def _judge(run: _Run, exit_code: int) -> Accepted:
    artifacts = run.workdir / "aiperf" / "artifacts"
    _take_evidence(run)
    return accept(
        exit_code=exit_code,
        artifacts=artifacts,
        plan=run.plan,
        journal=run.ledger.entries,
        calibration=run.calibration,
        tokenizer_cache=run.tokenizer_cache,
        api_key=run.target.api_key,
    )


def _take_evidence(run: _Run) -> None:
    """Name and hash the files of the run, before anything in them is read."""
    own = {
        "gateway/journal.jsonl": run.gateway_folder / "journal.jsonl",
        "gateway/bodies.jsonl.gz": run.gateway_folder / "bodies.jsonl.gz",
    }
    there = {name: path for name, path in own.items() if path.is_file()}
    run.files = {**export_files(run.workdir / "aiperf" / "artifacts"), **there}
    run.digests = hash_files(run.files)


def _drop_answers(run: _Run) -> None:
    """They spell the endpoint's key, in whatever pieces: nothing of them is kept."""
    shutil.rmtree(run.workdir / "aiperf", ignore_errors=True)
    (run.gateway_folder / "bodies.jsonl.gz").unlink(missing_ok=True)
    _take_evidence(run)


def _outcome(
    run: _Run, *, accepted: Accepted | None = None, failure: Failure | None = None, cancelled: bool = False
) -> PerformanceOutcome:
    if failure and failure.code == ECHOED:
        _drop_answers(run)
    elif not run.files:
        _take_evidence(run)
    records = accepted.records if accepted else ()
    found = performance_metrics(records, concurrency=run.plan.concurrency) if accepted else {}
    pacing = describe(run.plan, run.target.dialect, run.expected_latency_seconds)
    return PerformanceOutcome(
        metrics={name: metric.value for name, metric in found.items()},
        records=records,
        flags=accepted.flags if accepted else frozenset(),
        calibration=run.calibration,
        files=run.files,
        digests=run.digests,
        tools={"aiperf": aiperf_version()},
        findings={**pacing, **(accepted.findings if accepted else {})},
        returned_model=run.returned_model,
        failure=failure,
        cancelled=cancelled,
    )
