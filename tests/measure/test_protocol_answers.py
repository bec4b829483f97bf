"""Every protocol's answers, whole and streamed, and what hostile ones come to."""

import json

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm_benchmark.measure import protocols
from llm_benchmark.measure.plans import Dialect, Generation, Target, Usage
from llm_benchmark.measure.protocols import Stream, streams

TARGET = Target("https://h", "m")


def chat(delta=None, *, finish=None, **more):
    return {"model": "m", "choices": [{"delta": delta or {}, "finish_reason": finish}], **more}


def sse(*events, end=b""):
    """Events as the providers write them: typed ones with their name."""
    written = b""
    for event in events:
        name = f"event: {event['type']}\n".encode() if "type" in event else b""
        written += name + b"data: " + orjson.dumps(event) + b"\n\n"
    return written + end


DONE = b"data: [DONE]\n\n"
RESPONSE = {"model": "m", "usage": {"input_tokens": 3, "output_tokens": 5}}
MESSAGE = {"model": "m", "usage": {"input_tokens": 3, "output_tokens": 1}}
OPENAI_USAGE = {"prompt_tokens": 3, "completion_tokens": 5}
STREAMS = {
    "chat": sse(
        chat({"role": "assistant", "content": ""}),
        chat({"reasoning_content": "hm"}),
        chat({"content": "4"}),
        chat({"content": "2"}),
        chat(finish="stop"),
        {"choices": [], "usage": OPENAI_USAGE},
        end=DONE,
    ),
    "completions": sse(
        {"model": "m", "choices": [{"text": "4", "finish_reason": None}]},
        {"model": "m", "choices": [{"text": "2", "finish_reason": "stop"}]},
        {"choices": [], "usage": OPENAI_USAGE},
        end=DONE,
    ),
    "responses": sse(
        {"type": "response.created", "response": {"model": "m", "status": "in_progress"}},
        {"type": "response.output_item.added", "item": {"type": "reasoning"}},
        {"type": "response.reasoning_summary_text.delta", "delta": "hm"},
        {"type": "response.output_text.delta", "delta": "4"},
        {"type": "response.output_text.delta", "delta": "2"},
        {"type": "response.output_text.done", "text": "42"},
        {"type": "response.completed", "response": {**RESPONSE, "status": "completed"}},
    ),
    "messages": sse(
        {"type": "message_start", "message": MESSAGE},
        {"type": "content_block_start", "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "ping"},
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "4"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "2"}},
        {"type": "content_block_stop"},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ),
}
DOCUMENTS = {
    "chat": {
        "model": "m",
        "choices": [{"message": {"content": "42", "reasoning": "hm"}, "finish_reason": "stop"}],
        "usage": OPENAI_USAGE,
    },
    "completions": {
        "model": "m",
        "choices": [{"text": "42", "finish_reason": "stop"}],
        "usage": OPENAI_USAGE,
    },
    "responses": {
        **RESPONSE,
        "status": "completed",
        "error": None,
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
            {"type": "message", "content": [{"type": "output_text", "text": "42"}]},
        ],
    },
    "messages": {
        "type": "message",
        "model": "m",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "42"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 5},
    },
}
REASONING_ONLY = {
    "chat": sse(chat({"reasoning": "hm"}), chat(finish="length"), end=DONE),
    "responses": sse(
        {"type": "response.reasoning_text.delta", "delta": "hm"},
        {
            "type": "response.incomplete",
            "response": {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        },
    ),
    "messages": sse(
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
        {"type": "message_stop"},
    ),
}
ERRORS = {
    "chat": sse(chat({"content": "4"}), {"error": {"message": "no", "code": 500}}, end=DONE),
    "completions": sse({"object": "error", "message": "no"}, end=DONE),
    "responses": sse({"type": "response.failed", "response": {"status": "failed"}}),
    "messages": sse({"type": "error", "error": {"type": "overloaded_error"}}),
}


def read(name, body):
    return protocols.get(name).read_stream(body)


class TestStreams:
    @pytest.mark.parametrize("name", STREAMS)
    def test_give_text_reasoning_and_the_usage_of_their_tail(self, name):
        found = read(name, STREAMS[name])

        assert (found.text, found.finish_reason, found.model, found.error) == ("42", "stop", "m", None)
        assert found.usage == Usage(3, 5)
        assert found.reasoning == (None if name == "completions" else "hm")

    @pytest.mark.parametrize("name", STREAMS)
    def test_say_the_same_as_the_whole_document(self, name):
        whole = protocols.get(name).read(orjson.dumps(DOCUMENTS[name]))

        assert (whole.text, whole.finish_reason, whole.usage, whole.error) == (
            "42",
            "stop",
            Usage(3, 5),
            None,
        )

    @pytest.mark.parametrize("name", STREAMS)
    @pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
    @pytest.mark.parametrize("size", [1, 2, 7])
    def test_are_the_same_in_any_pieces_and_with_any_line_ends(self, name, line_end, size):
        body = b"\xef\xbb\xbf: hello\n\n" + STREAMS[name]
        body = body.replace(b"\n", line_end)
        stream = Stream(protocols.get(name))

        for start in range(0, len(body), size):
            stream.feed(body[start : start + size])

        assert stream.completion() == read(name, STREAMS[name])
        assert stream.has_ended

    @pytest.mark.parametrize("name", STREAMS)
    def test_that_are_cut_off_anywhere_never_give_another_answer(self, name):
        whole = read(name, STREAMS[name])

        for length in range(len(STREAMS[name])):
            found = read(name, STREAMS[name][:length])
            assert found.error == "incomplete_stream" or found.text == whole.text

    @pytest.mark.parametrize("name", REASONING_ONLY)
    def test_with_reasoning_alone_at_the_limit_are_truncated(self, name):
        found = read(name, REASONING_ONLY[name])

        assert (found.text, found.reasoning, found.error) == (None, "hm", "output_truncated")
        assert found.has_content

    @pytest.mark.parametrize("name", ERRORS)
    def test_with_an_error_inside_are_errors(self, name):
        assert read(name, ERRORS[name]).error == "provider_reported_error"

    @pytest.mark.parametrize("name", STREAMS)
    def test_pass_over_events_that_nobody_knows(self, name):
        odd = sse({"type": "vendor.news", "delta": 7}, {}) + b"event: ping\ndata: pong\n\nid: 7\nretry: 1\n\n"

        assert read(name, odd + STREAMS[name]).text == "42"

    @pytest.mark.parametrize("name", STREAMS)
    @pytest.mark.parametrize("payload", [b"7", b"null", b"[]", b'{"choices": [', b"\xff", b"[" * 100_000])
    def test_are_no_answer_where_an_event_is_mangled(self, name, payload):
        assert read(name, b"data: " + payload + b"\n\n" + STREAMS[name]).error == "invalid_response"

    @pytest.mark.parametrize("name", STREAMS)
    def test_read_nothing_behind_their_end(self, name):
        assert read(name, STREAMS[name] * 2).text == "42"

    def test_keep_a_refusal_as_the_answer(self):
        assert read("chat", sse(chat({"refusal": "No."}), chat(finish="stop"), end=DONE)).text == "No."


class TestBounds:
    def test_of_an_event(self):
        stream = Stream(protocols.get("chat"))

        stream.feed(b"data: ")
        for _ in range(20):
            stream.feed(b"x" * 100_000)

        assert (stream.has_ended, stream.completion().error) == (True, "response_too_large")

    def test_of_the_text(self, monkeypatch):
        monkeypatch.setattr(streams, "CONTENT_LIMIT", 10)

        found = read("chat", sse(*[chat({"content": "xxxx"})] * 3, end=DONE))

        assert (found.text, found.error) == (None, "response_too_large")


NAMES = (
    *(
        "choices",
        "message",
        "delta",
        "content",
        "text",
        "usage",
        "type",
        "output",
        "data",
        "results",
        "index",
    ),
    *("embedding", "relevance_score", "score", "response", "status", "error", "model", "stop_reason"),
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


class TestHostileValues:
    @pytest.mark.parametrize("count", [-1, 1.5, "7", True, None, 2**31, 10**30, [1], {}, 1e308])
    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_of_usage_are_unknown(self, name, count):
        names = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
        usage = dict.fromkeys(names, count)

        found = protocols.get(name).read(json.dumps({**DOCUMENTS[name], "usage": usage}).encode())

        assert (found.text, found.usage) == ("42", Usage())

    @pytest.mark.parametrize("number", [b"1e309", b"-1e309", b"NaN", b"Infinity"])
    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_that_are_no_numbers_make_no_document(self, name, number):
        body = orjson.dumps({**DOCUMENTS[name], "usage": "USAGE"}).replace(b'"USAGE"', number)

        found = protocols.get(name).read(body)

        assert found.error == "invalid_response" or found.usage == Usage()

    @pytest.mark.parametrize("name", protocols.PROTOCOLS)
    @settings(max_examples=40, deadline=None)
    @given(document=ANYTHING)
    def test_of_any_shape_end_as_a_completion(self, name, document):
        protocol = protocols.get(name)

        assert protocol.read_parsed(document).error != ""
        if protocol.can_stream and isinstance(document, dict):
            protocol.read_event("message", document)

    def test_of_messages_add_up_to_no_count_that_a_table_cannot_hold(self):
        usage = {"input_tokens": 2**31 - 1, "cache_read_input_tokens": 2**31 - 1, "output_tokens": 1}

        found = protocols.get("messages").read(orjson.dumps({**DOCUMENTS["messages"], "usage": usage}))

        assert found.usage.input_tokens is None


class TestResponses:
    @pytest.mark.parametrize("status", ["queued", "in_progress", "cancelled"])
    def test_that_have_not_ended_are_no_answer(self, status):
        found = protocols.get("responses").read(orjson.dumps({**DOCUMENTS["responses"], "status": status}))

        assert found.error == "invalid_response"


class TestMessages:
    def test_count_the_input_that_came_from_the_cache(self):
        usage = {"input_tokens": 3, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 4}

        found = protocols.get("messages").read(orjson.dumps({**DOCUMENTS["messages"], "usage": usage}))

        assert found.usage == Usage(17, None, 10)

    def test_send_key_and_version_in_their_headers(self):
        assert protocols.get("messages").headers("sk-1") == [
            ("x-api-key", "sk-1"),
            ("anthropic-version", "2023-06-01"),
        ]


class TestSettings:
    """A setting that is given is sent, or the endpoint refuses it: never left out in silence."""

    @pytest.mark.parametrize("name", sorted(protocols.GENERATING))
    def test_of_temperature_are_sent_as_they_are(self, name):
        for temperature in (0.0, 1.5):
            fields = protocols.get(name).generation_fields(TARGET, Generation(temperature=temperature))
            assert fields["temperature"] == temperature

    @pytest.mark.parametrize(
        ("name", "field"),
        [
            ("chat", "max_tokens"),
            ("completions", "max_tokens"),
            ("responses", "max_output_tokens"),
            ("messages", "max_tokens"),
        ],
    )
    def test_of_length_have_the_protocol_s_name(self, name, field):
        target = Target("https://h", "m", dialect=Dialect("x", "max_tokens"))

        assert protocols.get(name).generation_fields(target, Generation(max_tokens=7))[field] == 7


EMBEDDED = {"data": [{"index": 0, "embedding": [0.5, -1]}], "model": "m", "usage": {"prompt_tokens": 2}}
COHERE = {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}
TEI = [{"index": 1, "score": 0.9}, {"index": 0, "score": 0.1}]


class TestVectors:
    @pytest.mark.parametrize(
        ("name", "document", "count"),
        [
            ("embeddings", EMBEDDED, 1),
            ("embeddings", {"data": [{"embedding": "AACAPw=="}]}, 1),
            ("rerank", COHERE, 2),
            ("rerank", {"data": COHERE["results"], "usage": {"total_tokens": 4}}, 2),
            ("rerank_tei", TEI, 2),
        ],
    )
    def test_are_counted(self, name, document, count):
        found = protocols.get(name).read(orjson.dumps(document))

        assert (found.vectors, found.error, found.has_content) == (count, None, True)

    @pytest.mark.parametrize("vector", [[], [None], ["1"], [True], {}, "", None, [[1]]])
    def test_of_anything_but_numbers_are_no_answer(self, vector):
        body = orjson.dumps({"data": [{"embedding": vector}]})

        assert protocols.get("embeddings").read(body).error == "invalid_response"

    @pytest.mark.parametrize(
        ("name", "document"),
        [
            ("rerank", {"results": [{"index": -1, "relevance_score": 1}]}),
            ("rerank", {"results": [{"index": 0, "relevance_score": "high"}]}),
            ("rerank", {"results": {}}),
            ("rerank", TEI),
            ("rerank_tei", COHERE),
            ("rerank_tei", [{"index": 0}]),
        ],
    )
    def test_of_another_shape_are_no_answer(self, name, document):
        assert protocols.get(name).read(orjson.dumps(document)).error == "invalid_response"

    @pytest.mark.parametrize(
        ("name", "document"), [("embeddings", {"data": []}), ("rerank", {"results": []}), ("rerank_tei", [])]
    )
    def test_of_nothing_are_empty(self, name, document):
        assert protocols.get(name).read(orjson.dumps(document)).error == "empty_response"

    def test_come_in_no_stream(self):
        body = sse(EMBEDDED)

        assert protocols.get("embeddings").read(body, "text/event-stream").error == "invalid_response"
