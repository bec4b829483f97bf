import pytest

from llm_benchmark.cli.benchmarks.loads import load_line
from llm_benchmark.models import LoadProfile


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"output_tokens": 32, "concurrency": 4}, "20 requests of 64 → 32 tokens, 4 at a time"),
        (
            {"output_tokens": 32, "concurrencies": [1, 2, 8]},
            "20 requests at each level of 64 → 32 tokens, 1, 2, 8 at a time",
        ),
        (
            {"protocol": "embeddings", "batch_size": 8, "concurrency": 1},
            "20 requests of 8 × 64 tokens to embed, 1 at a time",
        ),
        (
            {"protocol": "rerank", "documents": 10, "concurrency": 1},
            "20 requests of 10 documents of 64 tokens to rank, 1 at a time",
        ),
    ],
)
def test_says_what_a_load_asks(said, line):
    assert load_line(LoadProfile(input_tokens=64, requests=20, **said)) == line
