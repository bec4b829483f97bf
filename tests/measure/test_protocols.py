import orjson
import pytest

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused, parse_endpoint_url
from llm_benchmark.measure.plans import Dialect, Generation, Target, Usage

CHAT = protocols.get("chat")


def completion(message, *, finish_reason="stop", **more):
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return orjson.dumps({"model": "m", "choices": [choice], **more})


def sse(*events):
    return b"".join(b"data: " + orjson.dumps(event) + b"\n\n" for event in events)


def delta(text, finish_reason=None):
    return {"model": "m", "choices": [{"delta": {"content": text}, "finish_reason": finish_reason}]}


class TestChatBody:
    def test_leaves_out_what_is_none(self):
        fields = CHAT.generation_fields(
            Target("https://h", "m"), Generation(temperature=None, max_tokens=None)
        )

        assert fields == {"model": "m"}

    def test_speaks_the_dialect_without_what_only_a_speed_test_wants(self):
        extra = {"ignore_eos": True, "min_tokens": 5, "cache_prompt": False}
        target = Target("https://h", "m", dialect=Dialect("llamacpp", "max_tokens", extra))

        fields = CHAT.generation_fields(target, Generation(max_tokens=7, stop=("\n",)))

        assert fields["max_tokens"] == 7
        assert fields["stop"] == ["\n"]
        assert not {"ignore_eos", "min_tokens", "cache_prompt", "max_completion_tokens"} & set(fields)

    def test_puts_the_system_prompt_first(self):
        body = orjson.loads(CHAT.body({"model": "m"}, prompt="2 + 2?", system_prompt="Be brief."))

        assert [message["role"] for message in body["messages"]] == ["system", "user"]


class TestParseCompletion:
    def test_reads_text_model_and_usage(self):
        usage = {"prompt_tokens": 3, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 1}}

        found = CHAT.read(completion({"content": "42"}, usage=usage))

        assert (found.text, found.finish_reason, found.model, found.error) == ("42", "stop", "m", None)
        assert found.usage == Usage(3, 4, 1)

    def test_joins_the_text_parts_of_a_list(self):
        parts = [{"type": "text", "text": "4"}, {"type": "image"}, {"type": "text", "text": "2"}, "odd"]

        assert CHAT.read(completion({"content": parts})).text == "42"

    @pytest.mark.parametrize("content", [None, "", "  \n", [], 7, {}])
    def test_calls_a_missing_text_an_empty_response(self, content):
        found = CHAT.read(completion({"content": content, "reasoning_content": "hm"}))

        assert (found.text, found.error) == (None, "empty_response")

    def test_calls_a_missing_text_at_the_limit_truncated(self):
        assert CHAT.read(completion({"content": ""}, finish_reason="length")).error == "output_truncated"

    @pytest.mark.parametrize(
        "body",
        [
            *(
                b"",
                b"<html>",
                b"[]",
                b"null",
                b"{}",
                b'{"choices": []}',
                b'{"choices": {}}',
                b'{"choices": [1]}',
            ),
            *(b'{"choices": [{"message": "x"}]}', b'{"choices": [{"message": {"content": "\xff"}}]}'),
            *(b'{"choices": [{"message": {"content": NaN}}]}', b"[" * 100_000),
        ],
    )
    def test_never_takes_garbage_for_an_answer(self, body):
        found = CHAT.read(body)

        assert (found.text, found.error) == (None, "invalid_response")

    def test_sees_an_error_that_says_success(self):
        assert CHAT.read(b'{"error": {"message": "no"}}').error == "provider_reported_error"

    @pytest.mark.parametrize("count", [-1, 1.5, "7", True, None, 2**31, 1e308, [1]])
    def test_takes_an_impossible_count_for_unknown(self, count):
        found = CHAT.read(completion({"content": "x"}, usage={"prompt_tokens": count}))

        assert found.usage == Usage()

    def test_keeps_out_what_a_database_refuses(self):
        assert CHAT.read(completion({"content": "a\x00b"})).text == "a\ufffdb"


class TestParseStream:
    def test_joins_the_chunks_and_reads_the_usage_after_the_finish(self):
        usage = {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}
        body = sse(delta("4"), delta("2"), delta("", "stop"), usage) + b"data: [DONE]\n\n"

        found = CHAT.read_stream(body)

        assert (found.text, found.finish_reason, found.usage) == ("42", "stop", Usage(1, 2))

    def test_refuses_a_stream_without_an_end(self):
        assert CHAT.read_stream(sse(delta("4"))).error == "incomplete_stream"

    def test_goes_by_the_finish_reason_and_not_by_the_terminator(self):
        assert CHAT.read_stream(sse(delta("4")) + b"data: [DONE]\n\n").error == "incomplete_stream"
        assert CHAT.read_stream(sse(delta("4", "stop"))).text == "4"

    @pytest.mark.parametrize("tail", [b'data: {"error": {}}\n\n', b'data: {"error": {"code": 1}}\n\n'])
    def test_sees_an_error_inside(self, tail):
        found = CHAT.read_stream(sse(delta("4")) + tail)

        assert found.error in {"provider_reported_error", "incomplete_stream"}

    def test_sees_an_error_event(self):
        assert (
            CHAT.read_stream(b'event: error\ndata: {"message": "no"}\n\n').error == "provider_reported_error"
        )

    def test_ignores_what_follows_done(self):
        body = sse(delta("4", "stop")) + b"data: [DONE]\n\n" + sse(delta("wrong"))

        assert CHAT.read_stream(body).text == "4"

    def test_survives_odd_shapes(self):
        assert CHAT.read_stream(b'data: {"choices": [{"delta": "x"}]}\n\n').error == "incomplete_stream"

    def test_is_chosen_by_content_type(self):
        body = sse(delta("4", "stop"))

        assert CHAT.read(body, "text/event-stream; charset=utf-8").text == "4"
        assert CHAT.read(body, "application/json").error == "invalid_response"


class TestPathOf:
    @pytest.mark.parametrize(
        ("url", "protocol", "path"),
        [
            ("https://x.example", "chat", "/v1/chat/completions"),
            ("https://x.example/openai/v1", "chat", "/openai/v1/chat/completions"),
            ("https://x.example/v1/chat/completions", "chat", "/v1/chat/completions"),
            ("https://x.example/custom/messages", "messages", "/custom/messages"),
            ("https://x.example", "rerank_tei", "/rerank"),
            ("https://x.example/v2", "rerank", "/v2/rerank"),
        ],
    )
    def test_uses_a_full_endpoint_as_it_is(self, url, protocol, path):
        assert protocols.path_of(parse_endpoint_url(url), protocols.get(protocol)) == path

    @pytest.mark.parametrize("protocol", ["completions", "messages", "embeddings"])
    def test_refuses_the_endpoint_of_another_protocol(self, protocol):
        url = parse_endpoint_url("https://x.example/v1/chat/completions")

        with pytest.raises(EgressRefused) as refused:
            protocols.path_of(url, protocols.get(protocol))
        assert refused.value.code == "protocol_mismatch"

    def test_finds_other_resources_beside_a_full_endpoint(self):
        url = parse_endpoint_url("https://x.example/v1/chat/completions")

        assert protocols.path_of(url, CHAT, "models") == "/v1/models"
