"""What a long command says while it works: a line on a terminal's stderr, and nothing elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
_SHOWN_EACH = 50


class Watch:
    """Counts what passes. `looked_at` is how much that was, `remarks` what is worth a word and not wrong."""

    def __init__(self, title: str) -> None:
        self.title, self.looked_at, self.remarks = title, 0, list[str]()

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self.looked_at += 1
            if self.looked_at % _SHOWN_EACH == 1:
                self._show(f"{self.title}: {self.looked_at}")
            yield item
        self._show("")

    def _show(self, text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
