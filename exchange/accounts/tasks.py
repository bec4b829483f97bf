from celery import shared_task

from . import mailing


@shared_task(ignore_result=True)
def send_letters() -> None:
    """Rung by beat: sends what the process that wrote it could not."""
    mailing.send_letters()
