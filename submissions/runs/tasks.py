"""Doorbells: rung by the outbox and by beat. Losing a ring costs seconds, never a run."""

from celery import shared_task

from . import services


@shared_task(ignore_result=True)
def look_for_quality_runs(**_ring: object) -> None:
    services.work("quality")


@shared_task(ignore_result=True)
def look_for_performance_runs(**_ring: object) -> None:
    services.work("performance")
    services.keep_calibrated()


@shared_task(ignore_result=True)
def reap_runs(**_ring: object) -> None:
    services.reap_runs()
