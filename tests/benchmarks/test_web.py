"""The pages of authors and reviewers, without JavaScript."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.models import Benchmark, BenchmarkVersion
from benchmarks.services import deprecate_benchmark
from benchmarks.web.case_rows import read_cases
from exchange.core.actors import SYSTEM, SiteRole
from exchange.core.errors import InvalidInput
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.benchmarks import (
    BenchmarkFactory,
    active_benchmark,
    case,
    draft_version,
    published_version,
)

pytestmark = pytest.mark.django_db
METRIC = {
    "metrics[0].name": "accuracy",
    "metrics[0].title": "Accuracy",
    "metrics[0].direction": "higher_is_better",
    "metrics[0].kind": "proportion",
    "metrics[0].minimum": "0",
    "metrics[0].maximum": "1",
    "metrics[0].decides": "on",
    "primary": "0",
}
VERSION = {
    **METRIC,
    "version": "1.0.0",
    "prompt_template": "Q: {prompt}\r\nA:",
    "generation.temperature": "0",
    "generation.max_tokens": "16",
    "test_cases": "\r\n".join(json.dumps(case(f"q{number}")) for number in (1, 2)),
}


@pytest.fixture
def author(client):
    membership = MembershipFactory()
    client.force_login(membership.user)
    client.user, client.organization = membership.user, membership.organization
    return client


def reviewer(client):
    client.force_login(UserFactory(role=SiteRole.REVIEWER))
    return client


def about(client, **changes):
    said = {
        "organization_id": str(client.organization.pk),
        "slug": "small-sums",
        "name": "Small sums",
        "kind": "quality",
        "category": "accuracy",
        "visibility": "public",
        "tags": "math, easy",
        "citation.authors": "A. Author\r\nB. Author",
        "citation.title": "Small sums",
    }
    return {**said, **changes}


def text_of(answer):
    return answer.content.decode()


class TestNewBenchmark:
    def test_leads_strangers_to_the_log_in(self, client):
        assert client.get("/benchmarks/new")["Location"].startswith("/login?next=")

    def test_makes_a_draft_and_leads_to_its_first_edition(self, author):
        answer = author.post("/benchmarks/new", about(author))
        made = Benchmark.objects.get()

        assert answer["Location"] == "/benchmarks/small-sums/versions/new"
        assert (made.tags, made.citation["authors"]) == (["math", "easy"], ["A. Author", "B. Author"])
        assert [user.pk for user in made.maintained_by.all()] == [author.user.pk]

    def test_names_what_is_wrong_and_keeps_what_was_typed(self, author):
        answer = author.post("/benchmarks/new", about(author, slug="Bad Slug", kind="", source_url="ftp://x"))
        html = text_of(answer)

        assert answer.status_code == 400
        assert '<a href="#f-slug">' in html
        assert '<a href="#f-kind">' in html
        assert 'value="Bad Slug"' in html
        assert "A. Author\nB. Author" in html
        assert not Benchmark.objects.exists()

    def test_tells_who_works_for_nobody_what_to_do(self, client):
        client.force_login(UserFactory())

        assert "Benchmarks are published by organizations" in text_of(client.get("/benchmarks/new"))


class TestEditBenchmark:
    def test_begins_with_what_is_said_and_empties_what_is_emptied(self, author):
        author.post("/benchmarks/new", about(author, documentation_url="https://example.org"))
        path = "/benchmarks/small-sums/edit"
        assert 'value="https://example.org"' in text_of(author.get(path))

        said = {"name": "Sums", "visibility": "public", "category": "accuracy"}
        answer = author.post(path, {**said, "maintainers": author.user.username})

        made = Benchmark.objects.get()
        assert answer["Location"] == "/benchmarks/small-sums"
        assert (made.name, made.documentation_url, made.citation, made.tags) == ("Sums", "", None, [])

    def test_is_for_the_organization(self, author):
        benchmark = active_benchmark()

        answer = author.get(f"/benchmarks/{benchmark.slug}/edit")

        assert answer.status_code == 403

    def test_hides_what_is_private(self, author):
        hidden = BenchmarkFactory(visibility="private")

        for path in ("edit", "versions/new", "versions/1.0.0"):
            assert author.get(f"/benchmarks/{hidden.slug}/{path}").status_code == 404


class TestNewVersion:
    @pytest.fixture
    def path(self, author):
        benchmark = BenchmarkFactory(organization=author.organization)
        return f"/benchmarks/{benchmark.slug}/versions/new"

    def test_offers_the_metrics_that_the_platform_measures(self, author, path):
        assert 'value="accuracy"' in text_of(author.get(path))

    def test_stores_a_draft_and_shows_what_was_read(self, author, path):
        answer = author.post(path, VERSION, follow=True)
        draft = BenchmarkVersion.objects.get()

        assert answer.redirect_chain[-1][0].endswith("/versions/1.0.0")
        assert draft.prompt_template == "Q: {prompt}\nA:"
        assert (draft.metrics.get().name, draft.cases.count()) == ("accuracy", 2)
        assert "The first 2 cases of 2" in text_of(answer)
        assert re.search(r"<code>[0-9a-f]{64}</code>", text_of(answer))

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("c.jsonl", "\n".join(json.dumps(case(key)) for key in ("q1", "q2"))),
            ("c.json", json.dumps([case("q1"), case("q2")])),
            ("c.csv", "key,prompt,reference,scorer,tags\nq1,1+1,2,numeric_v1,a;b\nq2,1+2,3,numeric_v1,\n"),
        ],
    )
    def test_reads_a_file_of_each_kind(self, author, path, name, content):
        file = SimpleUploadedFile(name, content.encode())

        author.post(path, {**VERSION, "test_cases": "", "cases_file": file})

        assert [row.key for row in BenchmarkVersion.objects.get().cases.order_by("position")] == ["q1", "q2"]

    def test_names_the_line_and_field_of_a_wrong_case_and_keeps_the_file(self, author, path):
        lines = [case("q1"), case("q2", reference="five"), {**case("q3"), "colour": "red"}]
        file = SimpleUploadedFile("c.jsonl", "\n".join(map(json.dumps, lines)).encode())

        html = text_of(author.post(path, {**VERSION, "cases_file": file}))
        assert "Line 3 (q3), colour" in html
        assert "five" in html
        assert "These are the lines of c.jsonl" in html

        wrong = "\n".join(map(json.dumps, lines[:2]))
        html = text_of(author.post(path, {**VERSION, "test_cases": wrong}))
        assert "Line 2 (q2), reference" in html
        assert not BenchmarkVersion.objects.exists()

    def test_names_the_metric_that_is_wrong_after_empty_rows(self, author, path):
        moved = {name.replace("[0]", "[3]"): value for name, value in METRIC.items()}
        shifted = {name: value for name, value in VERSION.items() if name not in METRIC}

        answer = author.post(path, {**shifted, **moved, "primary": "3", "metrics[3].direction": ""})

        assert answer.status_code == 400
        assert '<a href="#f-metrics[0].direction">accuracy' in text_of(answer)

    def test_names_the_field_of_a_rule(self, author, path):
        html = text_of(author.post(path, {**VERSION, "policy.delta": "2", "metrics[0].name": "speed"}))

        assert '<a href="#f-policy.delta">' in html
        assert '<a href="#f-metrics[0].decides">' in html

    def test_names_the_metric_that_decides_when_nobody_chose_one(self, author, path):
        chosen = {name: value for name, value in VERSION.items() if name != "metrics[0].decides"}

        html = text_of(author.post(path, {**chosen, "metrics[0].name": "speed"}))

        assert '<a href="#f-metrics[0].decides">speed: ' in html

    def test_keeps_the_cases_of_the_published_edition(self, author):
        version = published_version(BenchmarkFactory(organization=author.organization))
        path = f"/benchmarks/{version.benchmark.slug}/versions/new"
        assert "keep the 2 cases of 1.0.0" in text_of(author.get(path))

        said = {"version": "1.1.0", "test_cases": "", "changelog": "Another prompt template."}
        author.post(path, {**VERSION, **said})

        assert BenchmarkVersion.objects.get(version="1.1.0").cases.count() == 2

    def test_takes_a_load_profile(self, author):
        benchmark = BenchmarkFactory(organization=author.organization, kind="performance")
        load = {"input_tokens": "64", "output_tokens": "32", "requests": "20", "concurrency": "1"}
        form = {f"load_profile.{name}": value for name, value in load.items()}
        speed = {"metrics[0].name": "ttft_p50", "metrics[0].direction": "lower_is_better"}
        speed |= {"metrics[0].kind": "percentile", "metrics[0].maximum": "", "metrics[0].tolerance": "0.2"}
        form |= {**METRIC, **speed, "version": "1.0.0", "load_profile.streaming": "on"}

        author.post(f"/benchmarks/{benchmark.slug}/versions/new", form)

        draft = BenchmarkVersion.objects.get()
        assert (draft.load_profile["requests"], draft.load_profile["streaming"]) == (20, True)
        assert draft.policies.get().tolerances == {"ttft_p50": 0.2}

    def test_takes_a_sweep_with_goals_in_the_field_of_the_concurrency(self, author):
        benchmark = BenchmarkFactory(organization=author.organization, kind="performance")
        said = {"input_tokens": "64", "output_tokens": "32", "requests": "20", "concurrency": "1, 2 8"}
        said |= {"slo.ttft_ms": "200.5", "streaming": "on"}
        form = {f"load_profile.{name}": value for name, value in said.items()}
        knee = {"name": "knee_ttft_p50", "direction": "lower_is_better", "kind": "percentile", "maximum": ""}
        form |= {
            **METRIC,
            **{f"metrics[0].{name}": value for name, value in knee.items()},
            "version": "1.0.0",
        }

        author.post(f"/benchmarks/{benchmark.slug}/versions/new", form)

        profile = BenchmarkVersion.objects.get().load_profile
        assert (profile["concurrencies"], profile["slo"]) == ([1, 2, 8], {"ttft_ms": 200.5})

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"concurrency": "2, 2"}, "load_profile.concurrency"),
            ({"concurrency": "many, few"}, "load_profile.concurrency"),
            ({"slo.itl_ms": "-1"}, "load_profile.slo.itl_ms"),
            ({"protocol": "rerank"}, "load_profile.documents"),
            ({"batch_size": "8"}, "load_profile.batch_size"),
            ({"concurrency": ""}, None),
        ],
    )
    def test_shows_what_is_wrong_with_a_load_at_its_field(self, author, changes, field):
        benchmark = BenchmarkFactory(organization=author.organization, kind="performance")
        said = {"input_tokens": "64", "output_tokens": "32", "requests": "20", "concurrency": "1"}
        form = {f"load_profile.{name}": value for name, value in {**said, **changes}.items()}

        answer = author.post(f"/benchmarks/{benchmark.slug}/versions/new", {**form, "version": "1.0.0"})

        shown = [error["field"] for error in answer.context["errors"]]
        assert field in shown if field else not any(name.startswith("load_profile") for name in shown)

    def test_takes_groups_of_cases_from_a_csv(self, author):
        benchmark = BenchmarkFactory(organization=author.organization)
        cases = "key,prompt,reference,scorer,group\nq1,1+1,2,numeric_v1,easy sums\nq2,2+2,4,numeric_v1,\n"

        author.post(f"/benchmarks/{benchmark.slug}/versions/new", {**VERSION, "test_cases": cases})

        rows = BenchmarkVersion.objects.get().cases.order_by("position")
        assert [row.group for row in rows] == ["easy sums", None]


class TestEditVersion:
    def test_begins_with_the_draft_and_changes_it(self, author):
        draft = draft_version(BenchmarkFactory(organization=author.organization), changelog="First words.")
        path = f"/benchmarks/{draft.benchmark.slug}/versions/1.0.0"
        assert "First words." in text_of(author.get(path))

        answer = author.post(path, {**VERSION, "test_cases": "", "changelog": "Other words."})

        draft.refresh_from_db()
        assert (answer.status_code, draft.changelog, draft.cases.count()) == (302, "Other words.", 2)

    def test_says_that_a_published_one_is_closed(self, author):
        version = published_version(BenchmarkFactory(organization=author.organization))
        path = f"/benchmarks/{version.benchmark.slug}/versions/1.0.0"

        assert author.get(path).status_code == 409
        assert author.post(path, VERSION).status_code == 409


class TestPublishVersion:
    @pytest.fixture
    def draft(self, author):
        return draft_version(BenchmarkFactory(organization=author.organization))

    def publish(self, author, draft, **form):
        return author.post(f"/benchmarks/{draft.benchmark.slug}/versions/{draft.version}/publish", form)

    def test_needs_a_tick_since_it_is_for_ever(self, author, draft):
        answer = self.publish(author, draft)

        draft.refresh_from_db()
        assert (answer.status_code, draft.status) == (400, "draft")
        assert '<a href="#f-confirmed">' in text_of(answer)

    def test_gives_the_hash_that_was_shown(self, author, draft):
        shown = text_of(author.get(f"/benchmarks/{draft.benchmark.slug}/versions/{draft.version}"))

        answer = self.publish(author, draft, confirmed="on")

        draft.refresh_from_db()
        assert answer["Location"] == f"/benchmarks/{draft.benchmark.slug}"
        assert draft.status == "published"
        assert draft.content_hash in shown


class TestMoves:
    def test_goes_through_a_review(self, author):
        benchmark = BenchmarkFactory(organization=author.organization, published=True)
        path = f"/benchmarks/{benchmark.pk}/moves"
        assert f"{path}/submit" in text_of(author.get(f"/benchmarks/{benchmark.slug}"))
        author.post(f"{path}/submit", {"expected_status": "draft"})

        queue = text_of(reviewer(author).get("/review"))
        refused = author.post(f"{path}/reject", {"reason": "<b>no</b>", "expected_status": "under_review"})
        approved = author.post(f"{path}/approve", {"reason": "", "expected_status": "under_review"})

        benchmark.refresh_from_db()
        assert f"{path}/approve" in queue
        assert (refused.status_code, approved["Location"]) == (400, "/review")
        assert "&lt;b&gt;no&lt;/b&gt;" in text_of(refused)
        assert benchmark.status == "active"
        assert "Where it has been" in text_of(author.get(f"/benchmarks/{benchmark.slug}"))

    def test_takes_back_what_waits_for_a_review(self, author):
        benchmark = BenchmarkFactory(organization=author.organization, published=True)
        path = f"/benchmarks/{benchmark.pk}/moves"
        author.post(f"{path}/submit", {})
        offered = text_of(author.get(f"/benchmarks/{benchmark.slug}"))

        answer = author.post(f"{path}/take-back", {"reason": "", "expected_status": "under_review"})

        benchmark.refresh_from_db()
        assert (f"{path}/take-back" in offered, f"{path}/approve" in offered) == (True, False)
        assert (answer["Location"], benchmark.status) == (f"/benchmarks/{benchmark.slug}", "draft")
        assert author.post(f"{path}/take-back", {}).status_code == 409

    def test_tells_a_member_who_reviews_that_another_decides(self, author):
        benchmark = BenchmarkFactory(organization=author.organization, published=True)
        author.post(f"/benchmarks/{benchmark.pk}/moves/submit", {})
        type(author.user).objects.filter(pk=author.user.pk).update(role=SiteRole.REVIEWER)

        assert "another reviewer decides" in text_of(author.get("/review"))
        assert author.post(f"/benchmarks/{benchmark.pk}/moves/approve", {}).status_code == 403

    def test_says_that_it_was_moved_meanwhile(self, author):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(organization=author.organization)
        form = {"reason": "Nobody needs it any more.", "expected_status": "deprecated"}

        answer = author.post(f"/benchmarks/{benchmark.pk}/moves/deprecate", form)

        assert answer.status_code == 409
        assert "Nobody needs it any more." in text_of(answer)

    def test_offers_strangers_nothing(self, client):
        html = text_of(client.get(f"/benchmarks/{active_benchmark().slug}"))

        assert "/moves/" not in html
        assert "What you may do here" not in html

    def test_knows_no_other_moves(self, author):
        assert author.get(f"/benchmarks/{active_benchmark().pk}/moves/explode").status_code == 404

    def test_hides_what_is_private(self, author):
        assert author.get(f"/benchmarks/{BenchmarkFactory().pk}/moves/submit").status_code == 404

    def test_keeps_the_queue_for_reviewers(self, author):
        assert author.get("/review").status_code == 403

    def test_asks_the_database_as_often_for_a_long_queue(self, client):
        reviewer(client)
        counts = set()
        for _ in range(2):
            for benchmark in BenchmarkFactory.create_batch(3, published=True):
                Benchmark.objects.filter(pk=benchmark.pk).update(status="under_review")
            with CaptureQueriesContext(connection) as asked:
                client.get("/review")
            counts.add(len(asked))

        assert len(counts) == 1

    def test_leads_to_a_vote_what_a_vote_endorsed(self, author):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(organization=author.organization, is_endorsed=True)

        html = text_of(author.get(f"/benchmarks/{benchmark.slug}"))

        assert "only a vote deprecates it" in html
        assert "/moves/deprecate" not in html

    def test_leads_to_a_vote_what_a_vote_retired(self, author):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(organization=author.organization)
        deprecate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, reason="It measures nothing new.")

        html = text_of(author.get(f"/benchmarks/{benchmark.slug}"))

        assert "brings it back" in html
        assert "/moves/reactivate" not in html

    def test_offers_nothing_to_write_on_what_is_archived(self, author):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(organization=author.organization, status="archived")

        html = text_of(author.get(f"/benchmarks/{benchmark.slug}"))

        assert "/versions/new" not in html
        assert "/edit" not in html


class TestBenchmarks:
    def test_narrows_by_tags_and_says_so(self, client):
        benchmark = BenchmarkFactory(status="active", tags=["math", "easy"])
        other = BenchmarkFactory(status="active", tags=["law"])

        html = text_of(client.get("/benchmarks", {"tags": "math,easy", "ordering": "-created_at"}))

        assert benchmark.name in html
        assert other.name not in html
        assert 'value="math, easy"' in html

    def test_names_a_filter_that_cannot_be(self, client):
        assert client.get("/benchmarks", {"license": "beer"}).status_code == 400


class TestReadCases:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ('{"key": "q1"}\n[]\n', "Line 2: "),
            ("{not json", "Line 1: "),
            ('[{"key": "q1"}, 3]', "Row 2: "),
            ('[\n{"key": }]', "Line 2: "),
            ("key,prompt\nq1,1+1", "Line 1: "),
            ("key,key,prompt,reference,scorer\n", "Line 1: "),
            ("key,prompt,reference,scorer\nq1,1+1", "Line 2: "),
            ('key,prompt,reference,scorer\nq1,"1+1', "Line 2: "),
            ("[" * 100_000, "The list: "),
        ],
    )
    def test_names_the_place_that_cannot_be_read(self, text, problem):
        with pytest.raises(InvalidInput) as refusal:
            read_cases(text)
        assert refusal.value.errors[0].message.startswith(problem)

    def test_reads_what_a_csv_says_in_json(self):
        text = 'key,prompt,reference,scorer,weight,choices\nq1,Pick,A,multiple_choice_v1,2,"{""A"": ""x""}"\n'

        (row,) = read_cases(text).rows

        assert (row["weight"], row["choices"]) == (2, {"A": "x"})
