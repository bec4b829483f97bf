"""Requests to `/api/v1`: who asks, once, again where that is safe, and what a refusal means."""

from __future__ import annotations

import logging
import platform
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import msgspec

from . import __version__
from .answers import PACKED, UNREADABLE, as_sdk_errors, body_of, check_packing, printable, refusal_of
from .download import Download
from .errors import NotConfigured, RateLimited, SdkError, TimedOut, UnexpectedAnswer
from .settings import Settings
from .upload import Progress

log = logging.getLogger("llm_benchmark")
T = TypeVar("T")
MOST_TRIES = 4
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS, _SILENT_WAIT_SECONDS = 0.1, 10.0, 2.0
_ACCEPTED = "application/json, application/problem+json"
_AGENT = f"llm-benchmark-exchange/{__version__} python/{platform.python_version()}"


class Transport:
    """Sends requests with the settings' token, which leaves for no other origin: redirects are not followed,
    cookies not kept, and no proxy stands before an exchange on this machine. Threads may share one.

    Args:
        http: what sends, for tests.
        wait: sleeps the given seconds between two tries.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        http: httpx.BaseTransport | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = settings
        self.wait = wait
        self._given = http
        headers = {
            "User-Agent": f"{_AGENT} {settings.program}".rstrip(),
            "Accept": _ACCEPTED,
            "Accept-Encoding": PACKED,
        }
        if settings.token:
            headers["Authorization"] = f"Bearer {settings.token}"
        try:
            self._http = httpx.Client(
                base_url=f"{settings.api_url}/api/v1/",
                timeout=settings.timeout,
                headers=headers,
                transport=http,
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                trust_env=not settings.is_local,
                verify=settings.api_url.startswith("https:"),  # reading certificates takes 50 ms
            )
        except (httpx.InvalidURL, ValueError, ImportError, OSError) as wrong:
            text = f"Mend the address, or the proxy or certificates of the environment: {wrong}."
            raise NotConfigured(text) from wrong

    def get(self, path: str, answer: type[T], **params: Any) -> T:
        """Parameters that are None are left out; several values are joined by commas."""
        return self._read(self.send("GET", path, params=_params(params)), answer)

    def write(
        self,
        method: str,
        path: str,
        answer: type[T],
        body: Mapping[str, Any] | None = None,
        *,
        has_key: bool = True,
        **options: Any,
    ) -> T:
        """Do something once: with an Idempotency-Key another try of the same request changes nothing more.

        Args:
            body: sent as JSON; what is `UNSET` is left out, None is sent as null.
            has_key: False for the few actions that take no key; they are tried again only where the exchange
                says that it did nothing.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())} if has_key else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
            options["content"] = msgspec.json.encode(_plain(body))
        return self._read(self.send(method, path, headers=headers, **options), answer)

    def send(self, method: str, path: str, **options: Any) -> bytes:
        """The body of the answer to one request, which is tried again where that is safe.

        Raises:
            SdkError: of the kind that the refusal is, or that no answer came.
        """
        is_safe = method == "GET" or "Idempotency-Key" in (options.get("headers") or {})
        return self._again(lambda: self._once(method, path, **options), is_safe=is_safe)

    def download(self, path: str, to: Path, *, progress: Progress | None = None, **params: Any) -> Path:
        """Write the answer's bytes to a file, which appears once it is whole and of the digest promised."""
        return self._again(lambda: self._download(path, to, progress, _params(params)), is_safe=True)

    def _download(self, path: str, to: Path, progress: Progress | None, params: dict[str, Any]) -> Path:
        with self._opened("GET", path, params=params) as response, Download(to, response.headers) as file:
            for piece in response.iter_bytes():
                file.write(piece)
                if progress:
                    progress(file.size, file.total)
        return to

    def put_elsewhere(self, url: str, content: Callable[[], Iterator[bytes]], length: int) -> None:
        """Send bytes to an address that the exchange gave, on another server. It hears nothing of the token.

        Args:
            content: gives them from the beginning, on each try.
        """
        self._again(lambda: self._put_elsewhere(url, content(), length), is_safe=True)

    def _put_elsewhere(self, url: str, content: Iterator[bytes], length: int) -> None:
        trusts = not self.settings.is_local
        with (
            as_sdk_errors(),
            httpx.Client(timeout=self.settings.timeout, transport=self._given, trust_env=trusts) as http,
        ):
            headers = {"User-Agent": _AGENT, "Content-Length": str(length)}
            response = http.put(url, content=content, headers=headers)
            if not response.is_success:
                raise refusal_of(response)

    def _again(self, act: Callable[[], T], *, is_safe: bool) -> T:
        for tries in range(1, MOST_TRIES):
            try:
                return act()
            except SdkError as error:
                if not self._is_worth_another_try(error, is_safe=is_safe):
                    raise
                self._pause(error, tries)
        return act()

    def _is_worth_another_try(self, error: SdkError, *, is_safe: bool) -> bool:
        """What waited for its whole time-out, or would have to wait for long, is the caller's to decide."""
        if isinstance(error, TimedOut) or (error.retry_after or 0) > self.settings.patience:
            return False
        return error.is_retryable and (is_safe or isinstance(error, RateLimited))

    def _pause(self, error: SdkError, tries: int) -> None:
        seconds = _pause_seconds(error, tries)
        level = logging.WARNING if seconds > _SILENT_WAIT_SECONDS else logging.DEBUG
        log.log(level, "%s Trying again in %.0f s.", printable(error), seconds)
        self.wait(seconds)

    def _once(self, method: str, path: str, **options: Any) -> bytes:
        with self._opened(method, path, **options) as response:
            return body_of(response)

    @contextmanager
    def _opened(self, method: str, path: str, **options: Any) -> Iterator[httpx.Response]:
        started = time.monotonic()
        with as_sdk_errors(), self._http.stream(method, path, **options) as response:
            if self.settings.debug:
                took = (time.monotonic() - started) * 1000
                about = printable(response.headers.get("X-Request-ID", ""))
                log.info("%s /api/v1/%s → %s in %.0f ms %s", method, path, response.status_code, took, about)
            check_packing(response)
            if not response.is_success:
                raise refusal_of(response)
            yield response

    def _read(self, body: bytes, answer: type[T]) -> T:
        if answer is type(None):
            return None
        try:
            return msgspec.json.decode(body, type=answer)
        except UNREADABLE as wrong:
            text = (
                f"{self.settings.api_url} answered what version {__version__} of this package does not know: "
                f"{wrong}. Is it an exchange, and as new as the package?"
            )
            raise UnexpectedAnswer(text) from wrong

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _params(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _param(value) for name, value in given.items() if value is not None}


def _param(value: Any) -> Any:
    return value if isinstance(value, str | int | float) else ",".join(value)


def _plain(value: Any) -> Any:
    """As a request says it: of a model what is not None, of a mapping what is not `UNSET`."""
    if isinstance(value, msgspec.Struct):
        given = msgspec.structs.asdict(value)
        return {name: _plain(part) for name, part in given.items() if part is not None}
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if part is not msgspec.UNSET}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _pause_seconds(error: SdkError, tries: int) -> float:
    """What the exchange asks for, else twice as long each time, spread out (RFC 9110 §10.2.3)."""
    if error.retry_after is not None:
        return error.retry_after
    longest = min(_FIRST_WAIT_SECONDS * 2.0**tries, _LONGEST_WAIT_SECONDS)
    return random.uniform(longest / 2, longest)  # noqa: S311  spreads load, guards nothing
