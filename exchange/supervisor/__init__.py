"""Runs the whole system on one machine: `python -m exchange.supervisor up`, or `Stack` in code."""

from .errors import StackError
from .stack import Stack
from .status import Status
from .supervisor import Supervisor

__all__ = ["Stack", "StackError", "Status", "Supervisor"]
