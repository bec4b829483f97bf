"""Where a request comes from, spelled the same at every door."""

from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The client's IP address. Behind `TRUSTED_PROXIES` proxies it is what the outermost of them saw.

    Each proxy appends whom it heard from to `X-Forwarded-For`; what stands further left the client made up.
    """
    heard = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    hops = [*(part.strip() for part in heard if part.strip()), request.META.get("REMOTE_ADDR", "")]
    outermost = max(len(hops) - 1 - settings.TRUSTED_PROXIES, 0)
    return str(hops[outermost])


def address_of_peer(peer: str) -> str:
    """The IP address in gRPC's `ipv4:192.0.2.1:4711` or `ipv6:%5B2001:db8::1%5D:4711`."""
    _family, _colon, rest = unquote(peer).partition(":")
    host, _colon, _port = rest.rpartition(":")
    return host.strip("[]")
