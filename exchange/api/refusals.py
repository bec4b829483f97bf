"""How each door says no. The codes are on the errors themselves."""

import logging
from collections.abc import Iterable
from typing import Any

import grpc
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404
from django.utils.translation import gettext as _
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status
from rest_framework import exceptions as drf
from rest_framework.response import Response

from exchange.core import requests
from exchange.core.errors import (
    DomainError,
    FieldError,
    InvalidInput,
    LimitExceeded,
    NotFound,
    TooLarge,
    Unauthenticated,
    Unavailable,
)

log = logging.getLogger(__name__)
DOMAIN = "llm-benchmark-exchange"
# A refusal travels in gRPC's trailers, of which most clients take 8 KiB in all.
_VIOLATIONS_BYTES, _LONGEST_FIELD, _LONGEST_WORDS = 5 * 1024, 200, 500


class MethodNotAllowed(DomainError):
    """This path does not take that method."""

    code = "method_not_allowed"
    http, grpc, exit = 405, "UNIMPLEMENTED", 2


class UnsupportedMediaType(DomainError):
    """This path takes another content type: send application/json (files: multipart/form-data)."""

    code = "unsupported_media_type"
    http, grpc, exit = 415, "INVALID_ARGUMENT", 2


class LengthRequired(DomainError):
    """A body needs a Content-Length. Send it whole rather than in chunks."""

    code = "length_required"
    http, grpc, exit = 411, "INVALID_ARGUMENT", 2


class TooSlow(DomainError):
    """The body came too slowly and was not waited for. Send it again over a better connection."""

    code = "too_slow"
    http, grpc, exit = 408, "DEADLINE_EXCEEDED", 8


class InternalError(DomainError):
    """The fault is ours and has been logged. Tell us the request id if it lasts."""

    code = "internal_error"


def as_response(exc: Exception, context: Any) -> Response:
    """DRF's exception handler: everything becomes RFC 9457 problem details."""
    refusal = as_refusal(exc)
    response = Response(problem(refusal), refusal.http, content_type="application/problem+json")
    if refusal.retry_after_seconds is not None:
        response["Retry-After"] = str(refusal.retry_after_seconds)
    if isinstance(refusal, Unauthenticated):
        response["WWW-Authenticate"] = "Bearer"
    return response


def problem(refusal: DomainError) -> dict[str, Any]:
    return {
        "type": f"urn:llm-benchmark-exchange:problem:{refusal.code}",
        "title": refusal.code.replace("_", " ").capitalize(),
        "status": refusal.http,
        "detail": str(refusal),
        "instance": f"urn:llm-benchmark-exchange:request:{requests.request_id()}",
        "code": refusal.code,
        "request_id": requests.request_id(),
        "errors": [error.as_dict() for error in refusal.errors],
    }


def as_refusal(exc: Exception) -> DomainError:
    """Any exception as one of our refusals; what nobody foresaw is logged and becomes InternalError."""
    if isinstance(exc, DomainError):
        return exc
    for kinds, refusal in _TRANSLATED:
        if isinstance(exc, kinds):
            return refusal(exc)
    log.error("unforeseen error", exc_info=exc)
    return Unavailable() if isinstance(exc, OperationalError) else InternalError()


_TRANSLATED: list[tuple[Any, Any]] = [
    (drf.ParseError, lambda exc: InvalidInput(_("The body cannot be read: %s") % exc.detail)),
    (drf.UnsupportedMediaType, lambda _exc: UnsupportedMediaType()),
    (drf.MethodNotAllowed, lambda _exc: MethodNotAllowed()),
    (drf.NotAcceptable, lambda _exc: UnsupportedMediaType(_("Only application/json is offered."))),
    (drf.Throttled, lambda _exc: LimitExceeded()),
    ((drf.NotFound, Http404), lambda _exc: NotFound()),
    (RequestDataTooBig, lambda _exc: TooLarge()),
    (SuspiciousOperation, lambda _exc: InvalidInput(_("The request cannot be read."))),
]


def abort(context: grpc.ServicerContext, refusal: DomainError) -> None:
    """End a call with the refusal as a rich status: ErrorInfo, BadRequest, RetryInfo, RequestInfo."""
    status = rpc_status.to_status(
        status_pb2.Status(
            code=code_pb2.Code.Value(refusal.grpc), message=str(refusal), details=_details(refusal)
        )
    )
    context.set_trailing_metadata(status.trailing_metadata)
    context.abort(status.code, status.details)


def _details(refusal: DomainError) -> list[any_pb2.Any]:
    parts: list[Any] = [
        error_details_pb2.ErrorInfo(reason=refusal.code, domain=DOMAIN),
        error_details_pb2.RequestInfo(request_id=requests.request_id()),
    ]
    if refusal.errors:
        parts.append(_bad_request(refusal.errors))
    if refusal.retry_after_seconds is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.seconds = refusal.retry_after_seconds
        parts.append(retry)
    packed = []
    for part in parts:
        holder = any_pb2.Any()
        holder.Pack(part)
        packed.append(holder)
    return packed


def _bad_request(errors: Iterable[FieldError]) -> error_details_pb2.BadRequest:
    """As many of the wrong fields as a client takes; the others are named once these are mended."""
    found = error_details_pb2.BadRequest()
    for error in errors:
        field, words = error.field[:_LONGEST_FIELD], error.message[:_LONGEST_WORDS]
        found.field_violations.add(field=field, description=words, reason=error.code)
        if found.ByteSize() > _VIOLATIONS_BYTES:
            del found.field_violations[-1]
            break
    return found
