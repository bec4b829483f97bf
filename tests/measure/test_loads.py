"""What follows from a load profile before anything is sent."""

import pytest

from llm_benchmark.measure.configuration import fixed_settings, wall_seconds
from llm_benchmark.measure.contents import content_hash
from llm_benchmark.measure.fingerprint import chosen
from llm_benchmark.measure.loads import RATIO_METRICS, input_tokens_of
from llm_benchmark.measure.metrics import performance_metrics
from llm_benchmark.measure.verdict.performance import (
    Session,
    default_rule,
    has_ratio,
    judge_sessions,
    performance_policy,
)

CHAT = {
    "input_tokens": 64,
    "output_tokens": 64,
    "requests": 20,
    "warmup_requests": 2,
    "concurrency": 1,
    "streaming": True,
}
SWEEP = {name: value for name, value in CHAT.items() if name != "concurrency"} | {"concurrencies": [1, 2]}
CASE = {
    "key": "q1",
    "prompt": "2 + 3 = ?",
    "reference": "5",
    "scorer": "numeric_v1",
    "scorer_config": {},
    "choices": {},
    "weight": 1.0,
    "tags": [],
}


def hashed(load_profile=None, *cases):
    words = {"system_prompt": "", "prompt_template": "{prompt}", "generation": None, "metrics": []}
    return content_hash(kind="quality", **words, load_profile=load_profile, cases=cases)


def fixed(load_profile):
    return fixed_settings("performance", generation=None, load_profile=load_profile, system_prompt="")


class TestContentHash:
    @pytest.mark.parametrize(
        "left_open",
        [
            {"protocol": None},
            {"concurrencies": []},
            {"slo": None},
            {"slo": {"ttft_ms": None}},
            {"documents": None},
        ],
    )
    def test_is_the_same_whether_a_later_field_of_a_load_is_left_open_or_absent(self, left_open):
        assert hashed({**CHAT, **left_open}) == hashed(CHAT)

    @pytest.mark.parametrize(
        "said",
        [{"protocol": "rerank"}, {"concurrencies": [1, 2]}, {"slo": {"ttft_ms": 9}}, {"streaming": False}],
    )
    def test_covers_what_a_later_field_says(self, said):
        assert hashed({**CHAT, **said}) != hashed(CHAT)

    def test_covers_a_cases_group_where_it_has_one(self):
        assert hashed(None, {**CASE, "group": None}) == hashed(None, CASE)
        assert (
            hashed(None, {**CASE, "group": "a"}) != hashed(None, {**CASE, "group": "b"}) != hashed(None, CASE)
        )


class TestASweep:
    def test_leaves_no_concurrency_to_choose(self):
        assert fixed(SWEEP)["concurrency"] == [1, 2]
        assert chosen({"concurrency": 8}, fixed=fixed(SWEEP), kind="performance") == {}

    def test_may_last_as_long_as_its_levels_together(self):
        long = {**SWEEP, "requests": 58}

        assert wall_seconds({**CHAT, "requests": 58}) == 1800.0
        assert wall_seconds(long) == 1800.0 + 900.0
        assert wall_seconds(SWEEP) == 660.0 + 600.0


class TestInputTokens:
    @pytest.mark.parametrize(
        ("more", "count"),
        [({}, 64), ({"batch_size": 8}, 512), ({"documents": 10}, 704), ({"documents": None}, 64)],
    )
    def test_count_every_text_of_a_request(self, more, count):
        assert input_tokens_of({**CHAT, **more}) == count


class TestJudging:
    @pytest.mark.parametrize(
        ("name", "tolerance"),
        [
            ("goodput", 0.10),
            ("input_tokens_per_second", 0.10),
            ("peak_output_tokens_per_second", 0.10),
            ("knee_ttft_p50", 0.15),
        ],
    )
    def test_knows_a_tolerance_for_each_rate_and_time(self, name, tolerance):
        assert default_rule(name).tolerance == tolerance

    @pytest.mark.parametrize("name", ["knee_concurrency", "good_request_fraction", "error_rate"])
    def test_leaves_out_what_no_ratio_describes(self, name):
        assert not has_ratio(name)

    def test_says_of_a_metric_that_was_not_measured_that_it_has_no_value(self):
        absent = next(name for name in RATIO_METRICS if name not in performance_metrics([]))

        [found] = judge_sessions(performance_policy([absent]), {absent: 10.0}, [Session(())])

        assert [reason.code for reason in found.reasons] == ["no_value"]
