"""Find out what an endpoint serves, what each model is for, and how it stands."""

from llm_benchmark.measure.endpoints import DiscoveredModel, EndpointFault, discover, probe_dialect

from .capability import Capability, Known, Source
from .checking import check
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
