"""What people upload or paste: text in UTF-8, with rows as JSON lines or CSV. Lines count from 1."""

import csv
import io
import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from exchange.core.errors import InvalidInput


def utf8_text(file: UploadedFile, *, field: str, most_bytes: int, too_large: str) -> str:
    """An uploaded file as text, without a byte order mark.

    Raises:
        InvalidInput: of `field`: it is too large (said as `too_large`, and then not read), or no text.
    """
    if (file.size or 0) > most_bytes:
        raise InvalidInput.of(field, "too_large", too_large)
    raw = file.read()
    try:
        return str(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidInput.of(field, "not_text", _("Line %d is not UTF-8 text.") % line) from error


def json_value(text: str) -> Any:
    """What the text says, or None if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def json_lines(text: str) -> Iterator[tuple[int, Any]]:
    """Each line that is not blank, with its value; None if it is no JSON."""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if line.strip():
            yield number, json_value(line)


def csv_lines(text: str) -> Iterator[tuple[int, list[str] | None]]:
    """Each record with the line on which it ends; None, and then no more, where it cannot be read."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error:
        yield reader.line_num, None


def are_columns(names: Sequence[str], *, required: Collection[str], known: Collection[str]) -> bool:
    """Whether a CSV's first record names all that is required, nothing unknown, and nothing twice."""
    return {*required} <= {*names} <= {*known} and len(set(names)) == len(names)
