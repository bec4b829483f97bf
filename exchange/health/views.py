"""`/live`: the process answers. `/accepting`: it takes claims. `/ready`: everything is there."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from . import checks


@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """Touches nothing: a restart would not bring a database back."""
    return JsonResponse({"status": "ok"})


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """503 when any part is away: for people, monitors and deployments."""
    report = checks.look()
    return _answer(report, good=report.healthy)


@require_safe
def accepting(_request: HttpRequest) -> JsonResponse:
    """503 only when no claim could be taken: for what sends requests to this process."""
    report = checks.look()
    return _answer(report, good=report.accepting)


def _answer(report: checks.Report, *, good: bool) -> JsonResponse:
    body = {
        "status": "ok" if report.healthy else "degraded",
        "checks": report.checks,
        "accepting": report.accepting,
        "pending_migrations": report.pending_migrations or [],
    }
    return JsonResponse(body, status=200 if good else 503)
