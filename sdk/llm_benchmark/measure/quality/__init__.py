"""The question runner: asks every question of a plan and keeps what comes back."""

from .faults import FAULTS, Fault, provider_failure
from .runner import run_quality

__all__ = ["FAULTS", "Fault", "provider_failure", "run_quality"]
