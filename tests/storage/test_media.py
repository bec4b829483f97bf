import gzip
import io
import zipfile

import pytest

from exchange.storage.media import media_type_of


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "a")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"accuracy": 0.86}', "application/json"),
        (b'[\n  {"key": "a"},\n  {"key": "b"}\n]\n', "application/json"),
        (b'{"key": "a"}\n{"key": "b"}\n', "application/x-ndjson"),
        (b'\xef\xbb\xbf{"key": "a"}\r\n{"key": "b"}\r\n', "application/x-ndjson"),
        (b"key,score\na,1\nb,0\n", "text/csv"),
        ("Wie gemessen: 40 ms — 中文\n".encode(), "text/plain"),
        (b"", "text/plain"),
        (gzip.compress(b"x", mtime=0), "application/gzip"),
        (zipped(), "application/zip"),
    ],
)
def test_knows_the_type_by_the_content(content, expected):
    assert media_type_of(content, is_whole=True) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"%PDF-1.7\n",
        b"\x7fELF\x02\x01",
        b"<html><script>alert(1)</script></html>",
        b"  <svg onload=alert(1)>",
        b'{"a": "\x00"}',
        b"\xff\xfe{\x00",
        b"BZh91AY&SY\x94\xd3",
        b"caf\xe9",
    ],
)
def test_refuses_everything_else(content):
    assert media_type_of(content, is_whole=True) is None


def test_judges_a_long_file_by_its_beginning():
    assert media_type_of(b'{"records": [1, 2', is_whole=False) == "application/json"
    assert media_type_of(b'{"a": 1}\n{"a": 2}\n{"a"', is_whole=False) == "application/x-ndjson"
    assert media_type_of("ä".encode() * 3 + b"\xc3", is_whole=False) == "text/plain"
