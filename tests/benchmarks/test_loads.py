"""What a load profile may say. Nothing here needs a database."""

import math

import pytest

from benchmarks.loads import problems, settled
from llm_benchmark.measure.loads import given, levels, metrics_of
from tests.factories.benchmarks import LOAD_PROFILE, latency, metric

CHAT = {"input_tokens": 64, "output_tokens": 64, "requests": 64}
SWEEP = {**CHAT, "concurrencies": [1, 2, 4]}
EMBEDDINGS = {"protocol": "embeddings", "input_tokens": 64, "requests": 20}
RERANK = {"protocol": "rerank", "input_tokens": 64, "requests": 20, "documents": 10}
GOALS = {"slo": {"ttft_ms": 200, "request_latency_ms": 2000.0}}


def refused(profile, *metrics):
    return {(error.field, error.code) for error in problems(settled(profile), metrics)}


def rate(name, **changes):
    return metric(name, kind="rate", maximum=None, **changes)


class TestSettled:
    def test_fills_in_what_follows(self):
        follows = {"warmup_requests": 2, "concurrency": 1, "streaming": True}

        assert settled(CHAT) == {**CHAT, **follows}

    def test_leaves_out_what_is_left_open_at_any_depth(self):
        slo = {"ttft_ms": 200.0, "itl_ms": None}
        open_fields = {"protocol": None, "concurrencies": [], "documents": None, "batch_size": None}

        found = settled({**LOAD_PROFILE, **open_fields, "slo": slo})

        assert found == {**LOAD_PROFILE, "slo": {"ttft_ms": 200.0}}
        assert settled({**LOAD_PROFILE, "slo": {"itl_ms": None}}) == LOAD_PROFILE

    def test_gives_a_sweep_no_concurrency_of_its_own(self):
        assert "concurrency" not in settled({**SWEEP, "concurrency": None})

    def test_neither_streams_nor_generates_without_text(self):
        embeddings, rerank = settled(EMBEDDINGS), settled(RERANK)

        assert (embeddings["output_tokens"], embeddings["streaming"], embeddings["batch_size"]) == (
            0,
            False,
            1,
        )
        assert (rerank["output_tokens"], rerank["streaming"], rerank["documents"]) == (0, False, 10)

    @pytest.mark.parametrize("profile", [CHAT, SWEEP, EMBEDDINGS, RERANK, {**CHAT, **GOALS}])
    def test_changes_nothing_the_second_time(self, profile):
        assert settled(settled(profile)) == settled(profile) == given(settled(profile))


class TestProblems:
    @pytest.mark.parametrize(
        "profile",
        [
            CHAT,
            SWEEP,
            EMBEDDINGS,
            RERANK,
            {**CHAT, **GOALS},
            {**SWEEP, **GOALS},
            {**CHAT, "concurrencies": [1, 2, 4, 8, 16, 32, 48, 64]},
            {**EMBEDDINGS, "batch_size": 256, "slo": {"request_latency_ms": 100}},
        ],
    )
    def test_takes_the_loads_that_the_platform_runs(self, profile):
        assert refused(profile) == set()

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"requests": 10_001}, ("requests", "out_of_range")),
            ({"warmup_requests": 1001}, ("warmup_requests", "out_of_range")),
            ({"output_tokens": 0}, ("output_tokens", "required")),
            ({"concurrency": 0}, ("concurrency", "out_of_range")),
            ({"concurrency": 65, "requests": 100}, ("concurrency", "out_of_range")),
            ({"concurrency": 9, "requests": 8}, ("concurrency", "out_of_range")),
            ({"concurrencies": [4]}, ("concurrencies", "out_of_range")),
            ({"concurrencies": list(range(1, 10))}, ("concurrencies", "out_of_range")),
            ({"concurrencies": [1, 65], "requests": 65}, ("concurrencies[1]", "out_of_range")),
            ({"concurrencies": [0, 1]}, ("concurrencies[0]", "out_of_range")),
            ({"concurrencies": [1, 4, 4]}, ("concurrencies[2]", "not_growing")),
            ({"concurrencies": [4, 2]}, ("concurrencies[1]", "not_growing")),
            ({"concurrencies": [1, 32], "requests": 20}, ("concurrencies", "out_of_range")),
            ({"concurrencies": [1, 2], "concurrency": 1}, ("concurrency", "beside_a_sweep")),
            ({"documents": 10}, ("documents", "not_for_this_protocol")),
            ({"batch_size": 2}, ("batch_size", "not_for_this_protocol")),
            ({"slo": {"ttft_ms": 0}}, ("slo.ttft_ms", "out_of_range")),
            ({"slo": {"itl_ms": 600_001}}, ("slo.itl_ms", "out_of_range")),
            ({"slo": {"itl_ms": math.nan}}, ("slo.itl_ms", "out_of_range")),
            ({"slo": {"ttft_ms": 9}, "streaming": False}, ("slo.ttft_ms", "needs_streaming")),
        ],
    )
    def test_names_what_is_wrong_with_a_chat(self, changes, problem):
        field, code = problem

        assert refused({**CHAT, **changes}) == {(f"load_profile.{field}", code)}

    @pytest.mark.parametrize("profile", [EMBEDDINGS, RERANK])
    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"output_tokens": 1}, ("output_tokens", "not_for_this_protocol")),
            ({"concurrencies": [1, 2]}, ("concurrencies", "not_for_this_protocol")),
            ({"slo": {"ttft_ms": 100}}, ("slo.ttft_ms", "needs_streaming")),
        ],
    )
    def test_refuses_what_only_text_has(self, profile, changes, problem):
        field, code = problem

        assert refused({**profile, **changes}) == {(f"load_profile.{field}", code)}

    @pytest.mark.parametrize("profile", [EMBEDDINGS, RERANK])
    def test_refuses_to_stream_what_is_no_text(self, profile):
        assert refused({**profile, "streaming": True}) == {
            ("load_profile.streaming", "not_for_this_protocol")
        }

    def test_wants_documents_to_rerank_and_none_to_embed(self):
        without = {name: value for name, value in RERANK.items() if name != "documents"}

        assert refused(without) == {("load_profile.documents", "required")}
        assert refused({**RERANK, "documents": 201}) == {("load_profile.documents", "out_of_range")}
        assert refused({**EMBEDDINGS, "batch_size": 257}) == {("load_profile.batch_size", "out_of_range")}
        assert refused({**EMBEDDINGS, "documents": 1}) == {
            ("load_profile.documents", "not_for_this_protocol")
        }
        assert refused({**RERANK, "batch_size": 2}) == {("load_profile.batch_size", "not_for_this_protocol")}


class TestMetrics:
    @pytest.mark.parametrize(
        ("profile", "declared", "code"),
        [
            (CHAT, rate("input_tokens_per_second"), "not_for_this_protocol"),
            (CHAT, rate("peak_output_tokens_per_second"), "needs_a_sweep"),
            (CHAT, rate("goodput"), "needs_goals"),
            ({**CHAT, "streaming": False}, latency("itl_p99"), "needs_streaming"),
            (SWEEP, latency(), "not_of_a_sweep"),
            ({**SWEEP, **GOALS}, rate("goodput"), "not_of_a_sweep"),
            ({**SWEEP, "streaming": False}, latency("knee_ttft_p50"), "needs_streaming"),
            (EMBEDDINGS, latency(), "not_for_this_protocol"),
            (EMBEDDINGS, rate("output_tokens_per_second"), "not_for_this_protocol"),
            (RERANK, latency("itl_p50"), "not_for_this_protocol"),
            (RERANK, rate("good_request_fraction"), "needs_goals"),
            (EMBEDDINGS, rate("knee_concurrency"), "needs_a_sweep"),
        ],
    )
    def test_are_refused_where_the_load_has_none(self, profile, declared, code):
        assert refused(profile, declared) == {("metrics[0].name", code)}

    @pytest.mark.parametrize(
        ("profile", "declared"),
        [
            (CHAT, latency()),
            ({**CHAT, **GOALS}, rate("goodput")),
            (SWEEP, rate("knee_concurrency")),
            (SWEEP, latency("knee_ttft_p50")),
            (EMBEDDINGS, rate("input_tokens_per_second")),
            (RERANK, latency("request_latency_p95")),
            (RERANK, latency("error_rate", kind="error_rate")),
            (CHAT, rate("an_authors_own")),
        ],
    )
    def test_are_taken_where_the_load_has_them_or_nobody_measures_them(self, profile, declared):
        assert refused(profile, declared) == set()

    def test_keep_their_direction(self):
        reversed_knee = latency("knee_ttft_p50", direction="higher_is_better")

        assert refused(SWEEP, reversed_knee) == {("metrics[0].direction", "contradicts_the_measurement")}

    def test_of_a_sweep_are_its_own(self):
        own = {"peak_output_tokens_per_second", "knee_concurrency", "knee_ttft_p50", "error_rate"}

        assert metrics_of(settled(SWEEP)) == own
        assert levels(settled(SWEEP)) == (1, 2, 4)
        assert levels(settled(CHAT)) == (1,)
