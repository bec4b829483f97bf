"""Check one model: what it is for, whether it answers, and whether it goes on answering."""

import threading
from collections.abc import Mapping

from llm_benchmark.measure.plans import JSON, Target
from llm_benchmark.measure.sink import Sink

from .capability import Known
from .findings import Finding, Pause


def check(
    target: Target,
    known: Known,
    sink: Sink,
    cancel: threading.Event,
    *,
    stand: Mapping[str, JSON] | None = None,
    longest_pause: float = 0.5,
) -> Finding | Pause | None:
    """Send a smoke probe and three stability probes, and judge them.

    Args:
        stand: of the Pause after which this goes on.
        longest_pause: pauses up to that many seconds are slept; a longer one is given back as Pause.
    Returns:
        None: cancelled, or the sink's heartbeat said so.
    Raises:
        Stop, or whatever else the sink raises.
    """
    raise NotImplementedError
