"""Bounded workers: each takes a few questions, asks them one after the other and settles them together."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from llm_benchmark.measure import retries
from llm_benchmark.measure.faults import failure
from llm_benchmark.measure.plans import Answer, Failure, QualityPlan, Question, Target
from llm_benchmark.measure.sink import Purpose, Reservation, SettledAs, Settlement

from .asking import Endpoint, Reply
from .budget import BoundReached, Budget
from .crossing import Crossing
from .unanswered import UNANSWERED_SHARE, is_unanswered, provider_failure

BATCH = 10
# An answer slower than this is stored at once: the commit costs nothing beside it.
SLOW_MS = 250.0
LARGE_BYTES = 1024 * 1024
CANARY = Question(key="canary", prompt="Say hello.", reference="", scorer="")


@dataclass
class Progress:
    """What the slots of a run share. Only touched on the event loop."""

    plan: QualityPlan
    target: Target
    endpoint: Endpoint
    crossing: Crossing
    waiting: list[Question]
    ends: dict[str, str | None] = field(default_factory=dict)
    canary_status: int | None = None
    failure: Failure | None = None
    cancelled: bool = False
    draining: bool = False
    unanswered: int = 0
    slots: "list[Slot]" = field(default_factory=list)

    def __post_init__(self) -> None:
        self.budget = Budget(self.plan)
        self.protocol = self.endpoint.protocol
        self.retries = retries.POLICIES[self.plan.retry_policy]
        self.fields = self.protocol.generation_fields(self.target, self.plan.generation)
        self.streaming = self.plan.streaming and self.protocol.can_stream
        self._stream_fields = self.protocol.stream_fields() if self.streaming else {"stream": False}
        self.findings: dict[str, str] = {}
        self.models: dict[str, None] = {}

    @property
    def stopping(self) -> bool:
        return self.broken_off or self.failure is not None

    @property
    def broken_off(self) -> bool:
        return self.cancelled or self.draining

    def take(self) -> list[Question]:
        """The next questions for one slot: at most 10, fewer near the end so that no slot idles."""
        if self.stopping:
            return []
        share = -(-len(self.waiting) // (2 * max(1, self.plan.concurrency)))
        count = min(BATCH, share)
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return taken

    def body(self, question: Question, system_prompt: str) -> bytes:
        fields = {**self.fields, **self._stream_fields}
        if question.seed is not None and "seed" in fields:
            fields["seed"] = question.seed
        return self.protocol.body(fields, prompt=question.prompt, system_prompt=system_prompt)

    def ask_whole(self) -> None:
        """Streams are refused: from now on nobody asks for one, not even by saying no."""
        self.streaming, self._stream_fields = False, {}
        self.findings["streaming"] = "refused"

    def fail(self, reason: Failure) -> None:
        self.failure = self.failure or reason

    def cancel(self) -> None:
        """Break off what is in flight; slots settle it as lost and release the rest."""
        self.cancelled = True
        for slot in self.slots:
            slot.interrupt()

    def drain(self) -> None:
        """Let what is in flight be answered; slots that pause end, and all release the rest."""
        self.draining = True
        for slot in self.slots:
            slot.wake()

    def keep(self, answer: Answer) -> None:
        self.ends[answer.key] = answer.error
        if answer.key == CANARY.key:
            self.canary_status = answer.http_status
        if answer.returned_model:
            self.models[answer.returned_model] = None
        if answer.error in {"authentication_failed", "payment_required"}:
            self.fail(failure(answer.error, status=answer.http_status))
        if answer.error and is_unanswered(answer.error):
            self.unanswered += 1
        planned = len(self.plan.questions)
        if self.unanswered > UNANSWERED_SHARE * planned:
            self.fail(provider_failure(self.ends.values(), planned) or failure("provider_error"))


class _Interrupted(Exception):
    """The run was cancelled while this slot was on the network."""


class Slot:
    """One worker: at most one request in flight, at most 10 attempts in doubt after a crash."""

    def __init__(self, progress: Progress) -> None:
        self._run = progress
        self._task = asyncio.current_task()
        self._interruptible = self._pausing = False
        self._unsaved: list[Settlement] = []
        progress.slots.append(self)

    async def work(self) -> None:
        while questions := self._run.take():
            await self.ask_all(questions, Purpose.QUESTION)

    async def ask_all(self, questions: Sequence[Question], purpose: Purpose) -> None:
        batch = [Reservation(purpose, question.key, 1) for question in questions]
        ids = await self._run.crossing.reserve(batch)
        for question, attempt_id in zip(questions, ids, strict=True):
            await self._ask(question, purpose, attempt_id)
        self._flush()

    def interrupt(self) -> None:
        if self._interruptible and self._task is not None:
            self._task.cancel()

    def wake(self) -> None:
        if self._pausing:
            self.interrupt()

    async def _ask(self, question: Question, purpose: Purpose, attempt_id: int) -> None:
        system = self._run.plan.system_prompt if purpose is Purpose.QUESTION else ""
        worst = self._run.budget.worst_case(question.prompt, system)
        number = 1
        while True:
            streaming = self._run.streaming
            reply = await self._attempt(self._run.body(question, system), worst, attempt_id)
            if reply is None:
                return
            pause = self._pause_after(reply, number, streaming=streaming)
            if pause is None or (self._run.stopping and not self._run.draining):
                self._conclude(reply.answer(question.key), reply, attempt_id)
                return
            self._settle(_settlement(attempt_id, reply))
            self._flush()
            if not await self._pause(pause):
                return
            number += 1
            (attempt_id,) = await self._run.crossing.reserve([Reservation(purpose, question.key, number)])

    def _pause_after(self, reply: Reply, number: int, *, streaming: bool) -> float | None:
        """None: this is the question's last attempt."""
        if reply.error is None:
            return None
        if streaming and reply.refuses_streams:
            self._run.ask_whole()
            return 0.0
        return self._run.retries.pause(reply.error, number, retry_after=reply.retry_after, now=time.time())

    async def _attempt(self, body: bytes, worst: int, attempt_id: int) -> Reply | None:
        """None: not sent, or broken off, and settled as such."""
        if not self._is_admitted(worst):
            self._settle(Settlement(attempt_id, SettledAs.RELEASED))
            return None
        await self._run.crossing.sent(attempt_id)
        try:
            reply = await self._uninterrupted(body)
        except _Interrupted:
            self._settle(Settlement(attempt_id, SettledAs.LOST, error="cancelled"))
            return None
        self._run.budget.spend(worst, reply.usage)
        return reply

    async def _uninterrupted(self, body: bytes) -> Reply:
        if self._run.cancelled:
            raise _Interrupted
        self._interruptible = True
        try:
            return await self._run.endpoint.ask(body)
        except asyncio.CancelledError:
            self._survive()
            raise _Interrupted from None
        finally:
            self._interruptible = False

    def _is_admitted(self, worst: int) -> bool:
        if self._run.stopping:
            return False
        try:
            self._run.budget.admit(worst)
        except BoundReached as bound:
            self._run.fail(failure(bound.code))
            return False
        return True

    async def _pause(self, seconds: float) -> bool:
        """False: broken off, before or meanwhile."""
        if self._run.broken_off:
            return False
        self._interruptible = self._pausing = True
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self._survive()
        finally:
            self._interruptible = self._pausing = False
        return not self._run.broken_off

    def _survive(self) -> None:
        """Our own interruption ends here; a cancellation from outside goes on."""
        if not self._run.broken_off or self._task is None or self._task.uncancel() > 0:
            raise asyncio.CancelledError

    def _conclude(self, answer: Answer, reply: Reply, attempt_id: int) -> None:
        self._settle(_settlement(attempt_id, reply, answer))
        self._run.keep(answer)
        if reply.latency_ms >= SLOW_MS:
            self._flush()

    def _settle(self, settlement: Settlement) -> None:
        self._unsaved.append(settlement)
        size = sum(len(kept.answer.raw) for kept in self._unsaved if kept.answer)
        if len(self._unsaved) >= BATCH or size >= LARGE_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._unsaved:
            self._run.crossing.settled(self._unsaved)
            self._unsaved = []


def _settlement(attempt_id: int, reply: Reply, answer: Answer | None = None) -> Settlement:
    return Settlement(attempt_id, reply.settled_as, reply.status, reply.error, reply.usage, answer)
