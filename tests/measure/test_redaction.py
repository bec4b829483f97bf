import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import Pinned
from llm_benchmark.measure.plans import Target
from llm_benchmark.measure.quality.asking import Endpoint
from llm_benchmark.measure.redaction import is_echoed, redact, redact_stream
from llm_benchmark.measure.wire import Response, WireFault

KEY = "sk-proj-Ab9/x+Zq.7~tail_0123456789"
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
SPELLINGS = {
    "plain": KEY,
    "json": json.dumps({KEY: 1}),
    "escaped slash": KEY.replace("/", "\\/"),
    "all escaped": ESCAPED,
    "capital escapes": ESCAPED.upper().replace("\\U", "\\u"),
    "one escaped": KEY.replace("s", "\\u0073", 1),
    "json in json": json.dumps(KEY.replace("s", "\\u0073", 1).replace("/", "\\/")),
    "percent": quote(KEY, safe=""),
    "small percent": KEY.replace("/", "%2f").replace("+", "%2b"),
    "all percent": "".join(f"%{ord(letter):02x}" for letter in KEY),
    "percent twice": quote(quote(KEY, safe=""), safe=""),
    "base64": b64encode(KEY.encode()).decode(),
    "base64 in a url": urlsafe_b64encode(KEY.encode()).decode().rstrip("="),
    "base64 of a header": b64encode(f"Bearer {KEY}\r\n".encode()).decode(),
    "base64 of a log-in": b64encode(f":{KEY}".encode()).decode(),
    "escaped base64": b64encode(f"ab{KEY}".encode()).decode().replace("/", "\\/").replace("+", "%2B"),
}
LETTERS = st.sampled_from("AZaz09._~+/=-")


class TestRedact:
    @pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
    def test_leaves_no_spelling_of_the_key(self, spelling):
        text = f"HTTP 401: wrong key {spelling}, sorry"

        clean = redact(text, KEY)

        assert is_echoed(text, KEY)
        assert not is_echoed(clean, KEY)
        assert (clean[:19], clean[-7:], len(clean)) == (text[:19], text[-7:], len(text))
        assert redact(text.encode(), KEY) == clean.encode()

    def test_covers_each_echo(self):
        assert redact(f"{KEY} and {KEY}", KEY) == f"{'*' * len(KEY)} and {'*' * len(KEY)}"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "An answer with 100 % \\u00e9, \\u003c and https:\\/\\/example.com\\/",
            KEY[:-1],
            KEY.upper(),
            b64encode(KEY[3:].encode()).decode(),
            "\ud83d broken",
        ],
    )
    def test_leaves_honest_text_as_it_is(self, text):
        assert redact(text, KEY) is text

    def test_looks_for_no_word_that_stands_for_a_key(self):
        assert redact("an EMPTY answer", "EMPTY") == "an EMPTY answer"
        assert redact("a", None) == "a"

    @given(st.text(LETTERS, min_size=8, max_size=60), st.binary(max_size=5), st.binary(max_size=5))
    def test_finds_every_key_inside_base64(self, key, before, after):
        assert is_echoed(b64encode(before + key.encode() + after), key)

    @given(st.text(LETTERS, min_size=8, max_size=60), st.data())
    def test_finds_every_key_whose_letters_are_escaped_here_and_there(self, key, data):
        forms = (lambda c: c, lambda c: f"\\u{ord(c):04x}", lambda c: f"%{ord(c):02X}")
        written = "".join(data.draw(st.sampled_from(forms))(letter) for letter in key)

        assert is_echoed(written, key)
        assert not is_echoed(redact(f"x{written}x", key), key)


def stream_of(*pieces):
    events = [
        {"model": "m", "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
        for piece in pieces
    ]
    events.append({"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode() + b"data: [DONE]\n\n"


class TestRedactStream:
    def test_blots_out_what_is_spread_over_events_and_nothing_else(self):
        body = stream_of("It is ", KEY[:3], KEY[3:20], KEY[20:] + "!")

        clean = redact_stream(body, KEY)

        told = protocols.get("chat").read_stream(clean)
        assert told.text == f"It is {'*' * len(KEY)}!"
        before, after = body.splitlines(), clean.splitlines()
        assert [n for n in range(len(before)) if before[n] != after[n]] == [2, 4, 6]

    @pytest.mark.parametrize("body", [stream_of("It ", "is", " so."), b"data: {", b"\ndata: 7\n", b"<html>"])
    def test_leaves_what_says_no_key_byte_for_byte(self, body):
        assert redact_stream(body, KEY) is body
        assert redact_stream(body, None) is body

    def test_looks_into_every_field(self):
        events = [{"delta": {"tool": {"arguments": [letter]}}} for letter in KEY]
        body = "".join(f"data: {json.dumps(event)}\n" for event in events).encode()

        clean = [json.loads(line[5:]) for line in redact_stream(body, KEY).splitlines()]

        assert "".join(event["delta"]["tool"]["arguments"][0] for event in clean) == "*" * len(KEY)


class TestReply:
    """Of one question: what is kept of an endpoint's answer."""

    @pytest.fixture
    def endpoint(self):
        target = Target("https://api.example.com/v1", "m", api_key=KEY)
        return Endpoint(target, Pinned("https", "api.example.com", 443, "192.0.2.1", None, False), 1.0)

    def reply(self, endpoint, body, *, status=200, kind="text/event-stream"):
        return endpoint._read(Response(status, {"content-type": kind}, body), 0.0)

    def test_has_no_key_that_came_in_pieces(self, endpoint):
        reply = self.reply(endpoint, stream_of(*KEY))

        assert reply.error is None
        assert reply.completion.text == "*" * len(KEY)
        assert protocols.get("chat").read_stream(reply.raw).text == reply.completion.text

    def test_has_no_key_in_a_stream_that_broke_off(self, endpoint):
        torn = stream_of(*KEY).partition(b'data: {"model": "m", "choices": [{"index": 0, "delta": {}')[0]

        broken = self.reply(endpoint, torn)
        lost = endpoint._faulty(WireFault("connection_lost", response=Response(200, {}, torn)), 0.0)

        assert (broken.error, lost.error) == ("incomplete_stream", "connection_lost")
        end = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
        assert protocols.get("chat").read_stream(broken.raw + end).text == "*" * len(KEY)
        assert lost.raw == broken.raw

    def test_has_no_key_among_the_names_of_a_document(self, endpoint):
        choice = {"index": 0, "message": {"content": "yes"}, "finish_reason": KEY}
        body = json.dumps({"model": "MODEL", KEY: KEY, "choices": [choice]}).replace("MODEL", ESCAPED)

        reply = self.reply(endpoint, body.encode(), kind="application/json")

        assert reply.completion.text == "yes"
        assert not is_echoed(reply.raw, KEY)
        assert KEY not in repr(reply.completion)

    def test_has_no_key_in_the_text_of_a_refusal(self, endpoint):
        reply = self.reply(endpoint, f'{{"error": "Bad key {ESCAPED}"}}'.encode(), status=401)

        assert (reply.error, is_echoed(reply.raw, KEY)) == ("authentication_failed", False)
