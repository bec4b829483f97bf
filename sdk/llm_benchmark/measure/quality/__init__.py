"""The question runner: asks every question of a plan and keeps what comes back."""

from .runner import run_quality
from .unanswered import UNANSWERED_SHARE, is_unanswered, provider_failure

__all__ = ["UNANSWERED_SHARE", "is_unanswered", "provider_failure", "run_quality"]
