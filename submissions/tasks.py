from celery import shared_task

from . import uploading


@shared_task
def forget_uploads() -> None:
    """Rung by beat once an hour."""
    uploading.forget_uploads()
