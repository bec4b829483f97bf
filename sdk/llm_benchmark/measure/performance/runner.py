"""A performance run: one session of load, or a sweep of them at growing concurrency."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import check_api_key, resolve
from llm_benchmark.measure.faults import BOUND_CODES
from llm_benchmark.measure.gateway.calibration import calibrate
from llm_benchmark.measure.plans import Failure, PerformanceOutcome, PerformancePlan, Session, Side, Target
from llm_benchmark.measure.sink import Sink
from llm_benchmark.measure.tokenizer import seed_cache

from . import sweep
from .acceptance import Accepted, NotAccepted
from .aiperf import aiperf_version, check_model_name, find_aiperf
from .session import Cancelled, Conditions, Failed, LoadSession, faults_named
from .sessions import session_metrics

_SEEDS = 2**31


def run_performance(
    plan: PerformancePlan,
    target: Target,
    sink: Sink,
    cancel: threading.Event,
    *,
    workdir: Path,
    aiperf: Path | None = None,
    heartbeat_seconds: float = 2.0,
    tokenizer_cache: Path | None = None,
) -> PerformanceOutcome:
    """Measure one session, or one at each level of a sweep. Blocks, and uses the sink from this thread only.

    Args:
        workdir: the run's own, empty; what the bundle needs stays in it.
        aiperf: the program, when it is not beside this Python.
        heartbeat_seconds: between two heartbeats of the sink.
        tokenizer_cache: where o200k_base is kept, by default below the user's cache folder.

    Raises:
        Stop: from the sink; the child processes are gone and nothing more was written.
    """
    cache = tokenizer_cache or Path.home() / ".cache" / "llm-benchmark" / "tokenizer"
    run = _Run(plan, workdir)
    try:
        with faults_named():
            asked = target_of(plan, target)
            conditions = _prepare(
                asked, sink, cancel, heartbeat_seconds=heartbeat_seconds, cache=cache, program=aiperf
            )
        run.calibration = conditions.calibration
        run.measure(conditions)
    except Cancelled:
        return run.outcome(cancelled=True)
    except (Failed, NotAccepted) as failed:
        return run.outcome(failure=failed.failure)
    return run.outcome()


def target_of(plan: PerformancePlan, target: Target) -> Target:
    """The target, asked as the profile wants it.

    Raises:
        Failed: profile_mismatch; the deployment is asked in a way that is not for this kind of load.
    """
    is_generating = target.protocol in protocols.GENERATING
    if plan.protocol is None:
        is_fitting = is_generating
    else:
        is_fitting = target.protocol.startswith(plan.protocol) or target.protocol == protocols.DEFAULT
    if not is_fitting:
        raise Failed(Failure(Side.SUBMITTER, "profile_mismatch", _mismatch(plan, target)))
    if plan.protocol is None or target.protocol != protocols.DEFAULT:
        return target
    return replace(target, protocol=plan.protocol)


def _mismatch(plan: PerformancePlan, target: Target) -> str:
    wanted = plan.protocol or "text that is generated"
    return f"This profile is for {wanted}; the model is asked by {target.protocol}. Choose another profile."


def _prepare(
    target: Target,
    sink: Sink,
    cancel: threading.Event,
    *,
    heartbeat_seconds: float,
    cache: Path,
    program: Path | None,
) -> Conditions:
    """All that can be wrong before anything is reserved."""
    pinned = resolve(target.base_url, target.egress)
    if target.api_key:
        check_api_key(target.api_key)
    check_model_name(target.model)
    found = find_aiperf(program)
    seed_cache(cache)
    return Conditions(target, sink, cancel, heartbeat_seconds, cache, pinned, found, calibrate())


@dataclass
class _Run:
    """One run while it goes on, and what it has brought so far."""

    plan: PerformancePlan
    workdir: Path
    calibration: Mapping[str, float] = field(default_factory=dict)
    sessions: list[LoadSession] = field(default_factory=list)
    levels: list[Session] = field(default_factory=list)
    accepted: list[Accepted] = field(default_factory=list)
    stopped: tuple[int, Failure] | None = None

    def __post_init__(self) -> None:
        self._ends_at = time.monotonic() + self.plan.wall_seconds

    def measure(self, conditions: Conditions) -> None:
        """Level by level. One that the provider cannot serve ends a sweep; what was measured stands."""
        for concurrency in self.plan.concurrencies or (self.plan.concurrency,):
            try:
                self._measure_level(conditions, concurrency)
            except (Failed, NotAccepted) as failed:
                if not self._is_end_of_sweep(failed.failure):
                    raise
                self.stopped = concurrency, failed.failure
                return

    def _measure_level(self, conditions: Conditions, concurrency: int) -> None:
        level = f"c{concurrency:03}" if self.plan.concurrencies else ""
        plan, workdir = self._plan_of(concurrency), self.workdir / level
        session = LoadSession(conditions, plan, workdir, level=level)
        self.sessions.append(session)
        accepted = session.run()
        self.accepted.append(accepted)
        self.levels.append(Session(accepted.records, accepted.flags, concurrency, self.plan.slo))

    def _plan_of(self, concurrency: int) -> PerformancePlan:
        """One level, within what is left of the bounds, with prompts that no other level had."""
        requests = sum(session.ledger.sent_count for session in self.sessions)
        tokens = sum(session.spent_tokens for session in self.sessions)
        return replace(
            self.plan,
            concurrency=concurrency,
            concurrencies=(),
            seed=(self.plan.seed + len(self.sessions)) % _SEEDS,
            request_bound=_left(self.plan.request_bound, requests),
            token_bound=_left(self.plan.token_bound, tokens),
            wall_seconds=max(0.0, self._ends_at - time.monotonic()),
        )

    def _is_end_of_sweep(self, failure: Failure) -> bool:
        is_theirs = failure.side in {Side.PROVIDER, Side.MODEL} and failure.code not in BOUND_CODES
        return is_theirs and bool(self.levels)

    def outcome(self, *, failure: Failure | None = None, cancelled: bool = False) -> PerformanceOutcome:
        is_measured = not failure and not cancelled
        session = self._session() if is_measured else Session((), (), self.plan.concurrency, self.plan.slo)
        found = session_metrics(session) if is_measured else {}
        return PerformanceOutcome(
            metrics={name: metric.value for name, metric in found.items()},
            session=session,
            calibration=self.calibration,
            files={name: path for each in self.sessions for name, path in each.files.items()},
            digests={name: digest for each in self.sessions for name, digest in each.digests.items()},
            tools={"aiperf": aiperf_version()},
            findings=self._findings(),
            returned_model=next((s.returned_model for s in self.sessions if s.returned_model), None),
            failure=failure,
            cancelled=cancelled,
        )

    def _session(self) -> Session:
        if not self.plan.concurrencies:
            return self.levels[0]
        flags = frozenset(flag for level in self.levels for flag in level.flags)
        if self.stopped:
            flags |= {"sweep_stopped"}
        return Session((), flags, max(self.plan.concurrencies), self.plan.slo, levels=tuple(self.levels))

    def _findings(self) -> dict[str, Any]:
        if not self.plan.concurrencies:
            checks = self.accepted[0].findings if self.accepted else {}
            return {**(self.sessions[0].describe() if self.sessions else {}), **checks}
        if not self.levels:
            return {}
        found = sweep.findings(self.levels, self.stopped)
        for row, session, accepted in zip(found["levels"], self.sessions, self.accepted, strict=False):
            row["checks"] = {**session.describe(), **accepted.findings}
        return {"sweep": found}


def _left(bound: int | None, spent: int) -> int | None:
    return None if bound is None else max(0, bound - spent)
