import threading
from secrets import compare_digest

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from exchange.api.refusals import as_refusal, problem
from exchange.core.errors import DomainError, InvalidInput, LimitExceeded, NotFound, Unauthenticated

from . import collecting

_scraping = threading.Lock()


class QueryNotTaken(InvalidInput):
    """This address takes no query: it always shows all figures."""

    code = "query_not_taken"
    http = 422


class ScrapeInProgress(LimitExceeded):
    """This process is answering another scrape. Come back in a second."""

    code = "metrics_scrape_in_progress"


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For who has EXCHANGE_METRICS_TOKEN. Where there is none: for nobody, in development for everybody."""
    try:
        _let_in(request.headers.get("Authorization", ""))
        if request.META.get("QUERY_STRING"):
            raise QueryNotTaken
        return HttpResponse(_scrape(), content_type=collecting.CONTENT_TYPE)
    except Exception as error:  # noqa: BLE001  every failure becomes a refusal
        return _refused(as_refusal(error))


def _let_in(header: str) -> None:
    token = settings.METRICS_TOKEN
    if not token and not settings.METRICS_OPEN:
        raise NotFound
    if token and not compare_digest(header.encode(), f"Bearer {token}".encode()):
        raise Unauthenticated


def _scrape() -> bytes:
    """One at a time: a scraper that gives up and comes again adds no load."""
    if not _scraping.acquire(blocking=False):
        raise ScrapeInProgress(retry_after_seconds=1)
    try:
        return collecting.text()
    finally:
        _scraping.release()


def _refused(refusal: DomainError) -> HttpResponse:
    response = JsonResponse(problem(refusal), status=refusal.http, content_type="application/problem+json")
    if refusal.retry_after_seconds is not None:
        response["Retry-After"] = str(refusal.retry_after_seconds)
    if isinstance(refusal, Unauthenticated):
        response["WWW-Authenticate"] = "Bearer"
    return response
