"""Lists that arrive a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Generic, TypeVar

import msgspec

from .errors import UnexpectedAnswer

T = TypeVar("T")
LARGEST_PAGE = 100


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page. `next_page_token` is "" at the end."""

    items: list[T]
    next_page_token: str = ""


class Pages(Generic[T]):
    """All items of a list; the next page is asked for when it is needed.

    `for benchmark in client.benchmarks.list(): …`, or `.first(10)`, or `.pages()`.
    """

    def __init__(self, ask: Callable[[int, str], Page[T]]) -> None:
        self._ask = ask

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def pages(self, *, page_size: int = LARGEST_PAGE, page_token: str = "") -> Iterator[Page[T]]:
        """One page after the other, from `page_token` on."""
        while True:
            page = self._ask(page_size, page_token)
            if page_token and page.next_page_token == page_token:
                raise UnexpectedAnswer("The exchange gives the same page again and again. Is it an exchange?")
            yield page
            page_token = page.next_page_token
            if not page_token:
                return

    def first(self, count: int) -> list[T]:
        """At most `count` items, and no more pages than these need."""
        pages = self.pages(page_size=max(1, min(count, LARGEST_PAGE)))
        return list(islice((item for page in pages for item in page.items), count))
