"""A zip whose bytes follow from its members alone, and a reader that accepts nothing else.

Members are stored, not deflated: zlib and its forks write different bytes for the same data. Names are sorted
behind manifest.json, times are 1980-01-01, modes 0644. Any unzip reads it; our reader rebuilds every header
and compares, so that no byte is left unlooked at (APPNOTE 6.3.3 §4.3).
"""

import hashlib
import json
import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

MANIFEST = "manifest.json"
MOST_MEMBERS = 1000
LARGEST_MEMBER = 1 << 29
LARGEST_ARCHIVE = (1 << 32) - 1

_CHUNK = 1 << 20
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}){0,3}")
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_VERSION, _UNIX, _STORED, _DATE = 10, 3 << 8 | 20, 0, 0x0021
_REGULAR_FILE = 0o100644 << 16


class Malformed(Exception):
    """This is not a bundle. `member` is empty when the archive as a whole is meant."""

    def __init__(self, member: str, code: str, message: str) -> None:
        super().__init__(message)
        self.member, self.code, self.message = member, code, message


@dataclass(frozen=True, slots=True)
class Section:
    """`size` bytes of a file, from `start`."""

    path: Path
    start: int
    size: int


Content = Path | Section | bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A member's place and digest. `start` is where its data begins in the archive."""

    name: str
    size: int
    crc: int
    sha256: str
    start: int


def is_safe_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and ".." not in name


def write_archive(path: Path, members: Mapping[str, Content]) -> str:
    """Write the archive (whole or not at all) and give its SHA-256.

    Raises:
        ValueError: a name is unsafe, or there is too much of it.
        OSError: a file cannot be read, or changes meanwhile.
    """
    names = _ordered(members)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            _write(file, [(name, members[name]) for name in names])
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return file_digest(path)


def manifest_at_head(file: BinaryIO) -> dict[str, Any] | None:
    """The manifest that a bundle begins with, unchecked; None for any other file. Reads 1 MiB at most."""
    head = file.read(_LOCAL.size + len(MANIFEST))
    if len(head) < _LOCAL.size + len(MANIFEST) or not head.endswith(MANIFEST.encode()):
        return None
    signature, *_rest, size, _whole, _name_size, _extra_size = _LOCAL.unpack(head[: _LOCAL.size])
    try:
        manifest = json.loads(file.read(min(size, _CHUNK))) if signature == b"PK\x03\x04" else None
    except (ValueError, RecursionError):
        return None
    return manifest if isinstance(manifest, dict) else None


def _ordered(members: Mapping[str, Content]) -> list[str]:
    unsafe = [name for name in members if not is_safe_name(name)]
    if unsafe or len({name.lower() for name in members}) < len(members):
        raise ValueError(f"unsafe or colliding member names: {unsafe}")
    if len(members) > MOST_MEMBERS:
        raise ValueError("too many members")
    return sorted(members, key=lambda name: (name != MANIFEST, name))


def _write(file: BinaryIO, members: list[tuple[str, Content]]) -> None:
    directory = b""
    for name, content in members:
        offset = file.tell()
        size, crc = _measure(content)
        if size > LARGEST_MEMBER or offset + size > LARGEST_ARCHIVE - len(directory) - _CHUNK:
            raise ValueError(f"{name} is too large for a bundle")
        file.write(_local_header(name, size, crc))
        written = 0
        for chunk in _chunks(content):
            written = zlib.crc32(chunk, written)
            file.write(chunk)
        if written != crc:
            raise OSError(f"{name} changed while it was written")
        directory += _central_header(name, size, crc, offset)
    start = file.tell()
    file.write(directory + _end(len(members), len(directory), start))


def _chunks(content: Content) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    section = content if isinstance(content, Section) else Section(content, 0, content.stat().st_size)
    with section.path.open("rb") as file:
        left = section.size
        file.seek(section.start)
        while chunk := file.read(min(left, _CHUNK)):
            left -= len(chunk)
            yield chunk


def _measure(content: Content) -> tuple[int, int]:
    size = crc = 0
    for chunk in _chunks(content):
        size, crc = size + len(chunk), zlib.crc32(chunk, crc)
    return size, crc


def content_digest(content: Content) -> tuple[str, int]:
    """SHA-256 (hex) and size of a member."""
    total, size = hashlib.sha256(), 0
    for chunk in _chunks(content):
        total.update(chunk)
        size += len(chunk)
    return total.hexdigest(), size


def file_digest(path: Path) -> str:
    return content_digest(path)[0]


def _local_header(name: str, size: int, crc: int) -> bytes:
    raw = name.encode()
    fields = (b"PK\3\4", _VERSION, 0, _STORED, 0, _DATE, crc, size, size, len(raw), 0)
    return _LOCAL.pack(*fields) + raw


def _central_header(name: str, size: int, crc: int, offset: int) -> bytes:
    raw = name.encode()
    sizes = (crc, size, size, len(raw), 0, 0, 0, 0, _REGULAR_FILE, offset)
    return _CENTRAL.pack(b"PK\1\2", _UNIX, _VERSION, 0, _STORED, 0, _DATE, *sizes) + raw


def _end(count: int, size: int, offset: int) -> bytes:
    return _END.pack(b"PK\5\6", 0, 0, count, count, size, offset, 0)


def read_archive(path: Path) -> dict[str, Entry]:
    """Look at every byte and give the members. Raises Malformed (also for what cannot be opened)."""
    try:
        with path.open("rb") as file:
            return _read(file, path.stat().st_size)
    except OSError as error:
        raise Malformed("", "unreadable", str(error)) from error


def _read(file: BinaryIO, length: int) -> dict[str, Entry]:
    places = _directory(file, length)
    entries: dict[str, Entry] = {}
    directory, position = b"", 0
    file.seek(0)
    for name, size, crc in places:
        header = _local_header(name, size, crc)
        if file.read(len(header)) != header:
            raise Malformed(name, "header", "The member's header is not the one a bundle has.")
        start = position + len(header)
        entries[name] = Entry(name, size, crc, _hash(file, name, size, crc), start)
        directory += _central_header(name, size, crc, position)
        position = start + size
    if file.read() != directory + _end(len(places), len(directory), position):
        raise Malformed("", "directory", "The directory is not the one a bundle has.")
    return entries


def _hash(file: BinaryIO, name: str, size: int, crc: int) -> str:
    total, check, left = hashlib.sha256(), 0, size
    while left:
        chunk = file.read(min(left, _CHUNK))
        if not chunk:
            raise Malformed(name, "truncated", "The member ends too early.")
        total.update(chunk)
        check, left = zlib.crc32(chunk, check), left - len(chunk)
    if check != crc:
        raise Malformed(name, "crc", "The member's bytes do not match its checksum.")
    return total.hexdigest()


def _directory(file: BinaryIO, length: int) -> list[tuple[str, int, int]]:
    """Names, sizes and checksums by the directory at the end."""
    if not _END.size <= length <= LARGEST_ARCHIVE:
        raise Malformed("", "not_a_zip", "The file is too short or too long for a bundle.")
    file.seek(length - _END.size)
    signature, _, _, _, count, size, offset, comment = _END.unpack(file.read(_END.size))
    if signature != b"PK\5\6" or comment or offset + size + _END.size != length:
        raise Malformed("", "not_a_zip", "The file does not end like a bundle.")
    if not 0 < count <= MOST_MEMBERS:
        raise Malformed("", "member_count", "A bundle has between 1 and 1000 members.")
    file.seek(offset)
    places = list(_places(file.read(size), count))
    names = [name for name, _, _ in places]
    if len({name.lower() for name in names}) < len(names):
        raise Malformed("", "duplicate", "Two members have the same name.")
    if names != sorted(names, key=lambda name: (name != MANIFEST, name)):
        raise Malformed("", "order", "The members are not in a bundle's order.")
    return places


def _places(directory: bytes, count: int) -> Iterator[tuple[str, int, int]]:
    position = 0
    for _ in range(count):
        fields = directory[position : position + _CENTRAL.size]
        if len(fields) < _CENTRAL.size:
            raise Malformed("", "directory", "The directory ends too early.")
        _, _, _, flags, method, _, _, crc, stored, size, named, extra, noted, _, _, mode, _ = _CENTRAL.unpack(
            fields
        )
        position += _CENTRAL.size
        name = directory[position : position + named].decode("ascii", "replace")
        position += named + extra + noted
        _refuse(name, flags=flags, method=method, sizes=(stored, size), mode=mode)
        yield name, size, crc


def _refuse(name: str, *, flags: int, method: int, sizes: tuple[int, int], mode: int) -> None:
    if not is_safe_name(name):
        raise Malformed(name, "name", "The member's name is not a plain relative one.")
    if flags & 1:
        raise Malformed(name, "encrypted", "The member is encrypted.")
    if method != _STORED or sizes[0] != sizes[1]:
        raise Malformed(name, "compressed", "The member is compressed.")
    if mode != _REGULAR_FILE:
        raise Malformed(name, "not_a_file", "The member is not a regular file.")
    if sizes[1] > LARGEST_MEMBER:
        raise Malformed(name, "too_large", "The member is too large.")


def read_member(path: Path, entry: Entry) -> bytes:
    with path.open("rb") as file:
        file.seek(entry.start)
        return file.read(entry.size)


def section_of(path: Path, entry: Entry) -> Section:
    return Section(path, entry.start, entry.size)


def member_lines(path: Path, entry: Entry) -> Iterator[bytes]:
    """A member line by line; the last may have no end."""
    with path.open("rb") as file:
        left = entry.size
        file.seek(entry.start)
        while line := file.readline(left):
            left -= len(line)
            yield line
