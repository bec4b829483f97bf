"""What every page view is: one transaction in the reader's name."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from exchange.core.tenancy import acting_for

View = Callable[..., HttpResponse]


def page(view: View) -> View:
    """Open the transaction that the view's selectors and services run in."""

    @wraps(view)
    def call(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with acting_for(request.actor):  # type: ignore[attr-defined]
            return view(request, *args, **kwargs)

    return call
