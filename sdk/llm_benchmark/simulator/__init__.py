"""A simulated provider: a server of every protocol with settable latency, tokens, answers and failures.

Everything it says is marked as simulated: the header `x-simulated`, `owned_by`, and the server's name.
"""

from .config import FAILURES, KINDS, LISTINGS, Behaviour, SimulatorConfig
from .library import Simulator

__all__ = ["FAILURES", "KINDS", "LISTINGS", "Behaviour", "Simulator", "SimulatorConfig"]
