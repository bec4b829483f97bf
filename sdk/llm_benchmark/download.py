"""A file on its way from the exchange: it appears once it is whole and what it should be."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Self

from .answers import number_of
from .errors import InvalidInput, NotReached

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Download:
    """Raises InvalidInput where the file cannot be written, NotReached where it arrives damaged."""

    def __init__(self, to: Path, headers: Mapping[str, str]) -> None:
        length = "" if "Content-Encoding" in headers else headers.get("Content-Length", "")
        self.total = number_of(length)
        self.size = 0
        self._to, self._part = to, to.with_name(f".{secrets.token_hex(8)}.part")
        self._sha256, self._expected = hashlib.sha256(), headers.get("X-Content-SHA256")

    def write(self, piece: bytes) -> None:
        try:
            self._file.write(piece)
        except OSError as error:
            raise _unwritable(self._to, error) from error
        self._sha256.update(piece)
        self.size += len(piece)

    def __enter__(self) -> Self:
        try:
            self._file = self._part.open("xb")
        except OSError as error:
            raise _unwritable(self._to, error) from error
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._file.close()  # fails on a full disk
            if kind is None:
                self._check()
                self._part.replace(self._to)
        except OSError as error:
            raise _unwritable(self._to, error) from error
        finally:
            self._part.unlink(missing_ok=True)

    def _check(self) -> None:
        if self._expected not in {None, self._sha256.hexdigest()}:
            text = f"{self._to.name} arrived damaged: its SHA-256 is not {self._expected}. Load it again."
            raise NotReached(text, code="digest_mismatch")


def _unwritable(to: Path, error: OSError) -> InvalidInput:
    return InvalidInput(f"{to} cannot be written: {error.strerror}.", code="unwritable_file")
