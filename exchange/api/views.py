"""The base of every REST viewset: one transaction in the actor's name, one answer per Idempotency-Key."""

import json
from typing import Any

from django.http import QueryDict
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from exchange.core import idempotency
from exchange.core.actors import ANONYMOUS
from exchange.core.tenancy import acting_for

_WRITES = {"POST", "PUT", "PATCH", "DELETE"}


class ApiViewSet(ViewSet):
    """Actions parse, call one service or selector, and show; the rest is here."""

    own_transaction = False
    lookup_value_regex = "[^/]+"  # the form of an id is the form's business

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.own_transaction:
            idempotency.refuse_key(request.headers.get("Idempotency-Key"))
            return
        if handler := getattr(self, request.method.lower(), None):  # DRF refuses a method without one
            setattr(self, request.method.lower(), self._in_transaction(handler))

    def _in_transaction(self, handler: Any) -> Any:
        def call(request: Any, *args: Any, **kwargs: Any) -> Response:
            with acting_for(request.user or ANONYMOUS):
                key = request.headers.get("Idempotency-Key")
                if key is None or request.method not in _WRITES:
                    return handler(request, *args, **kwargs)
                return self._answered_once(key, handler, request, *args, **kwargs)

        return call

    def _answered_once(self, key: str, handler: Any, request: Any, *args: Any, **kwargs: Any) -> Response:
        def act() -> list[Any]:
            response = handler(request, *args, **kwargs)
            return [response.status_code, _plain(response.data)]

        asked = f"{request.method} {request.path}\n".encode() + _body(request)
        status, data = idempotency.once(actor=request.user, key=key, request=asked, act=act)
        return Response(data, status)


def _body(request: Any) -> bytes:
    """The bytes that make two requests the same; a file counts by name, size and the form's digest."""
    if not isinstance(request.data, QueryDict):
        return bytes(request._request.body)  # noqa: SLF001  DRF's request reads the body once
    files = sorted((name, file.name, file.size) for name, file in request.FILES.items())
    return repr((files, sorted(request.POST.lists()))).encode()


def _plain(data: Any) -> Any:
    return json.loads(JSONRenderer().render(data)) if data is not None else None
