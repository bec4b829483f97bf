"""What all services of the client have in common."""

from __future__ import annotations

from typing import Any, TypeVar
from urllib.parse import quote

import msgspec

from llm_benchmark.paging import Page, Pages
from llm_benchmark.transport import Transport

T = TypeVar("T")
UNSET = msgspec.UNSET
Unset = msgspec.UnsetType


class Service:
    """A part of the API. One method an operation; whatever it writes, it writes once."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _pages(self, path: str, item: type[T], **filters: Any) -> Pages[T]:
        def ask(page_size: int, page_token: str) -> Page[T]:
            answer: Any = Page[item]  # type: ignore[valid-type]  # known at run time
            page: Page[T] = self._transport.get(
                path, answer, page_size=page_size, page_token=page_token or None, **filters
            )
            return page

        return Pages(ask)


def part(value: str) -> str:
    """An id or slug as one part of a path, whatever it contains."""
    return quote(value, safe="")
