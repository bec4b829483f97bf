"""Run a set of questions: a canary, bounded slots, and the sink fed from the calling thread."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Collection
from time import monotonic

from llm_benchmark.measure.egress import EgressRefused, check_api_key, resolve
from llm_benchmark.measure.faults import egress_failure, failure, model_changed
from llm_benchmark.measure.plans import QualityOutcome, QualityPlan, Question, Target
from llm_benchmark.measure.questions import in_order
from llm_benchmark.measure.sink import Purpose, Sink

from .asking import Endpoint, new_loop
from .crossing import Crossing
from .slots import CANARY, Progress, Slot
from .unanswered import is_unanswered

CANCEL_POLL_SECONDS = 0.2
STREAM_SECONDS = 1800.0
DRAIN_SECONDS = 15.0  # for answers on their way, of the 30 that a process has to stop


def run_quality(
    plan: QualityPlan,
    target: Target,
    sink: Sink,
    cancel: threading.Event,
    *,
    heartbeat_seconds: float = 2.0,
    answered: Collection[str] = (),
    drain: threading.Event | None = None,
) -> QualityOutcome:
    """Ask every question of the plan once; the sink gets all answers.

    The sink is called only in this thread, and told everything before it happens: an attempt is reserved,
    then marked sent, then sent. After a crash at most 10 attempts per slot are in doubt.

    Args:
        cancel: set it to break the run off; what is in flight is settled as lost.
        drain: set it to have another go on: nothing more is sent, and what is in flight has 15 seconds before
            it is lost.
        answered: keys that need no asking any more (a run that goes on after a crash).
    Returns:
        How the questions ended. A `failure` says that there is no measurement, and whose side it is on.
    Raises:
        Stop, or whatever else the sink raises: the run ends at once and the sink is not called again.
    """
    try:
        endpoint = _endpoint(plan, target)
    except EgressRefused as refusal:
        return QualityOutcome(ends={}, attempts=0, returned_model=None, failure=egress_failure(refusal))
    progress = Progress(plan, target, endpoint, Crossing(), _order(plan, answered))
    if progress.waiting:
        _Driver(progress, cancel, drain or threading.Event()).drive(sink, heartbeat_seconds)
    return _outcome(progress)


def _endpoint(plan: QualityPlan, target: Target) -> Endpoint:
    if target.api_key is not None:
        check_api_key(target.api_key)
    pinned, seconds = resolve(target.base_url, target.egress), plan.request_timeout_seconds
    if plan.streaming:
        return Endpoint(target, pinned, STREAM_SECONDS, idle_seconds=seconds)
    return Endpoint(target, pinned, seconds)


def _order(plan: QualityPlan, answered: Collection[str]) -> list[Question]:
    """The same seed gives the same order, whatever was answered before."""
    done = frozenset(answered)
    return [question for question in in_order(plan.questions, plan.order_seed) if question.key not in done]


def _outcome(progress: Progress) -> QualityOutcome:
    ends = progress.ends
    return QualityOutcome(
        ends={
            question.key: ends[question.key] for question in progress.plan.questions if question.key in ends
        },
        attempts=progress.budget.sent,
        returned_model=next(iter(progress.models), None),
        failure=progress.failure,
        cancelled=progress.cancelled,
        findings=progress.findings,
    )


class _Driver:
    """The event loop in its own thread, and the sink's thread beside it."""

    def __init__(self, progress: Progress, cancel: threading.Event, drain: threading.Event) -> None:
        self._progress = progress
        self._cancel, self._drain = cancel, drain
        self._drained_at = float("inf")
        self._crossing = progress.crossing
        self._error: BaseException | None = None
        self._loop = new_loop()
        self._main: asyncio.Task[None] | None = None

    def drive(self, sink: Sink, heartbeat_seconds: float) -> None:
        thread = threading.Thread(target=self._run, name="questions", daemon=True)
        thread.start()
        try:
            self._feed(sink, heartbeat_seconds)
        except BaseException:
            self._on_loop(self._abandon)
            raise
        finally:
            thread.join()
        if self._error is not None:
            raise self._error

    def _feed(self, sink: Sink, heartbeat_seconds: float) -> None:
        beat_at = monotonic()
        while True:
            if monotonic() >= beat_at:
                beat_at = monotonic() + heartbeat_seconds
                if not sink.heartbeat():
                    self._on_loop(self._progress.cancel)
            self._look_whether_to_end()
            if not self._crossing.pump(sink, min(heartbeat_seconds, CANCEL_POLL_SECONDS)):
                return

    def _look_whether_to_end(self) -> None:
        if self._drain.is_set() and not self._progress.draining:
            self._drained_at = min(self._drained_at, monotonic() + DRAIN_SECONDS)
            self._on_loop(self._progress.drain)
        if (self._cancel.is_set() or monotonic() >= self._drained_at) and not self._progress.cancelled:
            self._on_loop(self._progress.cancel)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._ask_all())
        except asyncio.CancelledError:
            pass  # abandoned: the sink's thread knows why
        except BaseException as error:  # noqa: BLE001  (raised again in the caller's thread)
            self._error = error
        finally:
            self._crossing.finish()

    async def _ask_all(self) -> None:
        self._main = asyncio.current_task()
        progress = self._progress
        try:
            await _canary(progress)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(progress.plan.concurrency, len(progress.waiting))):
                    group.create_task(_work(progress))
        finally:
            await progress.endpoint.close()
        _check_model(progress)

    def _abandon(self) -> None:
        if self._main is not None:
            self._main.cancel()

    def _on_loop(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            self._loop.call_soon_threadsafe(call)


async def _work(progress: Progress) -> None:
    await Slot(progress).work()


async def _canary(progress: Progress) -> None:
    """One request that must be answered before any question is spent."""
    await Slot(progress).ask_all([CANARY], Purpose.CANARY)
    error = progress.ends.pop(CANARY.key, None)
    progress.unanswered = 0
    if error == "empty_response" or (error and is_unanswered(error)):
        progress.failure = failure(error, status=progress.canary_status)


def _check_model(progress: Progress) -> None:
    changed = model_changed(progress.models)
    if changed and not progress.stopping:
        progress.fail(changed)
