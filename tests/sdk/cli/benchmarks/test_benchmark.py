import json

import pytest

from benchmarks.models import Benchmark, BenchmarkVersion
from exchange.core.actors import SiteRole
from llm_benchmark.cli.benchmarks.writing import EXAMPLE
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory
from tests.factories.benchmarks import BenchmarkFactory
from tests.factories.submissions import question_benchmark

pytestmark = pytest.mark.django_db
SLUG = "two-digit-sums"


@pytest.fixture
def ada(exchange_as):
    """The program of a contributor who owns `acme`."""
    user = UserFactory(username="ada", role=SiteRole.CONTRIBUTOR)
    MembershipFactory(user=user, organization=OrganizationFactory(slug="acme"), role="owner")
    return exchange_as(user)


@pytest.fixture
def reviewer(exchange_as):
    return exchange_as(UserFactory(role=SiteRole.REVIEWER))


@pytest.fixture
def file(tmp_path, ada):
    path = tmp_path / "sums.toml"
    path.write_text(ada("benchmark", "create", "--example").out)
    return path


class TestList:
    @pytest.fixture
    def some(self):
        made = question_benchmark()
        BenchmarkFactory(active=True, category="safety", name="Second")
        return made

    def test_shows_what_one_may_see_and_filters_it(self, call, exchange, some):
        BenchmarkFactory(name="A draft")

        def slugs(*arguments):
            return [row["slug"] for row in call("b", "list", *arguments, http=exchange).rows]

        assert some.slug in slugs()
        assert len(slugs()) == 2
        assert slugs("--category", "accuracy") == [some.slug]
        assert slugs("-q", "Second", "-s", "active", "-k", "quality") != []
        assert slugs("--tag", "nothing") == []

    def test_says_that_there_are_more(self, call, exchange, some):
        ended = call("b", "list", "--limit", "1", "-o", "table", http=exchange)
        assert "There are more: --limit 5, or narrow it down." in ended.out

    def test_says_what_to_do_where_there_are_none(self, call, exchange):
        assert (
            "llm-benchmark benchmark create --example" in call("b", "list", "-o", "table", http=exchange).out
        )


class TestGet:
    def test_shows_what_the_current_edition_asks(self, call, exchange):
        made = question_benchmark()
        out = call("benchmark", "show", made.slug, "-o", "table", http=exchange).out
        assert "accuracy (primary)" in out
        assert BenchmarkVersion.objects.get().content_hash in out

    def test_lists_the_editions(self, call, exchange):
        made = question_benchmark()
        assert "1.0.0" in call("b", "get", made.slug, "--versions", "-o", "table", http=exchange).out
        found = call("b", "get", str(made.pk), "--versions", "-o", "json", http=exchange).json
        assert (found["slug"], found["versions"][0]["version"]) == (made.slug, "1.0.0")

    def test_refuses_one_that_is_none(self, call, exchange):
        ended = call("b", "get", "nothing", http=exchange)
        assert ended.code == 5
        assert "llm-benchmark benchmark list" in ended.err


class TestCreate:
    def test_prints_an_example_that_works(self, ada, file):
        assert file.read_text() == EXAMPLE.read_text()
        ended = ada("benchmark", "create", file, "-o", "table")
        assert ended.code == 0, ended.err
        assert "Draft two-digit-sums created." in ended.out
        assert f"llm-benchmark benchmark publish {SLUG}" in ended.out
        assert Benchmark.objects.get(slug=SLUG).status == "draft"
        assert BenchmarkVersion.objects.get().cases.count() == 2

    def test_goes_the_whole_way_to_the_review(self, ada, file):
        assert ada("benchmark", "create", file, "--submit", "-o", "json").json["status"] == "under_review"
        assert BenchmarkVersion.objects.get().status == "published"

    def test_goes_on_where_it_stopped(self, ada, file):
        ada("benchmark", "create", file)
        file.write_text(file.read_text().replace('reference = "42"', 'reference = "43"'))
        out = ada("benchmark", "create", file, "--submit", "-o", "table").out
        assert "two-digit-sums is there already (draft)." in out
        assert "Draft 1.0.0 agrees with the file." in out
        assert BenchmarkVersion.objects.get().cases.get(key="a").reference == "43"

        again = ada("benchmark", "create", file, "--submit", "-o", "table").out
        assert "1.0.0 is published already" in again
        assert Benchmark.objects.count() == 1

    def test_says_what_is_done_where_it_stops(self, ada, file):
        file.write_text(file.read_text().replace('version = "1.0.0"', 'version = "one"'))
        ended = ada("benchmark", "create", file)
        assert ended.code == 2
        assert "version:" in ended.err
        assert "Done so far: Draft two-digit-sums created. The same command goes on from there." in ended.err
        told = json.loads(ada("benchmark", "create", file, "-o", "json").err)["error"]["next_steps"]
        assert "there already" in told[0]

    def test_refuses_a_slug_of_somebody_else(self, ada, file):
        BenchmarkFactory(slug=SLUG, active=True)
        ended = ada("benchmark", "create", file)
        assert ended.code == 6
        assert "Choose another slug" in ended.err

    def test_refuses_a_file_before_anything_is_made(self, ada, file):
        file.write_text(file.read_text().replace('kind = "quality"', 'kind = "qualty"'))
        assert ada("benchmark", "create", file).code == 2
        assert not Benchmark.objects.exists()

    def test_names_the_organizations_where_there_are_several(self, ada, file):
        from exchange.accounts.models import User

        MembershipFactory(
            user=User.objects.get(), organization=OrganizationFactory(slug="beta"), role="owner"
        )
        ended = ada("benchmark", "create", file)
        assert ended.code == 2
        assert "acme, beta" in ended.err
        assert ada("benchmark", "create", file, "--organization", "beta").code == 0

    def test_asks_for_a_file(self, ada):
        ended = ada("benchmark", "create")
        assert ended.code == 2
        assert "benchmark create --example" in ended.err


class TestUpdate:
    def test_changes_what_is_named(self, ada, file):
        ada("benchmark", "create", file)
        ended = ada(
            "benchmark", "update", SLUG, "--description", "Mended.", "-t", "a", "-t", "b", "-o", "json"
        )
        assert (ended.json["description"], ended.json["tags"]) == ("Mended.", ["a", "b"])

    def test_makes_a_new_edition_of_a_file(self, ada, file):
        ada("benchmark", "create", file, "--submit")
        ada("benchmark", "take-back", SLUG)
        file.write_text(file.read_text().replace('version = "1.0.0"', 'version = "1.1.0"'))
        assert ada("benchmark", "update", SLUG, "--file", file).code == 0
        assert {row.version: row.status for row in BenchmarkVersion.objects.all()} == {
            "1.0.0": "published", "1.1.0": "draft",
        }  # fmt: skip
        assert "1.1.0" in ada("benchmark", "publish", SLUG).out

    @pytest.mark.parametrize("arguments", [[], ["--file", EXAMPLE]])
    def test_refuses_nothing_and_another_benchmark_s_file(self, ada, arguments):
        ended = ada("benchmark", "update", "another", *arguments)
        assert ended.code == 2


class TestMoves:
    def test_lead_from_draft_to_active_and_on(self, ada, reviewer, file):
        ada("benchmark", "create", file)

        def status(ended):
            assert ended.code == 0, ended.err
            return ended.json["status"]

        assert ada("benchmark", "publish", SLUG).code == 0
        assert status(ada("b", "submit-for-review", SLUG, "-o", "json")) == "under_review"
        assert status(reviewer("b", "reject", SLUG, "--reason", "Say more of it.", "-o", "json")) == "draft"
        assert status(ada("b", "submit-for-review", SLUG, "-o", "json")) == "under_review"
        assert status(ada("b", "take-back", SLUG, "-o", "json")) == "draft"
        assert status(ada("b", "submit-for-review", SLUG, "-o", "json")) == "under_review"
        assert ada("b", "approve", SLUG).code == 4
        assert status(reviewer("b", "approve", SLUG, "-o", "json")) == "active"
        assert status(ada("b", "deprecate", SLUG, "-r", "Superseded by 2.", "-o", "json")) == "deprecated"
        assert status(ada("b", "reactivate", SLUG, "-o", "json")) == "active"

    def test_need_a_reason_where_authors_shall_learn_it(self, reviewer):
        ended = reviewer("b", "reject", SLUG)
        assert ended.code == 2
        assert "--reason" in ended.err

    def test_name_the_drafts_where_none_is_meant(self, ada, file):
        ada("benchmark", "create", file)
        ended = ada("b", "publish", SLUG, "--version", "2.0.0")
        assert ended.code == 2
        assert "There is: 1.0.0." in ended.err
