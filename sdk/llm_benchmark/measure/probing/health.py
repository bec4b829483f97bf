"""From what probes brought to a model's state, with a reason. Pure."""

from enum import StrEnum


class State(StrEnum):
    """How a model stands. A check brings active to failed; the others come from lists and people."""

    NEW = "new"
    ACTIVE = "active"
    UNSTABLE = "unstable"
    NOT_AVAILABLE = "not_available"
    INCOMPATIBLE = "incompatible"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"
    DISABLED = "disabled"
    MISSING = "missing"
