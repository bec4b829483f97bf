import math
from datetime import timedelta
from uuid import uuid4

import pytest

from benchmarks import errors, policies, selectors, services
from benchmarks.content import MOST_CASES
from exchange.accounts.errors import NotYourOrganization, OrganizationNotFound
from exchange.core import clock
from exchange.core.actors import SYSTEM, OrganizationRole
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from llm_benchmark.measure.canonical import digest as digest_of
from llm_benchmark.measure.plans import UNGROUPED
from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import (
    LOAD_PROFILE,
    BenchmarkFactory,
    active_benchmark,
    case,
    draft_version,
    latency,
    metric,
    published_version,
    writer_of,
)

pytestmark = pytest.mark.django_db


def refused(**content):
    """The (field, code) pairs of a refused version."""
    with pytest.raises(InvalidInput) as refusal:
        draft_version(**content)
    return {(error.field, error.code) for error in refusal.value.errors}


def facts(kind):
    return [entry.facts for entry in AuditEntry.objects.filter(kind=kind)]


class TestCreateBenchmark:
    def create(self, organization, **changes):
        form = {"slug": "math", "name": "Math", "kind": "quality", "category": "accuracy"}
        actor = writer_of(organization)
        return services.create_benchmark(actor=actor, organization_id=organization.pk, **{**form, **changes})

    def test_makes_a_draft_without_a_version(self):
        benchmark = self.create(OrganizationFactory(), tags=["Math", "math", " easy "])

        assert (benchmark.status, benchmark.current_version) == ("draft", None)
        assert benchmark.tags == ["math", "easy"]
        assert facts("benchmark.created")[0]["slug"] == "math"

    def test_refuses_a_slug_that_another_organization_has(self):
        self.create(OrganizationFactory())

        with pytest.raises(errors.SlugTaken) as refusal:
            self.create(OrganizationFactory())
        assert refusal.value.errors[0].field == "slug"

    def test_refuses_a_slug_that_is_a_path(self):
        with pytest.raises(InvalidInput) as refusal:
            self.create(OrganizationFactory(), slug="search")
        assert refusal.value.errors[0].code == "reserved"

    def test_refuses_an_organization_that_does_not_exist(self):
        with pytest.raises(OrganizationNotFound):
            self.create(OrganizationFactory.build())

    def test_marks_a_demo_organizations_benchmark_as_demo(self):
        assert self.create(OrganizationFactory(is_demo=True)).is_demo


class TestWhatIsSaidOfABenchmark:
    def create(self, actor, organization, **said):
        form = {"slug": "math", "name": "Math", "kind": "quality", "category": "accuracy"}
        return services.create_benchmark(actor=actor, organization_id=organization.pk, **{**form, **said})

    def test_is_kept_whole(self, actor_of):
        organization = OrganizationFactory()
        said = {
            "long_description": "Every case is made by a program.",
            "license": "cc_by_4_0",
            "documentation_url": "https://example.org/math",
            "source_url": "http://example.org/math.git",
        }
        cited = {"title": "Math", "authors": ["A. Author"], "year": clock.now().year + 1}

        made = self.create(actor_of(organization), organization, citation=cited, **said)

        assert {name: getattr(made, name) for name in said} == said
        assert made.citation == {**cited, "venue": "", "doi": "", "bibtex": ""}

    def test_names_its_maker_as_maintainer(self, actor_of):
        organization = OrganizationFactory()
        actor = actor_of(organization, username="ada")

        assert self.create(actor, organization).maintainers == ["ada"]

    def test_names_others_of_the_organization(self, actor_of):
        organization = OrganizationFactory()
        actor, _other = actor_of(organization), actor_of(organization, username="bob")

        assert self.create(actor, organization, maintainers=["Bob "]).maintainers == ["bob"]

    @pytest.mark.parametrize(
        ("said", "problem"),
        [
            ({"license": "custom"}, ("custom_license", "required")),
            ({"license": "mit", "custom_license": "Mine"}, ("custom_license", "not_for_this_license")),
            ({"custom_license": "Mine"}, ("custom_license", "not_for_this_license")),
            ({"citation": {"year": 2020}}, ("citation.title", "required")),
            ({"citation": {"title": "Math", "year": 1949}}, ("citation.year", "out_of_range")),
            ({"citation": {"title": "Math", "year": 9000}}, ("citation.year", "out_of_range")),
            ({"documentation_url": "javascript:alert(1)"}, ("documentation_url", "invalid_url")),
            ({"source_url": "ftp://example.org/x"}, ("source_url", "invalid_url")),
            ({"tags": [str(number) for number in range(21)]}, ("tags", "too_many")),
            ({"maintainers": ["nobody"]}, ("maintainers[0]", "not_a_member")),
        ],
    )
    def test_is_refused_by_field(self, actor_of, said, problem):
        organization = OrganizationFactory()

        with pytest.raises(InvalidInput) as refusal:
            self.create(actor_of(organization), organization, **said)
        assert [(error.field, error.code) for error in refusal.value.errors] == [problem]
        assert not BenchmarkFactory._meta.model.objects.exists()

    def test_refuses_a_maintainer_from_elsewhere(self, actor_of):
        organization = OrganizationFactory()
        actor_of(OrganizationFactory(), username="eve")

        with pytest.raises(InvalidInput) as refusal:
            self.create(actor_of(organization), organization, maintainers=["eve"])
        assert refusal.value.errors[0].code == "not_a_member"

    def test_changes_together(self, actor_of):
        organization = OrganizationFactory()
        actor = actor_of(organization)
        made = self.create(
            actor, organization, license="custom", custom_license="Mine", citation={"title": "Math"}
        )

        changed = services.update_benchmark(
            actor=actor, benchmark_id=made.pk, license="mit", citation={"title": ""}
        )

        assert (changed.license, changed.custom_license, changed.citation) == ("mit", "", None)

    def test_keeps_somebody_who_maintains_it(self, actor_of):
        organization = OrganizationFactory()
        actor = actor_of(organization)
        made = self.create(actor, organization)

        with pytest.raises(InvalidInput) as refusal:
            services.update_benchmark(actor=actor, benchmark_id=made.pk, maintainers=[])
        assert refusal.value.errors[0].field == "maintainers"


class TestFollowingAPublishedVersion:
    @pytest.mark.parametrize(
        ("number", "said", "fields"),
        [
            ("1.1.0", {"changelog": "  Small.  "}, ["changelog"]),
            ("2.0.0", {"migration_notes": "Too short."}, ["migration_notes"]),
            ("2.0.0", {"changelog": "", "migration_notes": ""}, ["changelog", "migration_notes"]),
        ],
    )
    def test_says_what_changed_and_how_to_move(self, number, said, fields):
        benchmark = published_version().benchmark

        with pytest.raises(InvalidInput) as refusal:
            draft_version(benchmark, number, **said)
        assert [error.field for error in refusal.value.errors] == fields

    def test_needs_no_notes_when_nothing_breaks(self):
        benchmark = published_version().benchmark

        assert draft_version(benchmark, "1.1.0", migration_notes="").parent

    def test_asks_nothing_of_the_first(self):
        first = published_version(changelog="", migration_notes="")

        assert (first.parent, first.is_compatible) == (None, None)

    @pytest.mark.parametrize(
        ("first", "second", "compatible"),
        [("1.0.0", "1.1.0", True), ("1.0.0", "2.0.0", False), ("0.1.0", "0.2.0", False)],
    )
    def test_tells_whether_results_compare(self, first, second, compatible):
        benchmark = published_version(version=first).benchmark

        second = published_version(benchmark, second)

        assert (second.parent.version, second.is_compatible) == (first, compatible)

    def test_follows_what_is_published_by_then(self):
        first = published_version()
        later = draft_version(first.benchmark, "1.2.0")
        published_version(draft_version(first.benchmark, "1.3.0").benchmark, "1.4.0")
        newest = draft_version(first.benchmark, "1.5.0")

        assert (later.parent.version, newest.parent.version) == ("1.0.0", "1.4.0")

    def test_is_checked_again_when_it_is_published(self):
        benchmark = BenchmarkFactory()
        first = draft_version(benchmark, "1.0.0")
        later = draft_version(benchmark, "1.1.0", changelog="")
        actor = writer_of(benchmark.organization)
        services.publish_version(actor=actor, version_id=first.pk)

        with pytest.raises(InvalidInput) as refusal:
            services.publish_version(actor=actor, version_id=later.pk)
        assert refusal.value.errors[0].field == "changelog"


class TestUpdateBenchmark:
    def test_changes_what_is_given_and_keeps_the_rest(self):
        benchmark = BenchmarkFactory(description="old", tags=["a"])
        actor = writer_of(benchmark.organization)

        services.update_benchmark(actor=actor, benchmark_id=benchmark.pk, name="New", tags=["B"])

        benchmark.refresh_from_db()
        assert (benchmark.name, benchmark.description, benchmark.tags) == ("New", "old", ["b"])
        assert facts("benchmark.updated")[0]["fields"] == ["name", "tags"]

    def test_lets_members_edit_a_draft_only(self):
        draft, active = BenchmarkFactory(), active_benchmark()
        for benchmark in (draft, active):
            actor = writer_of(benchmark.organization, OrganizationRole.MEMBER)
            change = {"actor": actor, "benchmark_id": benchmark.pk, "name": "New"}
            if benchmark is active:
                with pytest.raises(NotYourOrganization):
                    services.update_benchmark(**change)
            else:
                assert services.update_benchmark(**change).name == "New"

    def test_lets_admins_edit_what_is_active(self):
        benchmark = active_benchmark()
        actor = writer_of(benchmark.organization, OrganizationRole.ADMIN)

        changed = services.update_benchmark(actor=actor, benchmark_id=benchmark.pk, name="New")

        assert (changed.name, changed.current_version) == ("New", "1.0.0")


class TestCreateVersion:
    def test_stores_the_content_in_the_authors_order(self):
        version = draft_version(
            test_cases=[case("z"), case("a")],
            metrics=[metric(), metric("completion_rate", is_primary=False)],
        )

        assert [row.name for row in version.metrics.all()] == ["accuracy", "completion_rate"]
        assert [question.key for question in selectors.plan_questions(version)] == ["z", "a"]
        assert (version.status, version.content_hash, version.test_case_count) == ("draft", None, 2)

    def test_comes_with_the_authors_policy(self):
        policy = draft_version(policy={"delta": 0.03}).policy

        assert (policy.number, policy.delta, policy.alpha) == (1, 0.03, 0.05)
        assert (policy.deciding_metrics, policy.decided_by) == (["accuracy"], "author")

    @pytest.mark.parametrize("number", ["1.0", "v1.0.0", "01.0.0", "1.0.0+build", "1.0.0-", "x" * 65])
    def test_refuses_what_is_no_semantic_version(self, number):
        assert refused(version=number) == {("version", "not_semver")}

    @pytest.mark.parametrize("number", ["1.2.0", "1.1.9", "1.2.0-rc.1"])
    def test_refuses_a_number_that_does_not_grow(self, number):
        benchmark = draft_version(version="1.2.0").benchmark

        with pytest.raises(errors.VersionMustGrow) as refusal:
            draft_version(benchmark, number)
        assert refusal.value.errors[0].field == "version"

    @pytest.mark.parametrize("number", ["1.2.1", "1.10.0", "2.0.0-alpha"])
    def test_accepts_a_number_above(self, number):
        benchmark = draft_version(version="1.2.0").benchmark

        assert draft_version(benchmark, number).version == number

    @pytest.mark.parametrize(
        ("metrics", "problem"),
        [
            ([], ("metrics", "no_primary_metric")),
            ([metric(is_primary=False)], ("metrics", "no_primary_metric")),
            ([metric(), metric("completion_rate")], ("metrics", "several_primary_metrics")),
            ([metric(), metric(is_primary=False)], ("metrics[1].name", "duplicate_metric_name")),
            ([metric(direction="")], ("metrics[0].direction", "required")),
            ([metric(kind="")], ("metrics[0].kind", "required")),
            ([metric(minimum=2.0)], ("metrics[0].maximum", "bounds_reversed")),
            ([metric(minimum=math.nan)], ("metrics[0].minimum", "not_finite")),
            ([metric("cleverness")], ("policy.deciding_metrics[0]", "not_measured")),
        ],
    )
    def test_refuses_metrics_that_say_too_little_or_too_much(self, metrics, problem):
        assert problem in refused(metrics=metrics)

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"scorer": "magic_v1"}, ("test_cases[1].scorer", "unknown_scorer")),
            ({"reference": "five"}, ("test_cases[1].reference", "invalid_reference_answer")),
            ({"key": "q1"}, ("test_cases[1].key", "duplicate_case_key")),
            ({"group": "__ungrouped__"}, ("test_cases[1].group", "reserved")),
            ({"weight": 0.0}, ("test_cases[1].weight", "invalid_weight")),
            ({"weight": math.nan}, ("test_cases[1].weight", "invalid_weight")),
            ({"choices": {"A": "one"}}, ("test_cases[1].choices", "invalid_choices_config")),
            ({"choices": {"aa": "x", "B": "y"}}, ("test_cases[1].choices", "invalid_choices_config")),
            ({"scorer_config": {"speed": 1}}, ("test_cases[1].scorer_config.speed", "unknown_option")),
            (
                {"scorer_config": {"abs_tolerance": math.inf}},
                ("test_cases[1].scorer_config.abs_tolerance", "invalid_tolerance"),
            ),
            (
                {"scorer": "multiple_choice_v1", "choices": {"A": "x", "B": "y"}, "reference": "C"},
                ("test_cases[1].reference", "invalid_reference_answer"),
            ),
        ],
    )
    def test_names_the_case_and_field_that_cannot_be_scored(self, changes, problem):
        assert refused(test_cases=[case("q1"), case(**{"key": "q2", **changes})]) == {problem}

    def test_asks_each_case_in_its_group(self):
        version = draft_version(test_cases=[case("q1", group="sums"), case("q2")])

        questions = selectors.plan_questions(version)

        assert [question.group for question in questions] == ["sums", UNGROUPED]

    def test_refuses_quality_without_cases_or_place_for_the_prompt(self):
        assert refused(test_cases=[], prompt_template="Answer!") == {
            ("test_cases", "no_test_cases"),
            ("prompt_template", "prompt_placeholder_missing"),
        }

    def test_refuses_more_cases_than_a_version_holds(self):
        found = refused(test_cases=[case(f"q{number}") for number in range(MOST_CASES + 1)])

        assert found == {("test_cases", "too_many")}

    def test_reports_a_hundred_problems_and_then_that_there_are_more(self):
        found = refused(test_cases=[case(f"q{number}", reference="?") for number in range(150)])

        assert len(found) == 101
        assert ("", "too_many_issues") in found

    @pytest.mark.parametrize(
        ("kind", "content", "problem"),
        [
            ("quality", {"load_profile": LOAD_PROFILE}, ("load_profile", "not_for_this_kind")),
            ("performance", {"load_profile": None}, ("load_profile", "required")),
            ("performance", {"test_cases": [case()]}, ("test_cases", "not_for_this_kind")),
            (
                "performance",
                {"load_profile": {**LOAD_PROFILE, "requests": 0}},
                ("load_profile.requests", "out_of_range"),
            ),
            (
                "performance",
                {"load_profile": {**LOAD_PROFILE, "concurrency": 21}},
                ("load_profile.concurrency", "out_of_range"),
            ),
            (
                "performance",
                {"load_profile": {**LOAD_PROFILE, "streaming": False}},
                ("metrics[0].name", "needs_streaming"),
            ),
            (
                "performance",
                {"metrics": [latency(direction="higher_is_better")]},
                ("metrics[0].direction", "contradicts_the_measurement"),
            ),
            ("external", {"test_cases": [case()]}, ("test_cases", "not_for_this_kind")),
            ("external", {"load_profile": LOAD_PROFILE}, ("load_profile", "not_for_this_kind")),
        ],
    )
    def test_refuses_content_of_another_kind(self, kind, content, problem):
        assert problem in refused(benchmark=BenchmarkFactory(kind=kind), **content)

    @pytest.mark.parametrize("kind", ["performance", "external"])
    def test_accepts_the_least_that_a_kind_needs(self, kind):
        assert draft_version(BenchmarkFactory(kind=kind)).test_case_count == 0

    @pytest.mark.parametrize(
        ("policy", "problem"),
        [
            ({"delta": 0.0}, ("policy.delta", "out_of_range")),
            ({"alpha": 0.5}, ("policy.alpha", "out_of_range")),
            ({"sessions": 0}, ("policy.sessions", "out_of_range")),
            ({"deciding_metrics": ["speed"]}, ("policy.deciding_metrics[0]", "unknown_metric")),
            ({"deciding_metrics": ["accuracy"] * 2}, ("policy.deciding_metrics[1]", "duplicate")),
            ({"tolerances": {"speed": 0.1}}, ("policy.tolerances.speed", "unknown_metric")),
            ({"tolerances": {"accuracy": math.inf}}, ("policy.tolerances.accuracy", "out_of_range")),
            ({"gamma": math.nan}, ("policy.gamma", "out_of_range")),
        ],
    )
    def test_refuses_a_policy_that_cannot_judge(self, policy, problem):
        assert refused(policy=policy) == {problem}

    def test_gives_performance_the_default_tolerances(self):
        metrics = [
            latency(),
            latency("request_latency_p50", is_primary=False),
            latency("itl_p99", is_primary=False),
            metric("requests_per_second", kind="rate", maximum=None, is_primary=False),
            latency("error_rate", kind="error_rate", is_primary=False),
        ]

        policy = draft_version(BenchmarkFactory(kind="performance"), metrics=metrics).policy

        assert policy.deciding_metrics == ["ttft_p50", "request_latency_p50"]
        assert policy.tolerances == {
            "ttft_p50": 0.15,
            "request_latency_p50": 0.15,
            "itl_p99": 0.25,
            "requests_per_second": 0.1,
        }


class TestUpdateVersion:
    def update(self, version, **changes):
        actor = writer_of(version.benchmark.organization)
        return services.update_version(actor=actor, version_id=version.pk, **changes)

    def test_replaces_the_parts_that_are_given(self):
        version = draft_version(changelog="first", prompt_template="Q: {prompt}")

        changed = self.update(version, test_cases=[case("only")], cases_public=True)

        assert (changed.changelog, changed.prompt_template) == ("first", "Q: {prompt}")
        assert (changed.test_case_count, changed.cases_public) == (1, True)

    def test_refuses_a_published_version(self):
        with pytest.raises(errors.VersionIsPublished):
            self.update(published_version(), changelog="oops")

    def test_checks_the_whole_content_again(self):
        version = draft_version()

        with pytest.raises(InvalidInput) as refusal:
            self.update(version, prompt_template="no place")
        assert refusal.value.errors[0].field == "prompt_template"

    def test_numbers_a_new_policy_and_keeps_the_old_one(self):
        changed = self.update(draft_version(), policy={"delta": 0.04})

        assert (changed.policy.number, changed.policy.delta) == (2, 0.04)
        assert changed.policies.count() == 2

    def test_refuses_to_drop_the_metric_that_decides(self):
        version = draft_version(
            metrics=[metric(), metric("completion_rate", is_primary=False)],
            policy={"deciding_metrics": ["completion_rate"]},
        )

        with pytest.raises(InvalidInput) as refusal:
            self.update(version, metrics=[metric()])
        assert refusal.value.errors[0].field == "policy.deciding_metrics[0]"


class TestPublishVersion:
    def test_hashes_the_content_and_supersedes_the_one_before(self):
        first = published_version()
        second = published_version(first.benchmark, "1.1.0", test_cases=[case("other")])

        first.refresh_from_db()
        assert (first.status, second.status) == ("superseded", "published")
        assert first.content_hash != second.content_hash
        assert len(second.content_hash) == 64
        assert second.published_at is not None
        assert facts("benchmark_version.published")[-1]["content_hash"] == second.content_hash

    def test_gives_the_same_content_the_same_hash(self):
        one, other = published_version(), published_version(changelog="other words", cases_public=True)

        assert one.content_hash == other.content_hash

    @pytest.mark.parametrize(
        "change",
        [
            {"prompt_template": "Q: {prompt}"},
            {"system_prompt": "Be brief."},
            {"generation": {"temperature": 0.5}},
            {"metrics": [metric(maximum=None)]},
            {"test_cases": [case("q1"), case("q2", reference="6")]},
            {"test_cases": [case("q2"), case("q1")]},
            {"test_cases": [case("q1"), case("q2", weight=2.0)]},
        ],
    )
    def test_gives_changed_content_another_hash(self, change):
        assert published_version(**change).content_hash != published_version().content_hash

    def test_spells_whole_numbers_alike_whichever_door_they_came_through(self):
        cases = [[case(scorer_config={"abs_tolerance": number}, weight=number)] for number in (1, 1.0)]

        one, other = (published_version(test_cases=test_cases) for test_cases in cases)

        assert one.content_hash == other.content_hash

    def test_refuses_to_publish_twice(self):
        version = published_version()

        with pytest.raises(errors.VersionIsPublished):
            services.publish_version(actor=writer_of(version.benchmark.organization), version_id=version.pk)

    def test_refuses_to_go_back_behind_the_published_version(self):
        older = draft_version(version="1.1.0")
        published_version(older.benchmark, "1.2.0")

        with pytest.raises(errors.VersionMustGrow):
            services.publish_version(actor=writer_of(older.benchmark.organization), version_id=older.pk)


class TestTheRuleOfADraft:
    def test_is_kept_anew_when_other_metrics_change_it(self):
        draft = draft_version(BenchmarkFactory(kind="performance"), metrics=[latency()])
        actor = writer_of(draft.benchmark.organization)
        before = draft.policy

        metrics = [latency(), latency("ttft_p95", is_primary=False)]
        changed = services.update_version(actor=actor, version_id=draft.pk, metrics=metrics)
        same = services.update_version(actor=actor, version_id=draft.pk, changelog="Only words.")

        assert set(before.tolerances) == {"ttft_p50"}
        assert set(changed.policy.tolerances) == {"ttft_p50", "ttft_p95"}
        assert (changed.policy.number, same.policy.number) == (2, 2)


class TestAddPolicy:
    def add(self, version, role=OrganizationRole.ADMIN, **rule):
        actor = writer_of(version.benchmark.organization, role)
        return services.add_policy(actor=actor, version_id=version.pk, **rule)

    def test_adds_the_next_number_and_keeps_the_hash(self):
        version = published_version()
        first = version.policy

        second = self.add(version, delta=0.05)

        version.refresh_from_db()
        assert (second.number, second.delta) == (2, 0.05)
        assert second.digest != first.digest
        assert selectors.get_policy_in_force(version, second.effective_at) == second
        assert selectors.get_policy_in_force(version, first.effective_at) == first

    def test_takes_a_later_time_and_refuses_an_earlier_one(self):
        version, hour = published_version(), timedelta(hours=1)

        later = self.add(version, delta=0.05, effective_at=clock.now() + hour)
        with pytest.raises(InvalidInput) as refusal:
            self.add(version, delta=0.06, effective_at=clock.now() - hour)

        assert selectors.get_policy_in_force(version, clock.now()).number == 1
        assert selectors.get_policy_in_force(version, later.effective_at) == later
        assert [error.code for error in refusal.value.errors] == ["in_the_past"]

    def test_names_the_wrong_field_without_a_prefix(self):
        with pytest.raises(InvalidInput) as refusal:
            self.add(published_version(), delta=0.9)
        assert [error.field for error in refusal.value.errors] == ["delta"]

    def test_is_for_admins(self):
        with pytest.raises(NotYourOrganization):
            self.add(published_version(), role=OrganizationRole.MEMBER, delta=0.05)


class TestAQualityGate:
    def gate(self, version=None, **changes):
        version = version or active_benchmark().versions.get()
        return {"benchmark_version_id": version.pk, "metric": "accuracy", "minimum": 0.85, **changes}

    def refused(self, gate, kind="performance", **benchmark):
        with pytest.raises(InvalidInput) as refusal:
            draft_version(BenchmarkFactory(kind=kind, **benchmark), policy={"quality_gate": gate})
        return {
            (error.field.removeprefix("policy.quality_gate"), error.code) for error in refusal.value.errors
        }

    def test_is_stored_as_it_is_hashed(self):
        draft = draft_version(
            BenchmarkFactory(kind="performance"), policy={"quality_gate": (gate := self.gate())}
        )

        assert draft.policy.quality_gate == {
            **gate,
            "benchmark_version_id": str(gate["benchmark_version_id"]),
        }

    def test_changes_the_digest_only_where_there_is_one(self):
        rule = {"delta": 0.02, "alpha": 0.05, "gamma": 0.01, "sessions": 1, "tolerances": {}}
        rule |= {"deciding_metrics": ["ttft_p50"]}

        assert policies.digest({**rule, "quality_gate": None}) == digest_of(rule)
        assert policies.digest({**rule, "quality_gate": {"minimum": 0.85}}) != digest_of(rule)

    @pytest.mark.parametrize(
        ("changes", "problem"),
        [
            ({"benchmark_version_id": uuid4()}, (".benchmark_version_id", "unknown_version")),
            ({"metric": "completion_rate"}, (".metric", "unknown_metric")),
            ({"minimum": 1.01}, (".minimum", "out_of_range")),
            ({"minimum": -0.01}, (".minimum", "out_of_range")),
            ({"minimum": math.nan}, (".minimum", "out_of_range")),
        ],
    )
    def test_is_refused_by_field(self, changes, problem):
        assert self.refused(self.gate(**changes)) == {problem}

    def test_is_of_a_published_quality_version_that_others_see(self):
        speed = active_benchmark(kind="performance").versions.get()
        path = ".benchmark_version_id"
        assert self.refused(self.gate(speed)) == {(path, "not_quality")}

        own = BenchmarkFactory(visibility="private")
        draft = draft_version(own)
        found = self.refused(self.gate(draft), organization=own.organization)
        assert found == {(path, "not_published"), (path, "not_public")}
        assert self.refused(self.gate(draft)) == {(path, "unknown_version")}

    def test_belongs_to_performance(self):
        assert self.refused(self.gate(), kind="quality") == {("", "not_for_this_kind")}

    def test_is_named_without_a_prefix_in_a_policy_of_its_own(self):
        speed = active_benchmark(kind="performance")
        actor = writer_of(speed.organization)

        with pytest.raises(InvalidInput) as refusal:
            services.add_policy(
                actor=actor, version_id=speed.versions.get().pk, quality_gate=self.gate(metric="speed")
            )
        assert [error.field for error in refusal.value.errors] == ["quality_gate.metric"]


class TestPlanQuestions:
    @pytest.mark.parametrize(
        ("template", "prompt"),
        [
            ("{prompt}", "Pick {choices}!\nA. x\nB. y"),
            ("{prompt}\n\n{choices}\nLetter:", "Pick {choices}!\n\nA. x\nB. y\nLetter:"),
            ("Q: {prompt} {other}", "Q: Pick {choices}!\nA. x\nB. y {other}"),
        ],
    )
    def test_renders_prompt_and_choices_once(self, template, prompt):
        item = case(
            prompt="Pick {choices}!", choices={"B": "y", "A": "x"}, scorer="multiple_choice_v1", reference="A"
        )

        questions = selectors.plan_questions(draft_version(prompt_template=template, test_cases=[item]))

        assert questions[0].prompt == prompt
        assert questions[0].choices == {"A": "x", "B": "y"}

    def test_gives_a_question_without_choices_none(self):
        assert selectors.plan_questions(draft_version())[0].choices is None


class TestCurrentVersion:
    def test_is_the_published_one(self):
        version = published_version()
        draft_version(version.benchmark, "2.0.0")

        assert selectors.current_version(version.benchmark) == version

    def test_refuses_a_benchmark_without_one(self):
        with pytest.raises(errors.NoPublishedVersion):
            selectors.current_version(draft_version().benchmark)

    def test_finds_a_version_by_its_number(self):
        version = published_version()
        by_number = selectors.get_version_by_number

        assert by_number(actor=SYSTEM, benchmark_id=version.benchmark_id, number="1.0.0") == version
        assert by_number(actor=SYSTEM, benchmark_id=version.benchmark_id) == version
        with pytest.raises(errors.VersionNotFound):
            by_number(actor=SYSTEM, benchmark_id=version.benchmark_id, number="9.0.0")
