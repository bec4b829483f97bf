"""One exchange on the wire, byte by byte: where an answer ends, and what never does."""

import asyncio
import tracemalloc

import orjson
import pytest

from llm_benchmark.measure import connection as wire
from llm_benchmark.measure import protocols
from llm_benchmark.measure.connection import Connection, WireFault
from llm_benchmark.measure.protocols import Stream, streams

PATIENCE = 10.0  # seconds; only a broken test waits so long


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def event(delta=None, finish=None, **more):
    choices = [] if delta is None else [{"delta": delta, "finish_reason": finish}]
    return b"data: " + orjson.dumps({"choices": choices, **more}) + b"\n\n"


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
TEXT, FINISH = event({"content": "42"}), event({}, "stop")
USAGE = event(usage={"prompt_tokens": 1, "completion_tokens": 2})
DONE, END = b"data: [DONE]\n\n", b"0\r\n\r\n"


class Wire:
    """A connection with our hand in place of the network."""

    def __init__(self):
        self.aborted = False
        self.connection = Connection()
        self.connection.connection_made(self)
        self.stream = Stream(protocols.get("chat"))

    def write(self, data):
        pass

    def abort(self):
        if not self.aborted:
            self.aborted = True
            self.connection.connection_lost(None)

    async def answer(self, *pieces, idle=None, lost=False, eof=False):
        """What comes of these pieces."""
        exchange = asyncio.ensure_future(self.connection.exchange(b"", wire.BODY_LIMIT, self.stream, idle))
        await asyncio.sleep(0)
        for piece in pieces:
            self.connection.data_received(piece)
        if eof:
            self.connection.eof_received()
        if lost:
            self.connection.connection_lost(None)
        async with asyncio.timeout(PATIENCE):
            return await exchange


def answered(*pieces, **how):
    async def ask():
        line = Wire()
        response = await line.answer(*pieces, **how)
        return line, response, line.stream.completion()

    return asyncio.run(ask())


def fault(*pieces, **how):
    with pytest.raises(WireFault) as found:
        answered(*pieces, **how)
    return found.value.code


class TestAStream:
    def test_ends_with_its_body_and_leaves_the_connection_for_the_next(self):
        line, response, completion = answered(CHUNKED, chunk(TEXT), chunk(FINISH), chunk(USAGE + DONE), END)

        assert (completion.text, completion.usage.output_tokens) == ("42", 2)
        assert response.is_stream
        assert response.body == TEXT + FINISH + USAGE + DONE
        assert line.connection.reusable

    def test_ends_at_its_terminator_where_the_body_goes_on(self):
        line, _, completion = answered(CHUNKED, chunk(TEXT + FINISH + USAGE + DONE))

        assert (completion.text, completion.usage.output_tokens) == ("42", 2)
        assert not line.connection.reusable

    def test_waits_for_the_usage_behind_the_finish_but_not_for_ever(self, monkeypatch):
        monkeypatch.setattr(wire, "TAIL_SECONDS", 0.05)

        line, _, completion = answered(CHUNKED, chunk(TEXT + FINISH), chunk(USAGE))

        assert (completion.text, completion.usage.output_tokens) == ("42", 2)
        assert line.aborted

    def test_ends_with_the_connection_where_its_length_is_unknown(self):
        _, _, completion = answered(HEAD + b"\r\n" + TEXT + FINISH, eof=True)

        assert completion.text == "42"

    def test_without_an_end_is_incomplete(self):
        _, _, completion = answered(HEAD + b"\r\n" + TEXT, eof=True)

        assert completion.error == "incomplete_stream"

    def test_that_is_lost_before_its_end_is_a_fault(self):
        assert fault(CHUNKED, chunk(TEXT + FINISH), lost=True) == "connection_lost"

    def test_that_is_lost_behind_its_end_stands(self):
        _, _, completion = answered(CHUNKED, chunk(TEXT + FINISH + DONE), lost=True)

        assert completion.text == "42"

    def test_takes_nothing_from_a_second_answer(self):
        whole = CHUNKED + chunk(TEXT + FINISH + DONE) + END

        line, _, completion = answered(whole + whole.replace(b"42", b"43"))

        assert completion.text == "42"
        assert not line.connection.reusable

    def test_with_an_error_inside_is_read_no_further(self):
        line, _, completion = answered(CHUNKED, chunk(b'data: {"error": {"message": "no"}}\n\n'))

        assert completion.error == "provider_reported_error"
        assert line.aborted


class TestSilence:
    def test_before_the_first_byte_has_a_code(self):
        assert fault(idle=0.05) == "first_byte_timeout"

    def test_in_the_head_is_as_long_as_the_head_takes(self):
        assert fault(CHUNKED[:20], CHUNKED[20:25], idle=0.05) == "first_byte_timeout"

    def test_between_two_bytes_has_a_code(self):
        assert fault(CHUNKED, chunk(TEXT), idle=0.05) == "idle_timeout"

    def test_in_a_whole_body_has_a_code(self):
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
        assert fault(head + b"{", idle=0.05) == "idle_timeout"

    def test_behind_the_answer_costs_nothing(self, monkeypatch):
        monkeypatch.setattr(wire, "TAIL_SECONDS", 0.05)

        assert answered(CHUNKED, chunk(TEXT + FINISH), idle=PATIENCE)[2].text == "42"


class TestBounds:
    """Each of these ends by itself, however long the other side goes on."""

    def endless(self, head, piece, *, most):
        """The code, and the most memory that was held at once, in bytes."""

        async def ask():
            line = Wire()
            asked = line.connection.exchange(b"", wire.BODY_LIMIT, line.stream, None)
            exchange = asyncio.ensure_future(asked)
            await asyncio.sleep(0)
            line.connection.data_received(head)
            for _ in range(most // len(piece)):
                if line.aborted:
                    break
                line.connection.data_received(piece)
            assert line.aborted
            try:
                await exchange
            except WireFault as found:
                return found.code
            return line.stream.completion().error

        tracemalloc.start()
        try:
            return asyncio.run(ask()), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    @pytest.mark.parametrize(
        ("head", "piece"),
        [
            (b"HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n", b"x" * 65536),
            (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", chunk(b"x") * 10000),
            (b"HTTP/1.1 200 OK\r\n", b"x-more: x\r\n" * 1000),
            (b"HTTP/1.1 200 OK\r\nx-long: ", b"x" * 10000),
            (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", b"x-trailer: x\r\n" * 1000),
            (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
            (CHUNKED, chunk(b"data: x" + b"x" * 65536)),
            (CHUNKED, chunk(event({"content": "я" * 1000}))),
            (CHUNKED, chunk(event({"content": "я"}) * 100)),
            (CHUNKED, chunk(b": still here\n\n" * 1000)),
            (CHUNKED, chunk(b"data: {}\n\n" * 1000)),
        ],
        ids=[
            "body", "tiny-chunks", "headers", "header", "trailers", "interim",
            "event", "text", "tiny-events", "comments", "empty-events",
        ],
    )  # fmt: skip
    def test_hold_against_what_never_ends(self, head, piece, monkeypatch):
        monkeypatch.setattr(streams, "MOST_BLOCKS", 20_000)

        code, memory = self.endless(head, piece, most=128 * wire.MIB)

        assert code == "response_too_large"
        assert memory < 48 * wire.MIB
