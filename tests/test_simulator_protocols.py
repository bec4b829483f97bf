"""Every protocol that the simulator speaks, read by the engine: neither shares a line with the other."""

import gzip
import json
import urllib.error
import urllib.request

import pytest

from llm_benchmark.measure import protocols
from llm_benchmark.measure.plans import Generation, Target
from llm_benchmark.simulator import FAILURES, Behaviour, Simulator, SimulatorConfig
from llm_benchmark.simulator.config import KINDS
from llm_benchmark.simulator.hostile import BOMB_MEMBERS, MIB
from llm_benchmark.simulator.spoken import BY_PATH
from llm_benchmark.simulator.talk import script_of

KEY = "sk-simulated"
PATHS = {speech.name: path for path, speech in BY_PATH.items()}
GENERATING = sorted(protocols.GENERATING)
MODELS = {
    "sim": Behaviour(answers={"6 * 7?": "The answer is 42."}),
    "thinker": Behaviour(reasoning_tokens=5),
    "strict": Behaviour(strict=True, extra_fields=()),
    "embed": Behaviour(kind="embedding"),
    "asymmetric": Behaviour(kind="embedding", asymmetric=True, strict=True, extra_fields=("input_type",)),
    "rank": Behaviour(kind="rerank"),
    "tei": Behaviour(kind="rerank_tei"),
    "second-chance": Behaviour(failure="503", fail_first=2),
}


@pytest.fixture(scope="module")
def simulator():
    with Simulator(SimulatorConfig(MODELS, api_key=KEY)) as started:
        yield started


@pytest.fixture
def ask(simulator):
    """The status, and the answer as the engine reads it or the error's text."""

    def send(protocol, model, *, prompt="Hello?", stream=False, headers=None, max_tokens=8, **fields):
        spoken = protocols.get(protocol)
        target = Target(simulator.base_url, model)
        fields = {**spoken.generation_fields(target, Generation(max_tokens=max_tokens)), **fields}
        fields |= spoken.stream_fields() if stream else {}
        request = urllib.request.Request(
            f"http://{simulator.host_and_port}{PATHS[protocol]}",
            spoken.body(fields, prompt=prompt),
            dict(spoken.headers(KEY)) if headers is None else headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status, spoken.read(response.read(), response.headers["content-type"])
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.status, json.load(refused)["error"]["message"]

    return send


@pytest.mark.sockets
class TestProtocols:
    @pytest.mark.parametrize("protocol", GENERATING)
    @pytest.mark.parametrize("stream", [False, True])
    def test_answer_with_text_and_usage(self, ask, protocol, stream):
        status, said = ask(protocol, "sim", prompt="6 * 7?", stream=stream)

        assert (status, said.error) == (200, None)
        assert (said.text, said.finish_reason, said.model) == ("The answer is 42.", "stop", "sim")
        assert (said.usage.input_tokens, said.usage.output_tokens) == (1, 4)

    @pytest.mark.parametrize("protocol", sorted(set(GENERATING) - {"completions"}))
    @pytest.mark.parametrize("stream", [False, True])
    def test_think_before_they_answer(self, ask, protocol, stream):
        _, said = ask(protocol, "thinker", stream=stream)

        assert (len(said.reasoning.split()), len(said.text.split())) == (5, 3)
        assert (said.finish_reason, said.usage.output_tokens) == ("length", 8)

    @pytest.mark.parametrize("protocol", sorted(set(GENERATING) - {"completions"}))
    @pytest.mark.parametrize("stream", [False, True])
    def test_think_alone_where_the_limit_leaves_nothing_else(self, ask, protocol, stream):
        _, said = ask(protocol, "thinker", stream=stream, max_tokens=4)

        assert (said.error, said.text, len(said.reasoning.split())) == ("output_truncated", None, 4)

    def test_tell_how_many_tokens_were_thought(self):
        chat = BY_PATH["/v1/chat/completions"]
        asked = chat.read({"model": "m", "messages": [{"content": "x"}], "max_tokens": 8})
        (_, response), *_ = script_of(asked, chat, Behaviour(reasoning_tokens=5), number=1, key="").steps

        assert b'"completion_tokens_details":{"reasoning_tokens":5}' in response

    @pytest.mark.parametrize("protocol", GENERATING)
    def test_know_their_own_fields_where_they_are_strict(self, ask, protocol):
        assert ask(protocol, "strict")[0] == 200
        assert ask(protocol, "strict", ignore_eos=True)[0] == 400

    @pytest.mark.parametrize(
        ("protocol", "model", "count"),
        [("embeddings", "embed", 1), ("rerank", "rank", 2), ("rerank_tei", "tei", 2)],
    )
    def test_answer_with_vectors(self, ask, protocol, model, count):
        status, said = ask(protocol, model)

        assert (status, said.error, said.vectors) == (200, None, count)

    def test_want_an_input_type_where_the_model_is_asymmetric(self, ask):
        status, message = ask("embeddings", "asymmetric")

        assert status == 400
        assert "input_type" in message
        assert "required" in message
        assert ask("embeddings", "asymmetric", input_type="query")[0] == 200

    @pytest.mark.parametrize(
        ("protocol", "model", "word"),
        [
            ("chat", "embed", "embedding model"),
            ("chat", "rank", "reranker"),
            ("completions", "tei", "reranker"),
            ("embeddings", "sim", "chat model"),
            ("rerank", "embed", "embedding model"),
        ],
    )
    def test_say_what_a_model_is_when_it_is_asked_for_something_else(self, ask, protocol, model, word):
        status, message = ask(protocol, model)

        assert status == 400
        assert word in message

    def test_know_no_other_path_for_rankings_in_the_shape_without_models(self, ask):
        assert ask("rerank", "tei")[0] == 404

    @pytest.mark.parametrize(
        ("protocol", "headers", "status"),
        [
            ("messages", {"x-api-key": KEY}, 400),
            ("messages", {"authorization": f"Bearer {KEY}", "anthropic-version": "2023-06-01"}, 401),
            ("chat", {"x-api-key": KEY}, 401),
            ("chat", {}, 401),
        ],
    )
    def test_want_the_key_and_the_version_in_their_own_headers(self, ask, protocol, headers, status):
        assert ask(protocol, "sim", headers=headers)[0] == status

    def test_fail_the_first_requests_only(self, ask):
        assert [ask("chat", "second-chance")[0] for _ in range(4)] == [503, 503, 200, 200]


class TestFailures:
    @pytest.mark.parametrize("path", BY_PATH)
    @pytest.mark.parametrize("failure", FAILURES)
    def test_have_a_script_in_every_protocol(self, path, failure):
        speech = BY_PATH[path]
        kind = next(kind for kind, served in KINDS.items() if speech.name in served)
        data = {"model": "m", "max_tokens": 8, "stream": True, "messages": [{"content": "x"}], "prompt": "x"}
        data |= {"input": "x", "query": "x", "documents": ["a", "b"], "texts": ["a", "b"]}

        script = script_of(
            speech.read(data), speech, Behaviour(kind=kind, failure=failure), number=1, key=KEY
        )
        first = next(iter(script.steps), None)

        assert (first is None) == (failure == "silent")

    def test_bomb_with_what_unpacks_to_ten_gibibytes(self):
        chat = BY_PATH["/v1/chat/completions"]
        asked = chat.read({"model": "m", "messages": [{"content": "x"}]})
        steps = script_of(asked, chat, Behaviour(failure="gzip_bomb"), number=1, key="").steps
        _, (_, member), *_ = steps
        packed = member.partition(b"\r\n")[2].removesuffix(b"\r\n")

        assert len(gzip.decompress(packed)) * BOMB_MEMBERS == 10 * 1024 * MIB
        assert len(packed) * BOMB_MEMBERS < 16 * MIB
