import pytest

from benchmarks.models import Benchmark
from exchange.core.actors import SiteRole
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory
from tests.factories.benchmarks import (
    LOAD_PROFILE,
    BenchmarkFactory,
    active_benchmark,
    case,
    latency,
    metric,
    published_version,
)

pytestmark = pytest.mark.django_db
URL = "/api/v1/benchmarks"


@pytest.fixture
def owner(api_as):
    membership = MembershipFactory()
    client = api_as(membership.user)
    client.organization = membership.organization
    return client


def created(owner, kind="quality", **changes):
    form = {
        "organization_id": str(owner.organization.pk),
        "slug": "my-benchmark",
        "name": "Mine",
        "kind": kind,
        "category": "accuracy",
    }
    return owner.post(URL, {**form, **changes})


def fields(response):
    return [error["field"] for error in response.json()["errors"]]


class TestTheWayToAPublishedVersion:
    def test_leads_from_a_draft_to_what_everybody_reads(self, owner, api):
        benchmark = created(owner).json()
        content = {"version": "1.0.0", "metrics": [metric()], "test_cases": [case()], "cases_public": True}
        draft = owner.post(f"{URL}/{benchmark['id']}/versions", content)
        at = f"/api/v1/benchmark-versions/{draft.json()['id']}"
        assert draft.status_code == 201
        for change in (owner.put, owner.patch):
            assert change(at, {"changelog": "First."}).json()["changelog"] == "First."

        published = owner.post(f"{at}/publish").json()

        assert (published["status"], len(published["content_hash"])) == ("published", 64)
        assert published["policy"]["deciding_metrics"] == ["accuracy"]
        assert owner.get(f"{URL}/{benchmark['id']}").json()["current_version"] == "1.0.0"
        assert owner.get(f"{at}/test-cases").json()["items"] == [case()]
        assert owner.get(f"{URL}/{benchmark['id']}/versions").json()["items"] == [published]
        assert api.get(at).status_code == 404

    def test_goes_on_with_the_next_rule_and_the_list_of_all(self, owner, api):
        version = published_version(BenchmarkFactory(organization=owner.organization))
        at = f"/api/v1/benchmark-versions/{version.pk}/policies"

        added = owner.post(at, {"delta": 0.05})
        refused = owner.post(at, {"delta": 0.05, "effective_at": "2001-01-01T00:00:00Z"})

        assert (added.status_code, added.json()["number"], added.json()["delta"]) == (201, 2, 0.05)
        assert (refused.status_code, fields(refused)) == (400, ["effective_at"])
        assert [rule["number"] for rule in owner.get(at).json()["items"]] == [2, 1]
        assert api.post(at, {"delta": 0.05}).status_code in {401, 404}

    def test_takes_a_load_profile_with_defaults(self, owner):
        benchmark = created(owner, "performance").json()
        short = {name: LOAD_PROFILE[name] for name in ("input_tokens", "output_tokens", "requests")}

        content = {"version": "1.0.0", "metrics": [latency()], "load_profile": short}
        response = owner.post(f"{URL}/{benchmark['id']}/versions", content)

        left_open = {
            "protocol": None,
            "concurrencies": [],
            "slo": None,
            "documents": None,
            "batch_size": None,
        }
        assert response.json()["load_profile"] == {**LOAD_PROFILE, **left_open}

    @pytest.mark.parametrize("group", ["", "x" * 129, "two\nlines", "\u200b"])
    def test_refuses_a_group_that_cannot_be_shown(self, owner, group):
        at = f"{URL}/{created(owner).json()['id']}/versions"

        answer = owner.post(
            at, {"version": "1.0.0", "metrics": [metric()], "test_cases": [case(group=group)]}, format="json"
        )

        assert (answer.status_code, fields(answer)) == (400, ["test_cases[0].group"])

    def test_updates_by_put_and_patch(self, owner):
        at = f"{URL}/{created(owner).json()['id']}"

        assert owner.put(at, {"name": "One"}).json()["name"] == "One"
        assert owner.patch(at, {"tags": ["x"]}).json()["tags"] == ["x"]
        assert fields(owner.patch(at, {"slug": "other"})) == ["slug"]


class TestReading:
    def test_finds_by_slug_search_and_filter(self, api):
        benchmark = active_benchmark()
        active_benchmark("external")

        assert api.get(f"{URL}/slug/{benchmark.slug}").json()["id"] == str(benchmark.pk)
        found = api.get(f"{URL}/search", {"q": benchmark.slug, "limit": 1}).json()
        assert [item["slug"] for item in found["items"]] == [benchmark.slug]
        assert len(api.get(URL, {"kind": "external"}).json()["items"]) == 1

    def test_pages_without_repeating(self, api):
        slugs = {active_benchmark().slug for _ in range(3)}
        first = api.get(URL, {"page_size": 2}).json()
        second = api.get(URL, {"page_size": 2, "page_token": first["next_page_token"]}).json()

        assert {item["slug"] for item in first["items"] + second["items"]} == slugs
        assert (len(first["items"]), second["next_page_token"]) == (2, "")

    def test_answers_with_or_without_a_trailing_slash(self, api):
        benchmark = active_benchmark()

        for path in (URL, f"{URL}/slug/{benchmark.slug}", f"{URL}/{benchmark.pk}/versions"):
            assert api.get(path).json() == api.get(f"{path}/").json()


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"metrics": [{**metric(), "direction": None}]}, "metrics[0].direction"),
            ({"metrics": [metric(minimum="NaN")]}, "metrics[0].minimum"),
            ({"metrics": [metric(maximum=True)]}, "metrics[0].maximum"),
            ({"metrics": [{**metric(), "colour": "red"}]}, "metrics[0].colour"),
            ({"test_cases": [case(), {**case("q2"), "prompt": ""}]}, "test_cases[1].prompt"),
            ({"test_cases": [case(weight="Infinity")]}, "test_cases[0].weight"),
            ({"test_cases": [case(key="a b")]}, "test_cases[0].key"),
            ({"test_cases": [case(prompt="x" * 20_001)]}, "test_cases[0].prompt"),
            ({"test_cases": [case(scorer_config=[1])]}, "test_cases[0].scorer_config"),
            ({"load_profile": {**LOAD_PROFILE, "requests": 10**9}}, "load_profile.requests"),
            ({"generation": {"temperature": 3}}, "generation.temperature"),
            ({"policy": {"tolerances": {"accuracy": "NaN"}}}, "policy.tolerances.accuracy"),
            ({"prompt_template": "\x00{prompt}"}, "prompt_template"),
            ({"test_cases": [case(choices={"A\x00": "x", "B": "y"})]}, "test_cases[0].choices"),
            ({"test_cases": [case(scorer_config={"a\x00": 1})]}, "test_cases[0].scorer_config"),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_name_the_field(self, owner, change, field):
        benchmark = created(owner).json()
        content = {"version": "1.0.0", "metrics": [metric()], "test_cases": [case()], **change}

        response = owner.post(f"{URL}/{benchmark['id']}/versions", content)

        assert response.status_code == 400
        assert field in fields(response)

    def test_of_a_foreign_organization_and_one_that_does_not_exist(self, owner):
        theirs = created(owner, organization_id=str(OrganizationFactory().pk))
        nowhere = created(owner, organization_id="5f6c1b1e-0000-4000-8000-000000000000")

        assert (theirs.status_code, nowhere.status_code) == (403, 404)
        assert not Benchmark.objects.exists()

    def test_of_private_cases(self, api):
        version = active_benchmark().current_version_id

        response = api.get(f"/api/v1/benchmark-versions/{version}/test-cases")

        assert (response.status_code, response.json()["code"]) == (403, "cases_are_private")

    def test_of_a_read_only_token(self, api_as):
        membership = MembershipFactory(user=UserFactory())
        client = api_as(membership.user, "benchmarks:read")
        client.organization = membership.organization

        assert created(client).json()["code"] == "scope_missing"


class TestTheReviewCycle:
    def moved(self, client, benchmark, action, **said):
        return client.post(f"{URL}/{benchmark['id']}/{action}", said)

    def test_goes_from_the_author_to_a_reviewer_and_back(self, owner, api_as, api):
        benchmark = created(owner).json()
        version = {"version": "1.0.0", "metrics": [metric()], "test_cases": [case()]}
        version = owner.post(f"{URL}/{benchmark['id']}/versions", version).json()
        owner.post(f"/api/v1/benchmark-versions/{version['id']}/publish", {})
        reviewer = api_as(UserFactory(role=SiteRole.REVIEWER))
        why = "It takes submissions no longer."

        answers = [
            self.moved(owner, benchmark, "submit-for-review", expected_status="draft"),
            self.moved(reviewer, benchmark, "reject", reason="The cases repeat each other."),
            self.moved(owner, benchmark, "submit-for-review"),
            self.moved(owner, benchmark, "take-back", reason="Not yet."),
            self.moved(owner, benchmark, "submit-for-review"),
            self.moved(reviewer, benchmark, "approve", reason="Mended."),
            self.moved(owner, benchmark, "deprecate", reason=why),
            self.moved(owner, benchmark, "reactivate"),
            self.moved(owner, benchmark, "deprecate", reason=why),
            self.moved(owner, benchmark, "archive"),
        ]
        seen = api.get(f"{URL}/{benchmark['id']}/status-changes").json()["items"]

        assert [answer.status_code for answer in answers] == [200] * 10
        review = ["under_review", "draft"] * 2
        statuses = [*review, "under_review", "active", "deprecated", "active", "deprecated"]
        assert [answer.json()["status"] for answer in answers] == [*statuses, "archived"]
        assert [row["to_status"] for row in seen] == ["archived", *reversed(statuses)]
        assert seen[1]["reason"] == why

    def test_refuses_by_code(self, owner, api_as):
        benchmark = created(owner).json()
        reviewer = api_as(UserFactory(role=SiteRole.REVIEWER))

        answers = [
            self.moved(owner, benchmark, "submit-for-review"),
            self.moved(owner, benchmark, "submit-for-review", expected_status="sleeping"),
            self.moved(owner, benchmark, "approve"),
            self.moved(owner, benchmark, "reject", reason="short"),
            self.moved(reviewer, benchmark, "reject", reason="It is not even submitted."),
            self.moved(owner, benchmark, "take-back"),
        ]

        assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
            (409, "no_published_version"),
            (400, "invalid_input"),
            (403, "not_a_reviewer"),
            (400, "invalid_input"),
            (404, "benchmark_not_found"),
            (409, "illegal_transition"),
        ]


class TestFilters:
    def test_are_told_in_the_query(self, api):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(tags=["a", "b"], license="mit", is_endorsed=True)
        active_benchmark()
        asked = {"tags": "a, b", "license": "mit", "endorsed": "true", "ordering": "-created_at"}

        found = api.get(URL, asked).json()["items"]

        assert [item["slug"] for item in found] == [benchmark.slug]

    @pytest.mark.parametrize(
        "wrong", [{"license": "beer"}, {"endorsed": "maybe"}, {"ordering": "size"}, {"tags": "x" * 51}]
    )
    def test_name_what_they_do_not_know(self, api, wrong):
        response = api.get(URL, wrong)

        assert response.status_code == 400
        assert fields(response)[0].startswith(next(iter(wrong)))
