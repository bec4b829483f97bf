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


def test_a_message_with_a_newline_stays_one_line():
    record = logging.LogRecord("x", logging.INFO, "", 0, 'a\n{"level":"critical"}', None, None)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["level"] == "info"
