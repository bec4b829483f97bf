import json
import os
import shutil
import sys
import threading
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from llm_benchmark.measure import protocols
from llm_benchmark.measure.gateway import JournalEntry, read_bodies, read_journal
from llm_benchmark.measure.gateway.journal import measure_stream
from llm_benchmark.measure.performance import exports
from llm_benchmark.measure.performance.acceptance import NotAccepted, accept
from llm_benchmark.measure.performance.aiperf import (
    Aiperf,
    AiperfJob,
    AiperfMissing,
    BadModelName,
    command,
    environment,
    find_aiperf,
    pacing,
)
from llm_benchmark.measure.performance.canary import PROMPT, expected_latency_seconds
from llm_benchmark.measure.performance.exports import export_files, hash_files, read_exports
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.performance.side_by_side import gaps_above
from llm_benchmark.measure.plans import (
    Dialect,
    EgressRules,
    PerformancePlan,
    QualityPlan,
    Question,
    Side,
    Target,
    Usage,
)
from llm_benchmark.measure.probing import Capability, Known, check
from llm_benchmark.measure.quality import run_quality
from llm_benchmark.measure.tokenizer import count_tokens

from .ledger import MemorySink
from .upstream import KEY, Upstream

# At concurrency 1 a busy machine makes a session invalid, which is right and not what most tests are about.
PLAN = PerformancePlan(input_tokens=64, output_tokens=24, requests=6, seed=11, concurrency=2)
ALONE = replace(PLAN, concurrency=1)
TARGET = Target("http://127.0.0.1:9/v1", "m")
VLLM = Dialect("vllm", "max_tokens", {"ignore_eos": True})
CALIBRATION = {"added_ttft_p50_ms": 0.3, "chunks_per_second": 50_000.0}


def job(folder, **changes):
    fields = {
        "plan": PLAN,
        "target": TARGET,
        "url": "http://127.0.0.1:9",
        "path": "/v1/chat/completions",
        "key": "throw-away",
        "directory": folder,
        "tokenizer_cache": folder / "tokenizer",
    }
    return AiperfJob(**{**fields, **changes})


class TestPacing:
    @pytest.mark.parametrize(
        ("concurrency", "asked", "latency", "rate"),
        [
            (1, None, None, 500),
            (1, None, 0.4, 500),
            (32, None, 0.4, 800),
            (64, None, 0.1, 1000),
            (1, None, 3.0, 150),
            (64, None, 3.0, 640 / 3),
            (1, 200.0, None, 200),
            (1, 5000.0, None, 1000),
        ],
    )
    def test_stays_between_what_the_slots_need_and_a_burst(self, concurrency, asked, latency, rate):
        plan = replace(PLAN, concurrency=concurrency, request_rate=asked)

        assert pacing(plan, latency) == pytest.approx(rate)


class TestCommand:
    def test_gives_a_submitters_values_as_flags_only(self, tmp_path):
        model = "{{7*7}}${HOME} --config=x"

        arguments = command(job(tmp_path, target=replace(TARGET, model=model)), Path("/bin/aiperf"))

        assert f"--model={model}" in arguments
        assert "--num-dataset-entries=8" in arguments
        assert not [argument for argument in arguments if "throw-away" in argument]

    def test_speaks_the_endpoints_dialect(self, tmp_path):
        dialect = Dialect("vllm", "max_tokens", {"ignore_eos": True, "nested": {"a": [1]}})

        arguments = command(job(tmp_path, target=replace(TARGET, dialect=dialect)), Path("/bin/aiperf"))

        assert "--use-legacy-max-tokens" in arguments
        assert '--extra-inputs={"temperature": 0, "ignore_eos": true, "nested": {"a": [1]}}' in arguments

    @pytest.mark.parametrize(
        ("protocol", "expected", "absent"),
        [
            ("messages", ["--isl=64", "--osl=24", '--extra-inputs={"temperature": 0}'], "max_tokens"),
            ("responses", ["--endpoint-type=responses", "--custom-endpoint=/v1/responses"], "legacy"),
            ("embeddings", ["--isl=64", "--prompt-batch-size=3"], "osl"),
            ("rerank", ["--rankings-passages-mean=5", "--endpoint-type=cohere_rankings"], "isl"),
        ],
    )
    def test_asks_by_protocol(self, tmp_path, protocol, expected, absent):
        plan = replace(PLAN, streaming=False, batch_size=3, documents=5)
        target = replace(
            TARGET, protocol=protocol, dialect=Dialect("vllm", "max_tokens", {"ignore_eos": True})
        )
        path = f"/v1/{protocols.get(protocol).path}"

        arguments = command(job(tmp_path, plan=plan, target=target, path=path), Path("/bin/aiperf"))

        assert set(expected) <= set(arguments)
        assert not [argument for argument in arguments if absent in argument or "ignore_eos" in argument]

    def test_tells_aiperf_the_goals(self, tmp_path):
        plan = replace(PLAN, slo={"ttft_ms": 200.0, "request_latency_ms": 1500})

        arguments = command(job(tmp_path, plan=plan), Path("/bin/aiperf"))

        assert "--goodput=time_to_first_token:200.0 request_latency:1500" in arguments

    @pytest.mark.parametrize("model", ["a,b", "", " ", "a\nb", "a\x00"])
    def test_refuses_a_model_name_that_would_be_read_otherwise(self, tmp_path, model):
        with pytest.raises(BadModelName):
            command(job(tmp_path, target=replace(TARGET, model=model)), Path("/bin/aiperf"))


class TestEnvironment:
    def test_inherits_nothing_but_the_search_path(self, tmp_path, monkeypatch):
        monkeypatch.setenv("DATABASE_URL", "postgres://secret")
        monkeypatch.setenv("HTTP_PROXY", "http://proxy")

        variables = environment(job(tmp_path), tmp_path)

        assert not {"DATABASE_URL", "HTTP_PROXY"} & variables.keys()
        assert variables["TZ"] == "UTC"
        assert variables["PATH"] == os.environ["PATH"]


class TestExpectedLatency:
    def test_goes_on_at_the_canarys_pace(self):
        entry = JournalEntry(
            1, "canary", "canary", "ok", 0, first_content_after_ns=100_000_000,
            last_content_after_ns=240_000_000, usage=Usage(9, 8),
        )  # fmt: skip

        assert expected_latency_seconds(entry, replace(PLAN, output_tokens=101)) == pytest.approx(2.1)

    def test_is_the_canarys_own_without_a_stream(self):
        entry = JournalEntry(1, "canary", "canary", "ok", 0, end_after_ns=3_000_000_000)

        assert expected_latency_seconds(entry, PLAN) == 3.0


class TestFindAiperf:
    def test_finds_the_one_beside_this_python(self):
        assert find_aiperf() == Path(sys.executable).parent / "aiperf"

    def test_says_when_it_is_missing(self, tmp_path):
        with pytest.raises(AiperfMissing):
            find_aiperf(tmp_path / "aiperf")


@pytest.mark.sockets
class TestAiperfProcess:
    def test_ends_its_whole_group(self, tmp_path):
        program = tmp_path / "aiperf"
        program.write_text("#!/bin/sh\ntrap '' INT\nsleep 60 &\necho $! > child\nwait\nsleep 60\n")
        program.chmod(0o755)
        process = Aiperf.start(job(tmp_path / "job"), program)
        child = tmp_path / "job" / "child"
        while not (child.exists() and child.read_text().strip()):
            assert process.wait(0.02) is None

        process.stop(grace_seconds=0.1)

        assert process.exit_code == -9
        deadline = time.monotonic() + 10
        while is_running(child.read_text().strip()):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Session:
    """One real AIPerf session, kept on disk, to be judged again after something was changed in a copy."""

    def __init__(self, workdir, cache):
        self.artifacts = workdir / "aiperf" / "artifacts"
        self.journal = read_journal(workdir / "gateway" / "journal.jsonl")
        self.bodies = workdir / "gateway" / "bodies.jsonl.gz"
        self.cache = cache

    def copy(self, folder):
        twin = object.__new__(Session)
        twin.artifacts, twin.journal, twin.cache = folder / "artifacts", list(self.journal), self.cache
        shutil.copytree(self.artifacts, twin.artifacts)
        return twin

    def accept(self, plan=PLAN, calibration=CALIBRATION, exit_code=0, api_key=KEY):
        return accept(
            exit_code=exit_code,
            artifacts=self.artifacts,
            plan=plan,
            protocol=protocols.get("chat"),
            journal=self.journal,
            calibration=calibration,
            tokenizer_cache=self.cache,
            api_key=api_key,
        )

    def change(self, name, change):
        path = self.artifacts / name
        if name.endswith(".jsonl"):
            rows = change([json.loads(line) for line in path.read_text().splitlines()])
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            path.write_text(json.dumps(change(json.loads(path.read_text()))))

    def change_journal(self, **fields):
        self.journal = [entry if entry.number == 1 else replace(entry, **fields) for entry in self.journal]


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    workdir, cache = tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("tokenizer")
    with Upstream() as upstream:
        target = Target(upstream.url("ok"), "m", api_key=KEY, egress=EgressRules(allow=upstream.allow))
        outcome = run_performance(
            PLAN, target, MemorySink(), threading.Event(), workdir=workdir, tokenizer_cache=cache
        )
    return Session(workdir, cache), outcome, upstream


@pytest.fixture
def session(real, tmp_path):
    return real[0].copy(tmp_path)


def refusal(session, **options):
    with pytest.raises(NotAccepted) as refused:
        session.accept(**options)
    return refused.value.failure


class TestGapsAbove:
    @pytest.mark.parametrize(
        ("ttft", "latency", "found"),
        [
            ((103.0, 100.0), (503.0, 500.0), {}),
            ((103.5, 100.0), (503.5, 500.0), {"ttft": 3.5}),
            ((100.0, 103.5), (500.0, 505.5), {"ttft": 3.5, "latency": 5.5}),
            ((1009.0, 1000.0), (9000.0, 9080.0), {}),
            ((1011.0, 1000.0), (9000.0, 9100.0), {"ttft": 11.0, "latency": 100.0}),
            ((None, None), (60.0, 50.0), {"latency": 10.0}),
        ],
    )
    def test_are_more_than_the_slack_and_more_than_the_share(self, ttft, latency, found):
        sides = ("aiperf", "gateway")
        times = {f"ttft_p50_{side}": value for side, value in zip(sides, ttft, strict=True)}
        times |= {f"latency_p50_{side}": value for side, value in zip(sides, latency, strict=True)}

        assert gaps_above(times, slack_ms=3.4, share=0.01) == found


class TestReadExports:
    def test_holds_one_answer_at_a_time(self, tmp_path, monkeypatch):
        monkeypatch.setattr(exports, "count_tokens", lambda text, cache: len(text))
        events = [{"perf_ns": 1, "packets": [{"name": "data", "value": "x" * 1000}]}] * 100
        lines = {
            "profile_export_raw.jsonl": [_row(number, events) for number in range(100)],
            "profile_export.jsonl": [_row(number, []) for number in range(100)],
        }
        for name, values in lines.items():
            (tmp_path / name).write_text("".join(json.dumps(value) + "\n" for value in values))
        inputs = {"data": [{"session_id": "c", "payloads": [{"messages": [{"content": "hello"}]}]}]}
        (tmp_path / "inputs.json").write_text(json.dumps(inputs))
        (tmp_path / "profile_export_aiperf.json").write_text("{}")

        tracemalloc.start()
        found = read_exports(
            tmp_path, protocol=protocols.get("chat"), streaming=True, tokenizer_cache=tmp_path
        )
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert len(found.raw) == 100
        assert peak < 5_000_000  # of 10 MB


def _row(number, events):
    metadata = {"x_request_id": f"r-{number}", "conversation_id": "c", "benchmark_phase": "profiling"}
    return {
        "metadata": {**metadata, "request_start_ns": 0},
        "start_perf_ns": 0,
        "status": 200,
        "responses": events,
    }


@pytest.mark.sockets
class TestAccept:
    def test_takes_an_honest_session(self, session):
        accepted = session.accept()

        assert len(accepted.records) == 6
        assert {record.output_tokens for record in accepted.records} == {24}
        assert {record.input_tokens for record in accepted.records} == {64}
        assert {record.usage for record in accepted.records} == {Usage(64, 24, None)}
        assert accepted.flags <= {"saturated"}

    def test_hashes_what_it_will_read(self, session):
        files = export_files(session.artifacts)

        before = hash_files(files)
        session.change("profile_export_aiperf.json", lambda summary: {**summary, "x": 1})

        assert len(before) == 5
        assert [name for name, digest in hash_files(files).items() if digest != before[name]] == [
            "aiperf/profile_export_aiperf.json"
        ]

    @pytest.mark.parametrize(
        ("metric", "statistic"),
        [
            ("time_to_first_token", "p50"),
            ("request_latency", "avg"),
            ("request_latency", "p99"),
            ("inter_token_latency", "std"),
            ("output_sequence_length", "max"),
            ("output_token_throughput", "avg"),
            ("total_osl", "avg"),
        ],
    )
    def test_refuses_a_statistic_that_was_altered(self, session, metric, statistic):
        def alter(summary):
            summary[metric][statistic] *= 1.0001  # rates are known to the microsecond of a short session
            return summary

        session.change("profile_export_aiperf.json", alter)

        failure = refusal(session)
        assert (failure.side, failure.code) == (Side.PLATFORM, "export_disagrees")

    def test_refuses_answers_that_say_the_key_in_pieces(self, session):
        failure = refusal(session, api_key="word word word")

        assert (failure.side, failure.code) == (Side.PROVIDER, "credential_echoed")

    def test_refuses_a_session_in_which_one_answer_said_the_key(self, session):
        session.journal[-1] = replace(session.journal[-1], outcome="credential_echoed")

        assert refusal(session).code == "credential_echoed"

    def test_refuses_times_altered_in_every_export(self, session):
        def faster(rows):
            for row in rows:
                row["start_perf_ns"] += 5_000_000
            return rows

        session.change("profile_export_raw.jsonl", faster)

        assert refusal(session).code == "export_disagrees"

    def test_refuses_a_session_without_its_slowest_request(self, session):
        session.change("profile_export_raw.jsonl", lambda rows: rows[:-1])

        assert refusal(session).code == "aiperf_incomplete"

    @pytest.mark.parametrize(
        ("field", "value"), [("was_cancelled", True), ("is_complete", False), ("is_complete", None)]
    )
    def test_refuses_an_unfinished_session(self, session, field, value):
        session.change("profile_export_aiperf.json", lambda summary: {**summary, field: value})

        assert refusal(session).code == "aiperf_incomplete"

    def test_refuses_answers_without_a_finish_reason(self, session):
        def cut(rows):
            for row in rows:
                row["responses"] = [r for r in row["responses"] if '"length"' not in r["packets"][0]["value"]]
            return rows

        session.change("profile_export_raw.jsonl", cut)

        assert refusal(session).code == "finish_reason_missing"

    @pytest.mark.parametrize(
        "name", ["profile_export_aiperf.json", "profile_export_raw.jsonl", "inputs.json"]
    )
    @pytest.mark.parametrize("content", [None, b"", b"{", b"[1]", b'{"data": 3}'])
    def test_refuses_a_broken_export(self, session, name, content):
        path = session.artifacts / name
        path.unlink()
        if content is not None:
            path.write_bytes(content)

        assert refusal(session).side is Side.PLATFORM

    def test_refuses_answers_of_another_model_than_the_canarys(self, session):
        session.change_journal(returned_model="another")

        found = refusal(session)
        assert (found.side, found.code) == (Side.PROVIDER, "model_changed")
        assert "another" in found.message

    @pytest.mark.parametrize(
        "fields",
        [{"outcome": "incomplete_stream"}, {"status": 500}, {"event_count": 5}, {"request_id": "other"}],
    )
    def test_refuses_what_the_gateway_did_not_see(self, session, fields):
        session.change_journal(**fields)

        failure = refusal(session)
        assert (failure.side, failure.code) == (Side.PLATFORM, "journal_disagrees")

    def test_refuses_times_that_the_gateway_does_not_bear_out(self, session):
        session.change_journal(first_content_after_ns=1_000_000)

        assert refusal(session, plan=ALONE).code == "times_disagree"

    def test_flags_times_apart_when_requests_overlap(self, session):
        session.change_journal(first_content_after_ns=1_000_000)

        assert "saturated" in session.accept().flags

    def test_flags_a_gateway_at_its_limit(self, session):
        assert "saturated" in session.accept(calibration={**CALIBRATION, "chunks_per_second": 1.0}).flags

    @pytest.mark.parametrize(
        ("usage", "flags"),
        [
            (Usage(64, 25), set()),
            (Usage(64, 240), {"not_comparable", "burst"}),
            (Usage(64, 12), {"not_comparable"}),
            (Usage(64, 24, 32), {"cached_outside_warmup"}),
            (Usage(), {"usage_missing"}),
        ],
    )
    def test_judges_lengths_by_the_providers_count(self, session, usage, flags):
        session.change_journal(usage=usage)

        assert session.accept().flags - {"saturated"} == flags

    def test_judges_lengths_by_our_own_count_without_usage(self, session):
        session.change_journal(usage=Usage())

        assert "not_comparable" in session.accept(replace(PLAN, output_tokens=32)).flags
        assert "not_comparable" not in session.accept(replace(PLAN, output_tokens=28)).flags

    def test_refuses_prompts_of_another_length_than_planned(self, session):
        failure = refusal(session, plan=replace(PLAN, input_tokens=80))

        assert (failure.side, failure.code) == (Side.PLATFORM, "input_length")

    @pytest.mark.parametrize(
        ("fields", "side", "code"),
        [
            ({}, Side.PLATFORM, "aiperf_failed"),
            ({"outcome": "http_error", "status": 401}, Side.SUBMITTER, "authentication_failed"),
            ({"outcome": "http_error", "status": 503}, Side.PROVIDER, "overloaded"),
            ({"outcome": "incomplete_stream"}, Side.PROVIDER, "incomplete_stream"),
            ({"first_content_after_ns": None}, Side.MODEL, "empty_response"),
            ({"outcome": "something new"}, Side.PLATFORM, "something new"),
        ],
    )
    def test_lets_the_journal_say_why_aiperf_failed(self, session, fields, side, code):
        session.change_journal(**fields)

        failure = refusal(session, exit_code=1)
        assert (failure.side, failure.code) == (side, code)


@pytest.mark.sockets
class TestRealSession:
    def test_is_measured_from_end_to_end(self, real):
        _, outcome, upstream = real

        assert outcome.failure is None
        assert outcome.metrics["ttft_p50"] > 20
        assert outcome.metrics["error_rate"] == 0
        assert outcome.returned_model == "m"
        assert len(upstream.requests) == 9

    def test_sends_nothing_before_the_canary_is_back(self, real):
        first, *load = real[2].requests

        assert first.body["messages"][0]["content"] == PROMPT
        assert PROMPT not in {received.body["messages"][0]["content"] for received in load}

    def test_can_be_measured_again_from_the_raw_streams_alone(self, real):
        session, outcome, _ = real
        entries = {entry.number: entry for entry in session.journal}
        bodies = {number: body for number, _, body in read_bodies(session.bodies)}
        chat = protocols.get("chat")

        again = {n: measure_stream(chat, body, entries[n].arrivals) for n, body in bodies.items()}

        assert bodies.keys() == entries.keys()
        for number, found in again.items():
            assert found == {name: getattr(entries[number], name) for name in found}
        loads = [n for n, entry in entries.items() if entry.purpose == "request"][PLAN.warmup_requests :]
        texts = [chat.read_stream(bodies[n]).text for n in loads]
        assert {count_tokens(text, cache=session.cache) for text in texts} == {
            record.output_tokens for record in outcome.records
        }
        ttfts = [again[n]["first_content_after_ns"] / 1e6 for n in loads]
        assert outcome.findings["times"]["ttft_p50_gateway"] == pytest.approx(median(ttfts))
        latencies = [again[n]["last_content_after_ns"] / 1e6 for n in loads]
        assert outcome.findings["times"]["latency_p50_gateway"] == pytest.approx(median(latencies))

    def test_says_what_aiperf_and_the_gateway_and_the_provider_count(self, real):
        usage = real[1].findings["usage"]

        assert usage == {
            "input_difference": 0.0,
            "output_difference": 0.0,
            "cached_tokens": None,
            "cached_requests": 0,
        }

    def test_asks_each_prompt_once(self, real):
        prompts = [received.body["messages"][0]["content"] for received in real[2].requests]

        assert len(set(prompts)) == 9

    def test_leaves_files_that_match_their_digests_and_hold_no_key(self, real):
        outcome = real[1]

        assert hash_files(outcome.files) == outcome.digests
        assert not [name for name, path in outcome.files.items() if b"sk-1" in path.read_bytes()]


@pytest.mark.sockets
class TestHeads:
    def test_of_questions_probes_canary_and_load_are_the_same_to_the_provider(self, real):
        with Upstream() as upstream:
            target = Target(upstream.url("ok"), "m", api_key=KEY, egress=EgressRules(allow=upstream.allow))
            questions = [Question("q", "What?", "word", "exact_match")]
            run_quality(QualityPlan(questions), target, MemorySink(), threading.Event())
            run_quality(QualityPlan(questions, streaming=True), target, MemorySink(), threading.Event())
            check(target, Known(Capability.CHAT_TEXT, "manual", 1.0), MemorySink(), threading.Event())

        heads = {shape(received.head) for received in [*upstream.requests, *real[2].requests]}

        assert heads == {
            (
                b"POST /ok/v1/chat/completions HTTP/1.1",
                b"host",
                b"user-agent: http-client/1.0",
                b"accept: application/json",
                b"accept-encoding: identity",
                b"authorization: Bearer sk-secret/12345",
                b"content-type: application/json",
                b"content-length",
            )
        }


def shape(head):
    """The lines of a head, without what differs from server to server and from body to body."""
    lines = head.strip().split(b"\r\n")
    varying = (b"host: ", b"content-length: ")
    return tuple(line.split(b":")[0] if line.startswith(varying) else line for line in lines)
