r"""A provider that sends the credential back: found in each spelling, and blotted out of what is kept.

Spellings are the credential as it is, with any of its characters as JSON escapes (`\u0073`, `\/`; escaped
twice where JSON stands in JSON) or as percent escapes (`%2F`, `%252f`), and the same of its base64, alone or
inside something longer (RFC 4648 §4, §5).
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import orjson

TextOrBytes = TypeVar("TextOrBytes", str, bytes)

_Place = tuple[int, Any, Any]
"""An event's number, and the object or list in it with the name or the index of a text."""

MOST_FIELDS = 100_000

SHORTEST_SECRET = 8
"""A shorter key (`EMPTY`, `none`, `ollama`) is for servers that ask for none, and stands in honest answers by
chance."""


def redact(text: TextOrBytes, secret: str | None) -> TextOrBytes:
    """The text with each echo of the secret replaced by as many asterisks.

    Where there is no echo it costs a few searches for bytes, and the text itself comes back.
    """
    if not secret or not is_echoed(text, secret):
        return text
    if isinstance(text, bytes):
        return _echoes_of(secret).blot(text)
    return _echoes_of(secret).blot(_bytes(text)).decode("utf-8", "surrogatepass")


def redact_stream(body: bytes, secret: str | None) -> bytes:
    """Server-sent events without echoes, also without those that are spread over several of them.

    A spread echo is looked for in what the same field says in all events together; events that hold a part of
    one are written anew. This parses everything: call it where an echo was seen in the joined text. Of a body
    with more than 100,000 fields nothing is left.
    """
    if not secret:
        return body
    body = redact(body, secret)
    lines = body.split(b"\n")
    events = {number: event for number, line in enumerate(lines) if (event := _event_of(line)) is not None}
    fields = _fields_of(events)
    if fields is None:
        return b""
    changed = {number for field in fields for number in _blot(field, secret)}
    for number in changed:
        lines[number] = b"data: " + orjson.dumps(events[number])
    return b"\n".join(lines) if changed else body


def is_echoed(text: str | bytes, secret: str | None) -> bool:
    """Whether the secret stands in the text, in any spelling. One of less than 8 characters never does."""
    if not text or not secret or len(secret) < SHORTEST_SECRET:
        return False
    return _echoes_of(secret).is_in(text if isinstance(text, bytes) else _bytes(text))


@lru_cache(maxsize=64)
def _echoes_of(secret: str) -> "_Echoes":
    return _Echoes((secret.encode(), *_base64_of(secret.encode())))


@dataclass(frozen=True)
class _Echoes:
    """`literals` are looked for first: a search for bytes is fast, and an expression only where a mark of an
    escape stands."""

    literals: tuple[bytes, ...]

    def is_in(self, data: bytes) -> bool:
        if any(literal in data for literal in self.literals):
            return True
        return self._has_escapes(data) and self._anywhere.search(data) is not None

    def blot(self, data: bytes) -> bytes:
        return self._anywhere.sub(lambda found: b"*" * len(found[0]), data)

    def _has_escapes(self, data: bytes) -> bool:
        """Of a character of the secret: other letters may well stand escaped in honest answers."""
        return any(mark in data and pattern.search(data) for mark, pattern in self._marks)

    @cached_property
    def _marks(self) -> tuple[tuple[bytes, re.Pattern[bytes]], ...]:
        hexes = b"|".join(sorted({_hex(letter) for literal in self.literals for letter in literal}))
        return (
            (b"\\u00", re.compile(rb"\\u00(?:%b)" % hexes)),
            (b"%", re.compile(rb"%%(?:25)*(?:%b)" % hexes)),
            (b"\\/", re.compile(rb"\\/")),
        )

    @cached_property
    def _anywhere(self) -> re.Pattern[bytes]:
        return re.compile(b"|".join(b"".join(map(_spellings, literal)) for literal in self.literals))


def _spellings(letter: int) -> bytes:
    plain = re.escape(bytes([letter]))
    if letter == ord("/"):
        plain = rb"\\*/"
    return rb"(?:%b|\\+u00%b|%%(?:25)*%b)" % (plain, _hex(letter), _hex(letter))


def _hex(letter: int) -> bytes:
    """A pattern of its two digits, whether capital or small."""
    return b"".join(b"[%c%c]" % (d, d - 32) if d >= ord("a") else b"%c" % d for d in b"%02x" % letter)


def _base64_of(secret: bytes) -> set[bytes]:
    """What every base64 text has in it that the secret stands in: by where in three bytes it begins."""
    found = set()
    for offset in range(3):
        text = b64encode(bytes(offset) + secret + bytes(2))
        core = text[-(-8 * offset // 6) : 8 * (offset + len(secret)) // 6]
        found |= {core, core.translate(bytes.maketrans(b"+/", b"-_"))}
    return found


def _event_of(line: bytes) -> Any:
    """What a data line holds; None for anything else."""
    if not line.startswith(b"data:"):
        return None
    try:
        return orjson.loads(line[5:])
    except orjson.JSONDecodeError:
        return None


def _fields_of(events: Mapping[int, Any]) -> Iterable[Sequence[_Place]] | None:
    """Where each field that holds a text stands, event by event; None: there are too many."""
    names: dict[tuple[int, Any], int] = {}
    fields: dict[int, list[_Place]] = {}
    for number, event in events.items():
        for field, holder, name in _texts(event, names):
            fields.setdefault(field, []).append((number, holder, name))
        if len(names) > MOST_FIELDS:
            return None
    return fields.values()


def _texts(event: Any, names: dict[tuple[int, Any], int]) -> Iterator[tuple[int, Any, Any]]:
    """Each text by the number of its field; `names` numbers fields by holder and name."""
    waiting = [(0, event)]
    while waiting and len(names) <= MOST_FIELDS:
        place, holder = waiting.pop()
        for name, inner in _items(holder):
            field = names.setdefault((place, name), len(names) + 1)
            if isinstance(inner, str):
                yield field, holder, name
            elif isinstance(inner, dict | list):
                waiting.append((field, inner))


def _items(holder: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(holder, dict):
        return list(holder.items())
    return enumerate(holder) if isinstance(holder, list) else ()


def _blot(field: Sequence[_Place], secret: str) -> Iterator[int]:
    """Blot out what the field's texts echo together; the numbers of the events that held some of it."""
    joined = "".join(holder[name] for _number, holder, name in field)
    clean, at = redact(joined, secret), 0
    for number, holder, name in field if clean != joined else ():
        text = clean[at : at + len(holder[name])]
        at += len(text)
        if text != holder[name]:
            holder[name] = text
            yield number


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
