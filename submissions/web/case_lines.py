"""Case results as people have them: JSON lines or CSV. Each row keeps the line that it stands on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from exchange.core.errors import FieldError, InvalidInput
from exchange.web import uploads

MOST_BYTES = 8 * 1024 * 1024
FIELD = "cases"
REQUIRED_COLUMNS = ("key", "score")
COLUMNS = (*REQUIRED_COLUMNS, "answer_digest")
_LISTED = 20


@dataclass(frozen=True, slots=True)
class CaseLines:
    """`rows` as the claim has them; `lines` says where each one stands, from 1."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def lines_of(self, key: str) -> list[int]:
        """Every line with this case."""
        return [line for row, line in zip(self.rows, self.lines, strict=True) if row.get("key") == key]


def text_of(file: UploadedFile) -> str:
    """An uploaded file of case results.

    Raises:
        InvalidInput: it is too large, or no text.
    """
    too_large = _("Case results have at most %d MiB.") % (MOST_BYTES >> 20)
    return uploads.utf8_text(file, field=FIELD, most_bytes=MOST_BYTES, too_large=too_large)


def read_cases(text: str) -> CaseLines:
    """The rows of JSON lines, or of CSV when the first character opens no object.

    Raises:
        InvalidInput: naming each line that cannot be read.
    """
    found, errors = CaseLines(), []
    for line, row in _rows(text.lstrip("\ufeff")):
        if isinstance(row, str):
            errors.append(FieldError(FIELD, "unreadable_line", row))
        else:
            found.rows.append(row)
            found.lines.append(line)
    if errors:
        raise InvalidInput(errors=errors[:_LISTED])
    return found


def _rows(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Each row, or why there is none, with its line."""
    start = text.lstrip()[:1]
    return _json_rows(text) if start in {"{", "["} else _csv_rows(text)


def _json_rows(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for number, value in uploads.json_lines(text):
        yield number, _json_row(number, value)


def _json_row(number: int, value: Any) -> dict[str, Any] | str:
    if isinstance(value, dict):
        return value
    return _('Line %(line)d is not one JSON object such as {"key": "q1", "score": 1}.') % {"line": number}


def _csv_rows(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    names: list[str] = []
    for number, cells in uploads.csv_lines(text):
        if cells is None:
            yield number, _("Line %(line)d cannot be read as CSV.") % {"line": number}
        elif not any(cell.strip() for cell in cells):
            continue
        elif names:
            yield number, _csv_row(number, names, cells)
        else:
            names = [cell.strip() for cell in cells]
            if complaint := _wrong_head(number, names):
                yield number, complaint
                return


def _wrong_head(line: int, names: list[str]) -> str:
    if uploads.are_columns(names, required=REQUIRED_COLUMNS, known=COLUMNS):
        return ""
    message = _(
        "Line %(line)d names the columns of a CSV: %(required)s, and %(optional)s if there is one; found: "
        "%(found)s."
    )
    required, optional = ", ".join(REQUIRED_COLUMNS), COLUMNS[-1]
    found = ", ".join(names)[:120]
    return message % {"line": line, "required": required, "optional": optional, "found": found}


def _csv_row(line: int, names: list[str], cells: list[str]) -> dict[str, Any] | str:
    if len(cells) != len(names):
        message = _("Line %(line)d has %(found)d cells; the first line names %(expected)d columns.")
        return message % {"line": line, "found": len(cells), "expected": len(names)}
    row: dict[str, Any] = dict(zip(names, cells, strict=True))
    row["score"] = as_number(row["score"])
    return {name: value for name, value in row.items() if name != COLUMNS[-1] or value}


def as_number(text: str, *, is_share: bool = False) -> Any:
    """The number that was typed; what is none stays text, for the form to refuse. A share may have a %."""
    bare = text.strip().replace("\u00a0", "")
    percent = is_share and bare.endswith("%")
    try:
        number = Decimal(bare.removesuffix("%").strip() if percent else bare)
        return float(number / 100 if percent else number)
    except (ArithmeticError, ValueError):
        return text
