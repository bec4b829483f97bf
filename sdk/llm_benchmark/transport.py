"""Requests to `/api/v1`: who asks, once, again where that is safe, and what a refusal means."""

from __future__ import annotations

import logging
import os
import platform
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import msgspec

from . import __version__
from .errors import (
    OF_STATUS,
    FieldError,
    NotReached,
    RateLimited,
    SdkError,
    ServerFault,
    TimedOut,
    UnexpectedAnswer,
)
from .settings import Settings

log = logging.getLogger("llm_benchmark")
T = TypeVar("T")
MOST_TRIES = 4
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS, _LONGEST_RETRY_AFTER_SECONDS = 0.1, 10.0, 60.0
_PROBLEM = "application/problem+json"
_AGENT = f"llm-benchmark-exchange/{__version__} python/{platform.python_version()}"


class Transport:
    """Sends requests with the settings' token, which leaves for no other origin: redirects are not followed.

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
        self._wait = wait
        headers = {"User-Agent": _AGENT, "Accept": f"application/json, {_PROBLEM}"}
        if settings.token:
            headers["Authorization"] = f"Bearer {settings.token}"
        self._http = httpx.Client(
            base_url=f"{settings.api_url}/api/v1/", timeout=settings.timeout, headers=headers, transport=http
        )

    def get(self, path: str, answer: type[T], **params: Any) -> T:
        """Parameters that are None are left out."""
        return self._read(self.send("GET", path, params=_given(params)), answer)

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
        key = {"Idempotency-Key": str(uuid.uuid4())} if has_key else {}
        if body is not None:
            options["json"] = {name: value for name, value in body.items() if value is not msgspec.UNSET}
        return self._read(self.send(method, path, headers=key, **options), answer)

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One request, tried again where that is safe.

        Raises:
            SdkError: of the kind that the refusal is, or that no answer came.
        """
        is_safe = method == "GET" or "Idempotency-Key" in (options.get("headers") or {})
        for tries in range(1, MOST_TRIES + 1):
            try:
                return self._once(method, path, **options)
            except SdkError as error:
                may_repeat = error.is_retryable and (is_safe or isinstance(error, RateLimited))
                if not may_repeat or tries == MOST_TRIES:
                    raise
                self._wait(_pause(error, tries))
        raise AssertionError("unreachable")

    def download(
        self, path: str, to: Path, *, progress: Callable[[int, int | None], None] | None = None
    ) -> Path:
        """Write the answer's bytes to a file, which appears once it is whole.

        Args:
            progress: called with the bytes so far and, where known, their total.
        """
        part = to.with_name(f".{to.name}.{os.getpid()}.part")
        try:
            with self._opened(path) as response, part.open("wb") as file:
                total = response.headers.get("Content-Length")
                for chunk in response.iter_bytes():
                    file.write(chunk)
                    if progress:
                        progress(file.tell(), int(total) if total else None)
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)
        return to

    @contextmanager
    def _opened(self, path: str) -> Iterator[httpx.Response]:
        with _as_sdk_errors(), self._http.stream("GET", path) as response:
            if not response.is_success:
                response.read()
                raise refusal_of(response)
            yield response

    def _once(self, method: str, path: str, **options: Any) -> httpx.Response:
        started = time.monotonic()
        with _as_sdk_errors():
            response = self._http.request(method, path, **options)
        if self.settings.debug:
            took = (time.monotonic() - started) * 1000
            about = response.headers.get("X-Request-ID", "")
            log.info("%s /api/v1/%s → %s in %.0f ms %s", method, path, response.status_code, took, about)
        if not response.is_success:
            raise refusal_of(response)
        return response

    def _read(self, response: httpx.Response, answer: type[T]) -> T:
        if answer is type(None):
            return None
        try:
            return msgspec.json.decode(response.content, type=answer)
        except msgspec.MsgspecError as wrong:
            text = f"{self.settings.api_url} answered with something else than this version knows: {wrong}."
            raise UnexpectedAnswer(text, status=response.status_code) from wrong

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Problem(msgspec.Struct):
    """RFC 9457, with the exchange's own members."""

    code: str
    detail: str = ""
    request_id: str = ""
    errors: list[FieldError] = []  # msgspec copies it


def refusal_of(response: httpx.Response) -> SdkError:
    """The error that an answer stands for."""
    status = response.status_code
    kind = OF_STATUS.get(status, ServerFault if response.is_server_error else UnexpectedAnswer)
    try:
        problem = msgspec.json.decode(response.content, type=_Problem)
    except msgspec.MsgspecError:
        host = response.request.url.host
        return kind(f"{host} answered {status} and gave no reason. Is it an exchange?", status=status)
    return kind(
        problem.detail or problem.code,
        code=problem.code,
        status=status,
        request_id=problem.request_id,
        errors=problem.errors,
        retry_after=_seconds(response.headers.get("Retry-After", "")),
    )


@contextmanager
def _as_sdk_errors() -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException as error:
        where = error.request.url.netloc.decode()
        raise TimedOut(f"{where} did not answer in time. Try again, or allow it more time.") from error
    except httpx.TransportError as error:
        where = error.request.url.netloc.decode()
        raise NotReached(f"{where} cannot be reached: {error}. Is the address right?") from error


def _given(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def _seconds(given: str) -> float | None:
    return float(given) if given.isdecimal() else None


def _pause(error: SdkError, tries: int) -> float:
    """What the exchange asks for, else twice as long each time, spread out (RFC 9110 §10.2.3)."""
    if error.retry_after is not None:
        return min(error.retry_after, _LONGEST_RETRY_AFTER_SECONDS)
    longest = min(_FIRST_WAIT_SECONDS * 2.0**tries, _LONGEST_WAIT_SECONDS)
    return random.uniform(longest / 2, longest)  # noqa: S311  spreads load, guards nothing
