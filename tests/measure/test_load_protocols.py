"""Real AIPerf sessions by the protocols that are not chat, and a sweep with goals."""

import threading
from dataclasses import replace

import pytest

from llm_benchmark.measure.bundle import check, public_part
from llm_benchmark.measure.home import HomeSink
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.plans import EgressRules, PerformancePlan, Target
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

pytestmark = pytest.mark.sockets

KEY = "sk-secret/12345"
PLAN = PerformancePlan(input_tokens=32, output_tokens=16, requests=4, seed=3, concurrency=2)
VECTORS = replace(PLAN, output_tokens=0, streaming=False, slo={"request_latency_ms": 10_000.0})
GOALS = {"ttft_ms": 10_000.0, "request_latency_ms": 10_000.0, "itl_ms": 1e-6}
SESSIONS = {
    "messages": PLAN,
    "embeddings": replace(VECTORS, protocol="embeddings", batch_size=3),
    "rerank_tei": replace(VECTORS, protocol="rerank", documents=2),
    "responses": replace(PLAN, concurrencies=(2, 4), slo=GOALS),
}
MODELS = {
    "messages": Behaviour(ttft_ms=20, itl_ms=2, reasoning_tokens=4),
    "embeddings": Behaviour(ttft_ms=20, kind="embedding"),
    "rerank_tei": Behaviour(ttft_ms=20, kind="rerank_tei"),
    "responses": Behaviour(ttft_ms=20, itl_ms=2),
}


@pytest.fixture(scope="module")
def simulator():
    with Simulator(SimulatorConfig(MODELS, api_key=KEY)) as running:
        yield running


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("tokenizer")


@pytest.fixture(scope="module")
def measure(simulator, cache, tmp_path_factory):
    """(outcome, sink) of one session by a protocol."""

    def measure(protocol):
        root = f"http://{simulator.host_and_port}"
        target = Target(
            root if protocol == "rerank_tei" else f"{root}/v1",
            protocol,
            api_key=KEY,
            protocol=protocol,
            egress=EgressRules(allow=frozenset({simulator.host_and_port})),
        )
        folder = tmp_path_factory.mktemp(protocol)
        sink = HomeSink(folder / "home")
        outcome = run_performance(
            SESSIONS[protocol],
            target,
            sink,
            threading.Event(),
            workdir=folder / "run",
            tokenizer_cache=cache,
        )
        assert outcome.failure is None
        return outcome, sink

    return measure


@pytest.fixture(scope="module")
def swept(measure):
    return measure("responses")


class TestMessages:
    def test_are_measured_with_their_reasoning(self, measure):
        outcome, _ = measure("messages")

        assert {record.output_tokens for record in outcome.records} == {16}
        assert {record.usage.output_tokens for record in outcome.records} == {16}
        assert all(record.usage.input_tokens for record in outcome.records)
        assert outcome.metrics["ttft_p50"] > 0
        assert "not_comparable" not in outcome.flags


class TestEmbeddings:
    def test_have_latency_requests_and_input_tokens(self, measure):
        outcome, _ = measure("embeddings")

        assert {record.input_tokens for record in outcome.records} == {96}
        assert outcome.metrics["input_tokens_per_second"] == pytest.approx(
            96 * outcome.metrics["requests_per_second"]
        )
        assert outcome.metrics["request_latency_p50"] > 0
        assert outcome.metrics["ttft_p50"] is None
        assert outcome.metrics["good_request_fraction"] == 1
        assert not {"usage_missing", "not_comparable", "burst"} & outcome.flags


class TestRerank:
    def test_counts_the_query_and_its_documents(self, measure):
        outcome, _ = measure("rerank_tei")

        assert {record.input_tokens for record in outcome.records} == {96}
        assert outcome.metrics["goodput"] == outcome.metrics["requests_per_second"]


class TestSweep:
    def test_has_a_session_at_each_level(self, swept):
        outcome, sink = swept

        assert [level.concurrency for level in outcome.session.levels] == [2, 4]
        assert {attempt.state for attempt in sink.attempts.values()} == {"settled"}
        assert len(sink.attempts) == 2 * (1 + 2 + 4)
        assert outcome.metrics["peak_output_tokens_per_second"] > 0

    def test_agrees_with_aiperf_about_requests_that_keep_no_goal(self, swept):
        rows = swept[0].findings["sweep"]["levels"]

        assert [row["good_requests"] for row in rows] == [0, 0]

    def test_leaves_evidence_of_all_levels_that_checks_out(self, swept, tmp_path):
        outcome, sink = swept
        path, public = tmp_path / "run.zip", tmp_path / "public.zip"
        sha256 = sink.write_performance_bundle(
            path, plan=SESSIONS["responses"], outcome=outcome, configuration={}
        )

        report = check(path, sha256=sha256)
        assert (report.ok, report.problems) == (True, ())
        public_part(path, public)
        assert check(public).ok
        assert b"127.0.0.1" not in public.read_bytes()
        assert KEY.encode() not in path.read_bytes()
        for level in ("c002", "c004"):
            assert f"aiperf/{level}/profile_export_raw.jsonl" in outcome.files
            assert f"gateway/{level}/bodies.jsonl.gz" in outcome.files
