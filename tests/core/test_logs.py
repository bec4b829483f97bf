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
    ],
)
def test_values_named_as_secrets_are_not_logged(text):
    assert "sesame" not in redact(text)
    assert "[redacted]" in redact(text)


def test_what_only_counts_tokens_is_logged():
    assert redact("max_tokens=64, sample_count=3") == "max_tokens=64, sample_count=3"


def test_a_message_with_a_newline_stays_one_line():
    record = logging.LogRecord("x", logging.INFO, "", 0, 'a\n{"level":"critical"}', None, None)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["level"] == "info"
