"""Where evidence is kept, from one variable."""

from django.core.exceptions import ImproperlyConfigured

from exchange.storage import location


def evidence_url(url: str) -> str:
    """The same, or ImproperlyConfigured when it names no folder and no bucket."""
    try:
        location.parse(url)
    except ValueError as wrong:
        raise ImproperlyConfigured(f"EXCHANGE_EVIDENCE_URL is {url!r}: {wrong}.") from wrong
    return url
