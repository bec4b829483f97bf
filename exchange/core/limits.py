"""How many requests a person, or an address where nobody has logged in, makes in a minute.

A window begins with its first request. Redis counts in one script; while it is away PostgreSQL does, by the
same rule and from nothing, so that no request goes uncounted and none is refused because Redis is down.
"""

import ipaddress
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import OperationalError
from django.utils.translation import gettext as _
from redis.backoff import NoBackoff
from redis.retry import Retry

from . import throttle
from .errors import LimitExceeded, Unavailable

log = logging.getLogger(__name__)
MINUTE = 60
PATIENCE_SECONDS = 1.0
AWAY_SECONDS = 10.0
_SUBNET_BITS = 64  # what one subscriber of IPv6 has
_COUNT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
"""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a window. `limit` requests, of which `used` were made, this one included."""

    limit: int
    used: int
    reset_seconds: int

    @property
    def headers(self) -> Mapping[str, str]:
        """Of draft-ietf-httpapi-ratelimit-headers, in the spelling that clients know."""
        left = max(0, self.limit - self.used)
        shown = {"Limit": self.limit, "Remaining": left, "Reset": self.reset_seconds}
        return {f"RateLimit-{name}": str(value) for name, value in shown.items()}

    def check(self) -> None:
        """Raises LimitExceeded when this request was one too many."""
        if self.used > self.limit:
            message = _("More than %d requests in a minute. Wait, then go on more slowly.") % self.limit
            raise LimitExceeded(message, retry_after_seconds=self.reset_seconds)


def count_request(*, user_id: UUID | None, address: str) -> Allowance | None:
    """Count a request of a person, or of an address; None where the setting says that nobody counts.

    Raises:
        Unavailable: neither Redis nor PostgreSQL can count.
    """
    limit = settings.REQUESTS_A_MINUTE if user_id else settings.ANONYMOUS_REQUESTS_A_MINUTE
    if not limit:
        return None
    key = f"requests|{user_id}" if user_id else f"requests-from|{network_of(address)}"
    used, reset_seconds = _count(key)
    return Allowance(limit, used, max(1, reset_seconds))


def network_of(address: str) -> str:
    """What is counted as one address: of IPv6 its /64, all of which a client may use."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address) or ip.ipv4_mapped:  # IPv4, as a socket for both shows it
        return str(getattr(ip, "ipv4_mapped", None) or ip)
    return str(ipaddress.ip_network((ip, _SUBNET_BITS), strict=False))


def _count(key: str) -> tuple[int, int]:
    """How often in this window, and in how many seconds it ends."""
    if monotonic() >= _redis.away_until:
        try:
            return _redis.ask(key)
        except redis.RedisError:
            log.warning("Redis does not count requests; PostgreSQL does", exc_info=True)
            _redis.leave()
    try:
        return throttle.count(key=key, window_seconds=MINUTE)
    except OperationalError as error:
        raise Unavailable from error


class _Redis:
    """The counter in Redis. One that did not answer is left alone for some seconds, and then asked by one."""

    away_until = 0.0

    def ask(self, key: str) -> tuple[int, int]:
        if self.away_until:
            self.leave()
        counted = self.count(key)
        self.away_until = 0.0
        return counted

    def leave(self) -> None:
        self.away_until = monotonic() + AWAY_SECONDS

    def count(self, key: str) -> tuple[int, int]:
        used, left_ms = _script(_broker_url())(keys=[f"exchange|{key}"], args=[MINUTE])
        return int(used), -(-int(left_ms) // 1000)


_redis = _Redis()


@lru_cache(maxsize=4)
def _script(url: str) -> Any:
    """redis-py would wait and try again three times; a connection that was idle deserves one."""
    client = redis.Redis.from_url(
        url,
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )
    return client.register_script(_COUNT)


def _broker_url() -> str:
    return str(getattr(settings, "CELERY_BROKER_URL"))  # noqa: B009  mypy does not see what broker() sets
