"""Test cases as authors have them: JSON lines, one JSON list, or CSV. Each row keeps where it stands."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from exchange.core.errors import FieldError, InvalidInput
from exchange.core.storable import unstorable

FIELD = "test_cases"
MOST_BYTES = 16 * 1024 * 1024
REQUIRED_COLUMNS = ("key", "prompt", "reference", "scorer")
JSON_COLUMNS = ("choices", "scorer_config")
COLUMNS = (*REQUIRED_COLUMNS, "weight", "tags", *JSON_COLUMNS)
_LISTED = 20
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CaseRows:
    """`rows` as the API takes them; `places` says in words where each one stands."""

    rows: list[Row] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def at(self, index: int) -> str:
        """`Line 3 (q3)`; a key that no page could show is left out."""
        key = self.rows[index].get("key")
        can_be_shown = isinstance(key, str) and key and not any(unstorable(key))
        return f"{self.places[index]} ({key})" if can_be_shown else self.places[index]


def text_of(file: UploadedFile) -> str:
    """An uploaded file, or InvalidInput if it is too large or no text."""
    if (file.size or 0) > MOST_BYTES:
        raise InvalidInput.of(FIELD, "too_large", _("A file has at most %d MiB.") % (MOST_BYTES >> 20))
    raw = file.read()
    try:
        return str(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidInput.of(FIELD, "not_text", _("Line %d is not UTF-8 text.") % line) from error


def read_cases(text: str) -> CaseRows:
    """The rows of a text, or InvalidInput naming each place that cannot be read."""
    found, errors = CaseRows(), []
    for place, row in _rows(text.replace("\r\n", "\n").lstrip("\ufeff")):
        if isinstance(row, str):
            errors.append(FieldError(FIELD, "unreadable_row", f"{place}: {row}"))
        else:
            found.rows.append(row)
            found.places.append(place)
    if errors:
        raise InvalidInput(errors=errors[:_LISTED])
    return found


def _rows(text: str) -> Iterator[tuple[str, Row | str]]:
    """Where each row stands, and the row, or why there is none."""
    start = text.lstrip()[:1]
    if start == "[":
        return _list_rows(text)
    return _line_rows(text) if start == "{" else _csv_rows(text)


def _list_rows(text: str) -> Iterator[tuple[str, Row | str]]:
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        yield _("Line %d") % error.lineno, _("This is no JSON.")
        return
    except (ValueError, RecursionError):
        yield _("The list"), _("This is no JSON.")
        return
    for number, item in enumerate(items, 1):
        yield _("Row %d") % number, _object(item)


def _line_rows(text: str) -> Iterator[tuple[str, Row | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _("Line %d") % number, _object(_json(line))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _object(value: Any) -> Row | str:
    if isinstance(value, Mapping):
        return dict(value)
    return _('This is not one JSON object such as {"key": "q1", "prompt": "2 + 3 = ?", …}.')


def _csv_rows(text: str) -> Iterator[tuple[str, Row | str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            place = _("Line %d") % reader.line_num
            if names:
                yield place, _csv_row(names, cells)
            elif any(cell.strip() for cell in cells):
                names = [cell.strip() for cell in cells]
                if complaint := _wrong_head(names):
                    yield place, complaint
                    return
    except csv.Error:
        yield _("Line %d") % reader.line_num, _("This cannot be read as CSV.")


def _wrong_head(names: list[str]) -> str:
    if {*REQUIRED_COLUMNS} <= {*names} <= {*COLUMNS} and len(set(names)) == len(names):
        return ""
    text = _("This is no JSON, so it names the columns of a CSV: %(needed)s, and if wanted %(more)s.")
    more = ", ".join(COLUMNS[len(REQUIRED_COLUMNS) :])
    return text % {"needed": ", ".join(REQUIRED_COLUMNS), "more": more}


def _csv_row(names: list[str], cells: list[str]) -> Row | str:
    if len(cells) != len(names):
        text = _("There are %(found)d cells; the first line names %(expected)d columns.")
        return text % {"found": len(cells), "expected": len(names)}
    row: Row = dict(zip(names, cells, strict=True))
    given = {name: row[name] for name in names if name in REQUIRED_COLUMNS or row[name].strip()}
    if "tags" in given:
        given["tags"] = [tag.strip() for tag in given["tags"].split(";")]
    for name in ("weight", *JSON_COLUMNS):
        if name in given:
            read = _json(given[name])
            given[name] = given[name] if read is None else read
    return given
