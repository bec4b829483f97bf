"""What a verification of a load may cost."""

import pytest

from benchmarks.demo.metrics import INPUT_METRICS, SWEEP_METRICS
from submissions.bounds import bound_of
from tests.factories.benchmarks import BenchmarkFactory, published_version

pytestmark = pytest.mark.django_db
CANARY, SPREAD = 1, 2
CHAT = {"input_tokens": 64, "output_tokens": 32, "requests": 10, "warmup_requests": 2}
EMBEDDINGS = {"protocol": "embeddings", "input_tokens": 64, "requests": 10, "batch_size": 8}
RERANK = {"protocol": "rerank", "input_tokens": 64, "requests": 10, "documents": 9}


def bound(load_profile, **content):
    version = published_version(BenchmarkFactory(kind="performance"), load_profile=load_profile, **content)
    return bound_of(version, {}, version.policy).session


class TestLoads:
    def test_of_a_sweep_are_the_sum_over_its_levels(self):
        one = bound(CHAT)
        sweep = bound({**CHAT, "concurrencies": [1, 2, 4]}, metrics=SWEEP_METRICS)

        assert (one.planned, one.requests) == (10, 12 + CANARY)
        assert (sweep.planned, sweep.requests, sweep.tokens) == (30, 3 * one.requests, 3 * one.tokens)

    @pytest.mark.parametrize(
        ("load_profile", "one_more"), [(EMBEDDINGS, {"batch_size": 9}), (RERANK, {"documents": 10})]
    )
    def test_count_every_text_of_a_request(self, load_profile, one_more):
        few = bound(load_profile, metrics=INPUT_METRICS)
        more = bound({**load_profile, **one_more}, metrics=INPUT_METRICS)

        assert more.tokens - few.tokens == few.requests * SPREAD * load_profile["input_tokens"]
