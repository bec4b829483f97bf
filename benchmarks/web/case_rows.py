"""Test cases as authors have them: JSON lines, one JSON list, or CSV. Each row keeps where it stands."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from exchange.core.errors import FieldError, InvalidInput
from exchange.core.storable import unstorable
from exchange.web import uploads

FIELD = "test_cases"
MOST_BYTES = 16 * 1024 * 1024
REQUIRED_COLUMNS = ("key", "prompt", "reference", "scorer")
JSON_COLUMNS = ("choices", "scorer_config")
COLUMNS = (*REQUIRED_COLUMNS, "weight", "tags", "group", *JSON_COLUMNS)
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
    too_large = _("A file has at most %d MiB.") % (MOST_BYTES >> 20)
    return uploads.utf8_text(file, field=FIELD, most_bytes=MOST_BYTES, too_large=too_large)


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
    for number, value in uploads.json_lines(text):
        yield _("Line %d") % number, _object(value)


def _object(value: Any) -> Row | str:
    if isinstance(value, dict):
        return value
    return _('This is not one JSON object such as {"key": "q1", "prompt": "2 + 3 = ?", …}.')


def _csv_rows(text: str) -> Iterator[tuple[str, Row | str]]:
    names: list[str] = []
    for number, cells in uploads.csv_lines(text):
        place = _("Line %d") % number
        if cells is None:
            yield place, _("This cannot be read as CSV.")
        elif names:
            yield place, _csv_row(names, cells)
        elif any(cell.strip() for cell in cells):
            names = [cell.strip() for cell in cells]
            if complaint := _wrong_head(names):
                yield place, complaint
                return


def _wrong_head(names: list[str]) -> str:
    if uploads.are_columns(names, required=REQUIRED_COLUMNS, known=COLUMNS):
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
            read = uploads.json_value(given[name])
            given[name] = given[name] if read is None else read
    return given
