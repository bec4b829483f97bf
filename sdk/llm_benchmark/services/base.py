"""What all services of the client have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

import msgspec

from llm_benchmark.errors import InvalidInput, TimedOut
from llm_benchmark.identifiers import is_id
from llm_benchmark.models import Benchmark, Model
from llm_benchmark.paging import Page, Pages
from llm_benchmark.transport import Transport

T = TypeVar("T")
Nothing = type(None)
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS, _GROWTH = 0.25, 2.0, 1.2
UNSET = msgspec.UNSET
"""Leaves a field out of a request, where None would empty it."""
Unset: TypeAlias = msgspec.UnsetType
Given: TypeAlias = Model | Mapping[str, Any]
"""A part of a request: one of the models (its fields that are None are left out), or a mapping as it is."""


class Service:
    """A part of the API. One method an operation; whatever it writes, it writes once.

    An argument called `benchmark` takes a benchmark's id or slug. A slug costs one request more, at first.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._ids: dict[str, str] = {}

    def _pages(self, path: str, item: type[T], **filters: Any) -> Pages[T]:
        def ask(page_size: int, page_token: str) -> Page[T]:
            answer: Any = Page[item]  # type: ignore[valid-type]  # known at run time
            page: Page[T] = self._transport.get(
                path, answer, page_size=page_size, page_token=page_token or None, **filters
            )
            return page

        return Pages(ask)

    def _wait(
        self,
        ask: Callable[[], T],
        *,
        is_open: Callable[[T], bool],
        still: Callable[[T], str],
        progress: Callable[[T], None] | None,
        timeout: float | None,
    ) -> T:
        """Ask, less and less often, until it has ended; TimedOut with `still` after `timeout` seconds."""
        patience = float("inf") if timeout is None else timeout
        ends, pause = time.monotonic() + patience, _FIRST_WAIT_SECONDS
        while True:
            found = ask()
            if progress:
                progress(found)
            if not is_open(found):
                return found
            left = ends - time.monotonic()
            if left <= 0:
                raise TimedOut(f"{still(found)} Wait again.")
            self._transport.wait(min(pause, left))
            pause = min(pause * _GROWTH, _LONGEST_WAIT_SECONDS)

    def _benchmark_id(self, benchmark: str) -> str:
        if is_id(benchmark):
            return benchmark
        if benchmark not in self._ids:
            self._ids[benchmark] = self._benchmark_of_slug(benchmark).id
        return self._ids[benchmark]

    def _benchmark_of_slug(self, slug: str) -> Benchmark:
        return self._transport.get(at("benchmarks", "slug", slug), Benchmark)


def at(*parts: str) -> str:
    """A path of the API. No part leads elsewhere, whatever it contains.

    Raises:
        InvalidInput: a part is empty, which would name another path.
    """
    for before, part in pairwise(parts):
        if not part.strip("."):
            raise InvalidInput(f"{part!r} names nothing in {before}. Give an id.", code="no_id")
    return "/".join(quote(part, safe="") for part in parts)
