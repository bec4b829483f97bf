"""Places where a test may kill the process, to see what is left behind."""

import os
import signal
from collections import Counter

VARIABLE = "FAILPOINT"
_passages: Counter[str] = Counter()


def failpoint(name: str) -> None:
    """SIGKILL to this process at its k-th passage, when FAILPOINT is `name:k`. Otherwise nothing."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return
    chosen, _colon, count = wanted.partition(":")
    if chosen != name:
        return
    _passages[name] += 1
    if _passages[name] >= int(count or 1):
        os.kill(os.getpid(), signal.SIGKILL)
