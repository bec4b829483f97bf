"""A doorbell, rung by beat. Losing a ring costs seconds; what is due waits in the database."""

from celery import shared_task

from . import services


@shared_task(ignore_result=True)
def finalise_proposals(**_ring: object) -> None:
    services.finalise_due()
