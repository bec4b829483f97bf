"""Counts everything again, and names what does not agree."""

from .checks import CHECKS, Check
from .counting import Finding, reconcile

__all__ = ["CHECKS", "Check", "Finding", "reconcile"]
