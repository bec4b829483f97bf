"""Find out what an endpoint serves, what each model is for, and how it stands."""

from .caller import EndpointFault
from .capability import Capability, Known, Source
from .checking import check
from .dialect import probe_dialect
from .discovery import DiscoveredModel, discover
from .findings import Finding, Pause, ProbeRecord
from .health import State

__all__ = [
    "Capability",
    "DiscoveredModel",
    "EndpointFault",
    "Finding",
    "Known",
    "Pause",
    "ProbeRecord",
    "Source",
    "State",
    "check",
    "discover",
    "probe_dialect",
]
