"""A simulated provider: an OpenAI-compatible server with settable latency, tokens, answers and failures.

Everything it says is marked as simulated: the header `x-simulated`, `owned_by`, and the server's name.
"""

from .config import FAILURES, Behaviour, SimulatorConfig
from .library import Simulator

__all__ = ["FAILURES", "Behaviour", "Simulator", "SimulatorConfig"]
