"""Check one model: what it is for, whether it answers, and whether it goes on answering."""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused, check_api_key, resolve
from llm_benchmark.measure.faults import egress_failure
from llm_benchmark.measure.plans import JSON, Generation, Target
from llm_benchmark.measure.quality.asking import Endpoint, Reply
from llm_benchmark.measure.retries import PROBE, RetryPolicy
from llm_benchmark.measure.sink import Purpose, Reservation, SettledAs, Settlement, Sink

from .capability import Known, recognised
from .concluding import concluded, not_probed, refused
from .findings import Finding, Pause, ProbeRecord
from .reading import read
from .steps import Probe, following, protocol_for
from .waiting import NotWanted, wait_for

PROBE_SECONDS = 30.0
PROBE_TOKENS = 16
HEARTBEAT_SECONDS = 0.5


def check(
    target: Target,
    known: Known,
    sink: Sink,
    cancel: threading.Event,
    *,
    stand: Mapping[str, JSON] | None = None,
    longest_pause: float = 0.5,
    policy: RetryPolicy = PROBE,
    seconds: float = PROBE_SECONDS,
) -> Finding | Pause | None:
    """Send a smoke probe and three stability probes, and judge them.

    Each request is told to the sink before and after, in this thread, by the name of its step. A kind of
    model that has no probe costs none.

    Args:
        stand: of the Pause after which this goes on.
        longest_pause: pauses up to that many seconds are slept; a longer one is given back as Pause.
        policy: how often a step is tried again, and after which pauses.
        seconds: the most for one request.
    Returns:
        None: cancelled, or the sink's heartbeat said so.
    Raises:
        Stop, or whatever else the sink raises.
    """
    guess = recognised(target.model, known)
    protocol = protocol_for(guess.capability, target.protocol)
    if protocol is None:
        return not_probed(guess, target)
    probes = [ProbeRecord(**probe) for probe in (stand or {}).get("probes", ())]
    asking = _Asking(target, sink, cancel, seconds)
    try:
        pause = _go_on(asking, probes, protocol, policy, longest_pause)
    except EgressRefused as refusal:
        return refused(guess, protocol, egress_failure(refusal), probes)
    except NotWanted:
        return None
    return pause or concluded(guess, protocol, target, probes)


def _go_on(
    asking: "_Asking", probes: list[ProbeRecord], protocol: str, policy: RetryPolicy, longest_pause: float
) -> Pause | None:
    """Send what follows, add it to the probes, and so on to the end or to a long pause."""
    is_rested = bool(probes)
    while True:
        pause = _pause_after(probes, policy)
        probe = following(probes, protocol, repeats=pause is not None)
        if probe is None:
            return None
        if pause and not is_rested:
            if pause > longest_pause:
                return Pause(pause, {"probes": [asdict(probe) for probe in probes]})
            asking.rest(pause)
        is_rested = False
        probes.append(asking.send(probe))


def _pause_after(probes: Sequence[ProbeRecord], policy: RetryPolicy) -> float | None:
    if not probes or probes[-1].error is None:
        return None
    last = probes[-1]
    asked = str(math.ceil(max(0.0, last.retry_after_seconds or 0.0)))
    return policy.pause(last.error or "", last.number, retry_after=asked, now=time.time())


class _Asking:
    """One probe at a time, each on a connection of its own: an old one may be closed after a pause."""

    def __init__(self, target: Target, sink: Sink, cancel: threading.Event, seconds: float) -> None:
        self._target, self._sink, self._cancel, self._seconds = target, sink, cancel, seconds
        self._beat_at = 0.0

    def send(self, probe: Probe) -> ProbeRecord:
        """Raises EgressRefused before anything is reserved, NotWanted when it was cancelled."""
        if not self._goes_on():
            raise NotWanted
        target = replace(self._target, protocol=probe.protocol)
        endpoint = self._endpoint(target)
        (attempt,) = self._sink.reserve([Reservation(Purpose.PROBE, probe.step, probe.number)])
        self._sink.sent([attempt])
        try:
            reply = wait_for(_ask(endpoint, _body(target, probe)), self._goes_on)
        except NotWanted:
            self._sink.settled([Settlement(attempt, SettledAs.LOST, error="cancelled")])
            raise
        record = read(probe, reply, target.model)
        self._sink.settled([_settlement(attempt, reply, record)])
        return record

    def rest(self, seconds: float) -> None:
        """Raises NotWanted."""
        self._cancel.wait(seconds)
        if not self._goes_on():
            raise NotWanted

    def _endpoint(self, target: Target) -> Endpoint:
        if target.api_key is not None:
            check_api_key(target.api_key)
        return Endpoint(target, resolve(target.base_url, target.egress), self._seconds)

    def _goes_on(self) -> bool:
        if self._cancel.is_set():
            return False
        if time.monotonic() < self._beat_at:
            return True
        self._beat_at = time.monotonic() + HEARTBEAT_SECONDS
        return self._sink.heartbeat()


async def _ask(endpoint: Endpoint, body: bytes) -> Reply:
    try:
        return await endpoint.ask(body)
    finally:
        await endpoint.close()


def _body(target: Target, probe: Probe) -> bytes:
    """The settings are left to the model: some refuse a temperature."""
    protocol = protocols.get(probe.protocol)
    generates = probe.protocol in protocols.GENERATING
    fields = protocol.generation_fields(target, Generation(temperature=None, max_tokens=PROBE_TOKENS))
    whole = {"stream": False} if generates else {}
    return protocol.body({**fields, **whole, **probe.fields}, prompt="Say hello." if generates else "hello")


def _settlement(attempt: int, reply: Reply, record: ProbeRecord) -> Settlement:
    return Settlement(attempt, reply.settled_as, reply.status, record.error, reply.usage)
