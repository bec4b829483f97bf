"""What an author made over the API is all there after the editor's page was opened and saved."""

import json

import pytest

from benchmarks import selectors, services
from benchmarks.api import serializers as s
from benchmarks.demo.metrics import INPUT_METRICS, SWEEP_METRICS
from benchmarks.web.version_form import GATE
from exchange.core.actors import SYSTEM
from tests.factories.accounts import MembershipFactory
from tests.factories.benchmarks import (
    LOAD_PROFILE,
    BenchmarkFactory,
    active_benchmark,
    case,
    latency,
    metric,
)
from tests.forms import form_of

pytestmark = pytest.mark.django_db
RULE = {"delta": 0.031415926535, "alpha": 0.0271828182845, "gamma": 0.00123456789, "sessions": 7}
SAID = {
    "version": "1.0.0",
    "changelog": "First words,\r\nand more.",
    "migration_notes": "There was nothing before it.",
    "system_prompt": "Be short.\r\nBe right.",
    "prompt_template": "\n Q: {prompt}\r\n\r\nA: ",
    "cases_public": True,
    "generation": {
        "temperature": 0.123456789,
        "top_p": 0.987654321,
        "max_tokens": 32,
        "seed": -(2**63),
        "stop": ["\n\n", "C:\\new", " ", "\r"],
    },
}
CASES = [
    case(
        "q1",
        prompt=" Which?\r\n",
        reference="B",
        scorer="multiple_choice_v1",
        choices={"A": "one\n", "B": "two"},
        weight=0.123456789,
        tags=["easy, or not", "tagged"],
        group="One part, of two",
    ),
    case("q2", scorer_config={"abs_tolerance": 1e-7, "percent_is_fraction": True}, weight=2.0),
]
QUALITY = {
    **SAID,
    "test_cases": CASES,
    "metrics": [
        metric(title='A "quoted" title', unit="% <of all>", minimum=1e-7, maximum=0.123456789012),
        metric("completion_rate", kind="proportion", is_primary=False, minimum=None, maximum=None),
    ],
    "policy": {
        **RULE,
        "tolerances": {"accuracy": 0.0123456789},
        "deciding_metrics": ["completion_rate", "accuracy"],
    },
}
PERFORMANCE = {
    **SAID,
    "load_profile": {**LOAD_PROFILE, "warmup_requests": 0, "concurrency": 3},
    "metrics": [latency(), latency("itl_p50", is_primary=False)],
    "policy": {
        **RULE,
        "tolerances": {"ttft_p50": 0.0123456789, "itl_p50": 1.0},
        "deciding_metrics": ["itl_p50", "ttft_p50"],
    },
}
_NO_CONCURRENCY = {name: value for name, value in LOAD_PROFILE.items() if name != "concurrency"}
SWEEP = {
    **SAID,
    "load_profile": {
        **_NO_CONCURRENCY,
        "concurrencies": [1, 3, 20],
        "slo": {"ttft_ms": 123.456789012, "itl_ms": None, "request_latency_ms": 600_000.0},
    },
    "metrics": SWEEP_METRICS,
}
EMBEDDINGS = {
    "version": "1.0.0",
    "load_profile": {"protocol": "embeddings", "input_tokens": 9, "requests": 20, "batch_size": 4},
    "metrics": INPUT_METRICS,
}
RERANK = {
    "version": "1.0.0",
    "load_profile": {"protocol": "rerank", "input_tokens": 9, "requests": 20, "documents": 4},
    "metrics": INPUT_METRICS,
}
EXTERNAL = {
    **SAID,
    "metrics": [metric("score"), metric("other", is_primary=False)],
    "policy": {**RULE, "tolerances": {"other": 0.5}, "deciding_metrics": ["other", "score"]},
}
SPARSE = {"version": "1.0.0", "metrics": [metric()], "test_cases": [case()]}
EVERYTHING = {"quality": QUALITY, "performance": PERFORMANCE, "external": EXTERNAL}


@pytest.fixture
def author(client):
    membership = MembershipFactory()
    client.force_login(membership.user)
    client.user, client.organization = membership.user, membership.organization
    return client


def made(author, kind, said):
    """A draft, made over the API."""
    benchmark = BenchmarkFactory(organization=author.organization, kind=kind)
    path = f"/api/v1/benchmarks/{benchmark.pk}/versions"
    answer = author.post(path, json.dumps(said), content_type="application/json")
    assert answer.status_code == 201, answer.content
    return benchmark.versions.get()


def everything(version_id):
    """All that is stored of a version: what the API shows, its cases, and the digest of its content."""
    row = selectors.get_version(actor=SYSTEM, version_id=version_id)
    shown = s.BenchmarkVersionSerializer(row).data
    cases = s.TestCaseSerializer(selectors.list_test_cases(actor=SYSTEM, version_id=row.pk), many=True).data
    return {**shown, "cases": cases, "content": selectors.content_hash_of(row)}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        *EVERYTHING.items(),
        ("quality", SPARSE),
        ("performance", SWEEP),
        ("performance", EMBEDDINGS),
        ("performance", RERANK),
    ],
    ids=[*EVERYTHING, "sparse", "sweep", "embeddings", "rerank"],
)
class TestSavedAsItWasOpened:
    def test_changes_nothing_in_a_draft(self, author, kind, said):
        draft = made(author, kind, said)
        before = everything(draft.pk)
        path = f"/benchmarks/{draft.benchmark.slug}/versions/1.0.0"

        answer = author.post(path, form_of(author.get(path).content.decode(), "changelog"))

        assert answer.status_code == 302
        assert everything(draft.pk) == before

    def test_makes_a_new_edition_of_the_same_content_and_rule(self, author, kind, said):
        first = made(author, kind, said)
        services.publish_version(actor=SYSTEM, version_id=first.pk)
        path = f"/benchmarks/{first.benchmark.slug}/versions/new"
        form = form_of(author.get(path).content.decode(), "changelog")

        answer = author.post(path, {**form, "version": "1.0.1", "changelog": "Nothing but the number."})

        assert answer.status_code == 302
        before, after = everything(first.pk), everything(first.benchmark.versions.get(version="1.0.1").pk)
        assert after["content"] == before["content"]
        assert after["policy"]["digest"] == before["policy"]["digest"]
        assert after["cases_public"] == before["cases_public"]


class TestChanged:
    def test_takes_what_was_typed_and_keeps_the_rest(self, author):
        draft = made(author, "performance", PERFORMANCE)
        path = f"/benchmarks/{draft.benchmark.slug}/versions/1.0.0"
        form = form_of(author.get(path).content.decode(), "changelog")

        author.post(path, {**form, "policy.gamma": "0.02"})

        rule = everything(draft.pk)["policy"]
        assert [rule[name] for name in RULE] == [RULE["delta"], RULE["alpha"], 0.02, RULE["sessions"]]

    def test_reads_stop_texts_as_they_are_shown(self, author):
        draft = made(author, "quality", QUALITY)
        path = f"/benchmarks/{draft.benchmark.slug}/versions/1.0.0"
        form = form_of(author.get(path).content.decode(), "changelog")
        assert form["generation.stop"] == "\\n\\n\r\nC:\\\\new\r\n \r\n\\r"

        author.post(path, {**form, "generation.stop": "\\n\\n\r\n\\d\r\nEnd"})

        assert everything(draft.pk)["generation"]["stop"] == ["\n\n", "\\d", "End"]


class TestAQualityGate:
    GATE = "policy.quality_gate"

    def opened(self, author):
        quality = str(active_benchmark().current_version_id)
        gate = {"benchmark_version_id": quality, "metric": "accuracy", "minimum": 0.85}
        draft = made(author, "performance", {**PERFORMANCE, "policy": {**RULE, "quality_gate": gate}})
        path = f"/benchmarks/{draft.benchmark.slug}/versions/1.0.0"
        return draft, path, form_of(author.get(path).content.decode(), "changelog")

    def test_stays_as_it_was_shown(self, author):
        draft, path, form = self.opened(author)
        before = everything(draft.pk)["policy"]
        assert form[f"{self.GATE}.minimum"] == "0.85"

        author.post(path, form)

        assert before["quality_gate"]["metric"] == "accuracy"
        assert everything(draft.pk)["policy"] == before

    def test_is_taken_away_by_emptying_it(self, author):
        draft, path, form = self.opened(author)

        author.post(path, form | {f"{self.GATE}.{part}": "" for part in GATE})

        assert everything(draft.pk)["policy"]["quality_gate"] is None

    def test_is_refused_at_its_field(self, author):
        _draft, path, form = self.opened(author)

        answer = author.post(path, {**form, f"{self.GATE}.metric": "speed"})

        assert answer.status_code == 400
        assert f'id="e-{self.GATE}.metric"' in answer.content.decode()
