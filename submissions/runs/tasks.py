"""Doorbells: rung by the outbox and by beat. Losing a ring costs seconds, never a run."""

from collections.abc import Mapping
from typing import Any

from celery import shared_task

from . import services


@shared_task(ignore_result=True)
def look_for_quality_runs(**_ring: object) -> None:
    services.begin_checks()
    services.work("quality")


@shared_task(ignore_result=True)
def look_for_performance_runs(**_ring: object) -> None:
    services.work("performance")
    services.keep_calibrated()


@shared_task(ignore_result=True)
def ring_when_due(*, facts: Mapping[str, Any], **_ring: object) -> None:
    """For a check that waits for its provider: beat would ring a few seconds late."""
    look_for_quality_runs.apply_async(countdown=facts["seconds"])


@shared_task(ignore_result=True)
def reap_runs(**_ring: object) -> None:
    services.reap_runs()
