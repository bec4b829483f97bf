"""Where a request comes from, spelled the same at every door."""

from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The client's IP address, also behind `TRUSTED_PROXIES` proxies."""
    heard = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return _outermost(heard, request.META.get("REMOTE_ADDR", ""), proxies=settings.TRUSTED_PROXIES)


def address_of_call(call: Any) -> str:
    """The same of a gRPC call, behind `GRPC_TRUSTED_PROXIES`."""
    heard = call.metadata.get("x-forwarded-for", "")
    return _outermost(heard, _host_of(call.peer), proxies=settings.GRPC_TRUSTED_PROXIES)


def _outermost(heard: str, peer: str, *, proxies: int) -> str:
    """What the outermost of our proxies saw.

    Each appends whom it heard from to `X-Forwarded-For`; what stands further left the client made up.
    """
    hops = [*(part.strip() for part in heard.split(",") if part.strip()), peer]
    return hops[max(len(hops) - 1 - proxies, 0)]


def _host_of(peer: str) -> str:
    """The IP address in gRPC's `ipv4:192.0.2.1:4711` or `ipv6:%5B2001:db8::1%5D:4711`."""
    _family, _colon, rest = unquote(peer).partition(":")
    host, _colon, _port = rest.rpartition(":")
    return host.strip("[]")
