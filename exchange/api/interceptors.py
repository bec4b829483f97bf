"""Does for a gRPC call what middleware and the base viewset do for a request."""

import hashlib
import logging
from collections.abc import Callable
from typing import Any

import grpc
from django.db import close_old_connections

from exchange.core import idempotency, requests
from exchange.core.tenancy import acting_for

from .authentication import actor_from_header
from .refusals import abort

log = logging.getLogger(__name__)


def around(method: Callable[..., Any], *, answer_class: type[Any] | None = None) -> Callable[..., Any]:
    """`method` in one transaction in its caller's name; refusals become rich statuses."""

    def call(request: Any, context: grpc.ServicerContext) -> Any:
        requests.begin_request()
        metadata = dict(context.invocation_metadata())
        try:
            context.actor = actor_from_header(metadata.get("authorization", ""))
            with acting_for(context.actor):
                key = metadata.get("idempotency-key", "")
                if not key or answer_class is None:
                    return method(request, context)
                return _answered_once(key, method, request, context, answer_class)
        except Exception as exc:  # noqa: BLE001  every failure becomes a status
            abort(context, exc)

    return call


def _answered_once(key: str, method: Any, request: Any, context: Any, answer_class: Any) -> Any:
    content = request.SerializeToString(deterministic=True)
    asked = type(request).DESCRIPTOR.full_name.encode() + hashlib.sha256(content).digest()

    def act() -> str:
        return method(request, context).SerializeToString().hex()

    answer = idempotency.once(actor=context.actor, key=key, request=asked, act=act)
    return answer_class.FromString(bytes.fromhex(answer))


def with_fresh_connections(method: Callable[..., Any]) -> Callable[..., Any]:
    """Tests leave this out: it would close the connection their transaction lives on."""

    def call(request: Any, context: Any) -> Any:
        close_old_connections()
        try:
            return method(request, context)
        finally:
            close_old_connections()

    return call


class AroundEveryCall(grpc.ServerInterceptor):
    """Wraps every unary method of our own services; the health service stays as it is."""

    def __init__(self, answer_classes: dict[str, type[Any]]) -> None:
        self._answer_classes = answer_classes

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        handler = continuation(details)
        if handler is None or details.method not in self._answer_classes:
            return handler
        method = around(handler.unary_unary, answer_class=self._answer_classes[details.method])
        return grpc.unary_unary_rpc_method_handler(
            with_fresh_connections(method), handler.request_deserializer, handler.response_serializer
        )
