"""Does for a gRPC call what middleware and the base viewset do for a request."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
from django.db import close_old_connections

from exchange.core import deadlines, idempotency, limits, requests
from exchange.core.access import Access
from exchange.core.actors import ANONYMOUS, Actor
from exchange.core.errors import DomainError, Unauthenticated
from exchange.core.tenancy import acting_for

from .addresses import address_of_call
from .authentication import actor_from_header
from .convert import read
from .refusals import abort, as_refusal

Method = Callable[..., Any]
_READS = ("Get", "List", "Compare", "Export", "Download")


@dataclass(frozen=True, slots=True)
class Call:
    """What a servicer may know of a call, beside its request."""

    actor: Actor
    metadata: dict[str, str]
    peer: str


def own_transaction(method: Method) -> Method:
    """Marks a method whose services open and commit their own, as ApiViewSet's attribute does."""
    method.own_transaction = True  # type: ignore[attr-defined]  # a mark on a function
    return method


def is_read(name: str) -> bool:
    """Whether an RPC changes nothing: as with GET, a key is passed over, and no answer is kept for it."""
    return name.startswith(_READS)


def around(
    method: Method, *, request_class: type[Any] | None = None, answer_class: type[Any] | None = None
) -> Method:
    """`method` in one transaction in its caller's name; refusals become rich statuses.

    With `request_class` the call gets bytes: what cannot be read is refused as everything else is.
    """

    def call(request: Any, context: grpc.ServicerContext) -> Any:
        requests.begin_request()
        access, refusal = Access(), None
        try:
            with deadlines.within(context.time_remaining()):
                deadlines.check()
                asked = read(request_class, request) if request_class else request
                return _in_transaction(method, asked, context, answer_class)
        except Exception as exc:  # noqa: BLE001  every failure becomes a status
            refusal = as_refusal(exc)
            abort(context, refusal)
        finally:
            _log(access, method, context, refusal)

    return call


def _log(access: Access, method: Method, context: grpc.ServicerContext, refusal: DomainError | None) -> None:
    name, code = method.__qualname__, refusal.grpc if refusal else "OK"
    has_token = any(key == "authorization" for key, _value in context.invocation_metadata())
    is_known = has_token and not isinstance(refusal, Unauthenticated)
    access.end(
        f"{name} {code}",
        method="gRPC",
        route=name,
        code=code,
        refusal=refusal.code if refusal else None,
        actor="token" if is_known else "anonymous",
    )


def _in_transaction(method: Method, request: Any, context: Any, answer_class: Any) -> Any:
    metadata = dict(context.invocation_metadata())
    actor = _counted_actor(metadata, context.peer())
    call, key = Call(actor, metadata, context.peer()), metadata.get("idempotency-key")
    if getattr(method, "own_transaction", False):
        idempotency.refuse_key(key)
        return method(request, call)
    with acting_for(actor):
        if key is None or answer_class is None or is_read(method.__name__):
            return method(request, call)
        return _answered_once(key, method, request, call, answer_class)


def _counted_actor(metadata: dict[str, str], peer: str) -> Actor:
    """Who is asking, if they may ask once more. Credentials that are none count as their address."""
    try:
        actor = actor_from_header(metadata.get("authorization", ""))
    except Unauthenticated:
        _count(ANONYMOUS, metadata, peer)
        raise
    _count(actor, metadata, peer)
    return actor


def _count(actor: Actor, metadata: dict[str, str], peer: str) -> None:
    address = address_of_call(Call(actor, metadata, peer))
    if allowance := limits.count_request(user_id=actor.user_id, address=address):
        allowance.check()


def _answered_once(key: str, method: Method, request: Any, call: Call, answer_class: Any) -> Any:
    content = request.SerializeToString(deterministic=True)
    asked = type(request).DESCRIPTOR.full_name.encode() + hashlib.sha256(content).digest()

    def act() -> str:
        return method(request, call).SerializeToString().hex()

    answer = idempotency.once(actor=call.actor, key=key, request=asked, act=act)
    return answer_class.FromString(bytes.fromhex(answer))


def with_fresh_connections(method: Method) -> Method:
    """Tests leave this out: it would close the connection their transaction lives on."""

    def call(request: Any, context: Any) -> Any:
        close_old_connections()
        try:
            return method(request, context)
        finally:
            close_old_connections()

    return call


class AroundEveryCall(grpc.aio.ServerInterceptor):
    """Wraps every method of our own services, for a thread; health and reflection stay as they are."""

    def __init__(self, message_classes: dict[str, tuple[type[Any], type[Any]]]) -> None:
        self._message_classes = message_classes

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        handler = await continuation(details)
        if handler is None or details.method not in self._message_classes:
            return handler
        asked, answered = self._message_classes[details.method]
        method = around(handler.unary_unary, request_class=asked, answer_class=answered)
        return grpc.unary_unary_rpc_method_handler(
            with_fresh_connections(method), response_serializer=handler.response_serializer
        )
