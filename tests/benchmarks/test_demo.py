import pytest

from benchmarks import installing, selectors
from benchmarks.api import serializers as s
from benchmarks.demo import arithmetic
from benchmarks.models import Benchmark
from exchange.core.actors import ANONYMOUS, SYSTEM
from llm_benchmark.measure.contents import content_hash
from llm_benchmark.measure.scorers import score

pytestmark = pytest.mark.django_db
HASHES = {
    "demo-general": "ee6f625c849d59ccda394eeec625b4cb83efe169fc4ebe15adbb2b9e40be0e5a",
    "demo-arithmetic": "e549355c8e61e84d04d332e9d920d3c62bc72f42e3ad14cdea64a668ce8531fa",
    "baseline-chat": "fde80d19f8684a6d212c0e8d3440407b23c1bf9f05f3b1f628c9bbd3f2a07efe",
    "baseline-chat-short": "a5756eb6e9fcab6d5c0e43038520b092ab9fb9532f74289ad04c828f720d18c5",
    "baseline-chat-72": "7707de53e295f732ba5c444fd7f65e6b3f7c605431f78a1c113fa1955f8806bd",
}
"""As they were published before cases had groups and loads had more than chats of one concurrency."""
SLUGS = [
    *HASHES,
    "stability-chat",
    "throughput-chat",
    "latency-sweep",
    "long-context-chat",
    "baseline-embeddings",
    "baseline-rerank",
]


@pytest.fixture
def installed():
    return {benchmark.slug: benchmark for benchmark in installing.install_demo_benchmarks()}


def version_of(slug):
    return selectors.current_version(selectors.get_benchmark_by_slug(actor=SYSTEM, slug=slug))


class TestInstallDemoBenchmarks:
    def test_makes_active_public_benchmarks_marked_demo(self, installed):
        shown = selectors.list_benchmarks(actor=ANONYMOUS, status="active")

        assert sorted(installed) == sorted(SLUGS)
        assert {benchmark.slug for benchmark in shown} == set(SLUGS)
        assert all(benchmark.is_demo and benchmark.current_version == "1.0.0" for benchmark in shown)
        assert {benchmark.organization.slug for benchmark in shown} == {"exchange-demo"}

    def test_changes_nothing_the_second_time(self, installed):
        hashes = {slug: version_of(slug).content_hash for slug in SLUGS}

        installing.install_demo_benchmarks()

        assert Benchmark.objects.count() == len(SLUGS)
        assert {slug: version_of(slug).content_hash for slug in SLUGS} == hashes

    def test_gives_the_first_ones_the_hashes_that_they_always_had(self, installed):
        assert {slug: version_of(slug).content_hash for slug in HASHES} == HASHES

    def test_shows_all_that_a_hash_is_computed_from(self, installed):
        for slug in SLUGS:
            shown = s.BenchmarkVersionSerializer(version_of(slug)).data
            cases = selectors.list_test_cases(actor=ANONYMOUS, version_id=shown["id"])
            names = ("kind", "system_prompt", "prompt_template", "generation", "load_profile", "metrics")
            content = {name: shown[name] for name in names}

            found = content_hash(**content, cases=s.TestCaseSerializer(cases, many=True).data)

            assert found == shown["content_hash"], slug

    @pytest.mark.parametrize(("slug", "count"), [("demo-general", 15), ("demo-arithmetic", 200)])
    def test_every_reference_is_right_by_its_own_scorer(self, installed, slug, count):
        questions = selectors.plan_questions(version_of(slug))

        wrong = [question.key for question in questions if score(question, question.reference).value != 1.0]

        assert len(questions) == count
        assert wrong == []

    def test_everybody_may_read_the_cases(self, installed):
        version = version_of("demo-general")

        assert selectors.list_test_cases(actor=ANONYMOUS, version_id=version.pk).count() == 15

    def test_general_has_five_of_each_scorer_in_two_languages(self, installed):
        questions = selectors.plan_questions(version_of("demo-general"))

        scorers = [question.scorer for question in questions]
        assert {name: scorers.count(name) for name in scorers} == {
            "exact_match_v1": 5,
            "multiple_choice_v1": 5,
            "numeric_v1": 5,
        }
        assert sum(not question.prompt.isascii() for question in questions) >= 6

    @pytest.mark.parametrize(
        ("slug", "requests", "lengths"),
        [
            ("baseline-chat", 10, (128, 128)),
            ("baseline-chat-short", 20, (64, 32)),
            ("baseline-chat-72", 72, (64, 64)),
        ],
    )
    def test_profiles_stream_one_request_at_a_time(self, installed, slug, requests, lengths):
        version = version_of(slug)

        profile = version.load_profile
        assert (profile["input_tokens"], profile["output_tokens"]) == lengths
        assert (profile["requests"], profile["warmup_requests"]) == (requests, 2)
        assert (profile["concurrency"], profile["streaming"]) == (1, True)
        assert version.policy.deciding_metrics == ["ttft_p50", "request_latency_p50"]
        assert version.policy.tolerances["ttft_p95"] == 0.2

    @pytest.mark.parametrize(
        ("slug", "profile", "deciding"),
        [
            ("stability-chat", {"requests": 3, "concurrency": 1}, ["ttft_p50", "request_latency_p50"]),
            ("throughput-chat", {"requests": 30, "concurrency": 4}, ["ttft_p50", "request_latency_p50"]),
            ("latency-sweep", {"concurrencies": [1, 2, 4, 8, 16, 32, 64]}, ["peak_output_tokens_per_second"]),
            ("long-context-chat", {"input_tokens": 8192}, ["ttft_p50", "request_latency_p50"]),
            ("baseline-embeddings", {"protocol": "embeddings", "streaming": False}, ["request_latency_p50"]),
            ("baseline-rerank", {"protocol": "rerank", "documents": 10}, ["request_latency_p50"]),
        ],
    )
    def test_further_profiles_load_in_other_ways(self, installed, slug, profile, deciding):
        version = version_of(slug)

        assert profile.items() <= version.load_profile.items()
        assert version.policy.deciding_metrics == deciding


class TestArithmeticItems:
    def test_are_the_same_for_the_same_seed(self):
        assert arithmetic.items(seed=7) == arithmetic.items(seed=7) != arithmetic.items(seed=8)

    def test_ask_no_question_twice(self):
        items = arithmetic.items(seed=7)

        assert len({item["prompt"] for item in items}) == len(items) == 200
