"""What a file is, by its first bytes; its name and its sender's word count for nothing."""

import codecs
import json

HEAD_BYTES = 64 * 1024
JSON, JSON_LINES, CSV, TEXT = "application/json", "application/x-ndjson", "text/csv", "text/plain"
ZIP, GZIP = "application/zip", "application/gzip"
_MAGIC = {b"PK\x03\x04": ZIP, b"PK\x05\x06": ZIP, b"\x1f\x8b\x08": GZIP}
_PRINTABLE_CONTROLS = frozenset("\t\n\r\f")


def media_type_of(head: bytes, *, is_whole: bool) -> str | None:
    """The media type of a file that starts with `head` (HEAD_BYTES of it), or None when it is not accepted.

    Accepted are JSON, JSON lines, CSV, plain text (UTF-8), zip and gzip.
    """
    for magic, media_type in _MAGIC.items():
        if head.startswith(magic):
            return media_type
    text = _text(head, is_whole=is_whole)
    return None if text is None else _kind_of_text(text, is_whole=is_whole)


def _text(head: bytes, *, is_whole: bool) -> str | None:
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(head, final=is_whole)
    except UnicodeDecodeError:
        return None
    is_plain = all(ch >= " " or ch in _PRINTABLE_CONTROLS for ch in text)
    return text if is_plain and not _is_active(text) else None


def _is_active(text: str) -> bool:
    """Documents that a browser would run, and PDF, which begins like text."""
    start = text.lstrip()[:64].lower()
    return start.startswith(("<!doctype", "<html", "<script", "<svg", "<?xml", "%pdf"))


def _kind_of_text(text: str, *, is_whole: bool) -> str:
    lines = text.splitlines()
    if not is_whole and len(lines) > 1:
        lines = lines[:-1]
    filled = [line for line in lines if line.strip()]
    if is_whole and _is_json(text):
        return JSON
    if len(filled) > 1 and all(_is_json(line) for line in filled[:3]):
        return JSON_LINES
    if not is_whole and text.lstrip()[:1] in {"{", "["}:
        return JSON
    commas = [line.count(",") for line in filled[:3]]
    return CSV if len(commas) > 1 and commas[0] > 0 and len(set(commas)) == 1 else TEXT


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
