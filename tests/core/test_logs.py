import json
import logging

import pytest

from exchange.core.logs import JsonLines, redact


@pytest.mark.parametrize(
    "text", ["Bearer lbx_pat_abc123", "authorization: bearer sesame", "key sk-abcdefghijk", "lbx_ses_zzz"]
)
def test_secrets_are_not_logged(text):
    clean = redact(text)
    assert "[redacted]" in clean
    assert not {"abc123", "sesame", "abcdefghijk", "zzz"} & set(clean.replace("_", " ").split())


@pytest.mark.parametrize(
    "text",
    [
        "GET /v1?api_key=sesame&n=1",
        '{"api_key": "sesame"}',
        "apikey=sesame",
        "password: sesame",
        "X-Api-Key: sesame",
        "no connection to postgresql://exchange_app:sesame@db:5432/exchange",
        "redis://:sesame@redis:6379/0 is away",
        "GET https://s3.example.org/b/k?partNumber=1&X-Amz-Signature=sesame&x=y",
    ],
)
def test_values_named_as_secrets_are_not_logged(text):
    assert "sesame" not in redact(text)
    assert "[redacted]" in redact(text)


@pytest.mark.parametrize(
    "text", ["max_tokens=64, sample_count=3", "http://127.0.0.1:8000/a@b answers", "postgres://db:5432/x"]
)
def test_what_is_no_secret_is_logged(text):
    assert redact(text) == text


def test_a_message_with_a_newline_stays_one_line():
    record = logging.LogRecord("x", logging.INFO, "", 0, 'a\n{"level":"critical"}', None, None)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["level"] == "info"


def line(message="x", **attributes):
    record = logging.LogRecord("x", logging.INFO, "", 0, message, None, None)
    for name, value in attributes.items():
        setattr(record, name, value)
    return JsonLines().format(record)


class TestBounds:
    def test_long_messages_are_cut(self):
        assert len(line("x" * 1_000_000)) < 5000

    def test_of_long_exceptions_the_end_is_kept(self):
        try:
            raise ValueError("x" * 1_000_000 + " the reason")
        except ValueError as error:
            text = line(exc_info=(type(error), error, error.__traceback__))
        assert len(text) < 20_000
        assert json.loads(text)["exception"].endswith("the reason")

    def test_long_fields_are_cut(self):
        assert len(line(fields={"route": "x" * 1_000_000})) < 1000


class TestFields:
    def test_stand_beside_the_message(self):
        shown = json.loads(line("GET /", fields={"status": 200, "refusal": None}))
        assert (shown["message"], shown["status"], shown["refusal"]) == ("GET /", 200, None)

    def test_show_no_secrets(self):
        assert "sesame" not in line(fields={"route": "api_key=sesame"})


@pytest.mark.parametrize("text", ["a\u2028b", "a\x85b", "a\rb", "half \ud800", "\x00"])
def test_whatever_is_logged_stays_one_line_of_ascii(text):
    shown = line(text, fields={"route": text})
    assert shown.isascii()
    assert len(shown.splitlines()) == 1
    assert json.loads(shown)["route"] == text
