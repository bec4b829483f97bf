import pytest

from benchmarks import errors, selectors
from benchmarks.filters import ORDERS
from exchange.core.actors import ANONYMOUS, SYSTEM, Scope
from exchange.core.errors import InvalidInput
from exchange.core.paging import page
from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import (
    BenchmarkFactory,
    active_benchmark,
    case,
    draft_version,
    published_version,
    writer_of,
)

pytestmark = pytest.mark.django_db


def slugs(rows):
    return {benchmark.slug for benchmark in rows}


class TestListBenchmarks:
    def test_shows_others_only_what_is_public_and_no_draft(self):
        shown = active_benchmark()
        for visibility in ("unlisted", "private"):
            BenchmarkFactory(visibility=visibility, status="active")
        BenchmarkFactory()

        assert slugs(selectors.list_benchmarks(actor=ANONYMOUS)) == {shown.slug}

    def test_shows_an_organization_all_of_its_own(self):
        organization = OrganizationFactory()
        mine = {BenchmarkFactory(organization=organization, visibility=v).slug for v in ("public", "private")}

        assert slugs(selectors.list_benchmarks(actor=writer_of(organization))) == mine

    def test_shows_a_token_without_the_scope_what_everybody_sees(self, actor_of):
        organization = OrganizationFactory()
        BenchmarkFactory(organization=organization)
        actor = actor_of(organization, scopes=[Scope.SUBMISSIONS_READ])

        assert slugs(selectors.list_benchmarks(actor=actor)) == set()

    @pytest.mark.parametrize(
        "wanted",
        [
            {"category": "safety"},
            {"kind": "external"},
            {"status": "deprecated"},
            {"query": "needle"},
            {"query": "TAGGED"},
        ],
    )
    def test_narrows_by(self, wanted):
        found = BenchmarkFactory(
            category="safety", kind="external", status="deprecated", name="A Needle", tags=["tagged"]
        )
        BenchmarkFactory(status="active")

        assert slugs(selectors.list_benchmarks(actor=ANONYMOUS, **wanted)) == {found.slug}

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ({"license": "mit"}, {"first"}),
            ({"endorsed": True}, {"second"}),
            ({"endorsed": False}, {"first"}),
            ({"organization": "acme"}, {"first"}),
            ({"tags": ["math"]}, {"first", "second"}),
            ({"tags": ["MATH", "hard"]}, {"second"}),
            ({"tags": ["math", "law"]}, set()),
        ],
    )
    def test_narrows_by_what_is_said_of_it(self, wanted, found):
        acme = OrganizationFactory(slug="acme")
        shown = {"status": "active"}
        BenchmarkFactory(slug="first", license="mit", tags=["math"], organization=acme, **shown)
        BenchmarkFactory(slug="second", is_endorsed=True, tags=["hard", "math"], **shown)

        assert slugs(selectors.list_benchmarks(actor=ANONYMOUS, **wanted)) == found

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("arith", True),
            ("small whole", True),
            ("whole SMALL", True),
            ("generated", True),
            ("tiny-arith", True),
            ("rithmetic", False),
            ("whole fractions", False),
            ("' & | ! <-> :* ( \\", False),
            ("%", False),
            ("\\'); DROP TABLE x", False),
        ],
    )
    def test_finds_words_and_their_beginnings(self, query, found):
        words = {"name": "Tiny Arithmetic", "description": "Small whole numbers.", "tags": ["generated"]}
        BenchmarkFactory(slug="tiny-arithmetic", status="active", **words)

        assert selectors.list_benchmarks(actor=ANONYMOUS, query=query).exists() is found

    @pytest.mark.parametrize("ordering", ORDERS)
    def test_orders_and_pages_without_a_gap(self, ordering):
        for _ in range(5):
            BenchmarkFactory(status="active")
        rows = selectors.list_benchmarks(actor=ANONYMOUS, ordering=ordering)
        whole, paged, token = [row.pk for row in rows], [], ""

        while token or not paged:
            shown = page(rows, size=2, token=token)
            paged, token = paged + [row.pk for row in shown.items], shown.next_page_token

        assert paged == whole

    def test_refuses_an_order_that_it_does_not_know(self):
        with pytest.raises(InvalidInput) as refusal:
            selectors.list_benchmarks(actor=ANONYMOUS, ordering="slug")
        assert refusal.value.errors[0].field == "ordering"

    def test_names_the_current_version_in_one_query(self, django_assert_num_queries):
        versions = [published_version(active_benchmark(), number) for number in ("1.1.0", "2.0.0")]

        with django_assert_num_queries(1):
            rows = list(selectors.list_benchmarks(actor=ANONYMOUS))
            assert {row.current_version_id for row in rows} == {version.pk for version in versions}
            assert {row.organization.name for row in rows}


class TestGetBenchmark:
    @pytest.mark.parametrize(
        ("visibility", "status", "by_id", "by_slug"),
        [
            ("public", "active", True, True),
            ("unlisted", "active", True, False),
            ("private", "active", False, False),
            ("public", "draft", False, False),
        ],
    )
    def test_opens_to_strangers(self, visibility, status, by_id, by_slug):
        benchmark = BenchmarkFactory(visibility=visibility, status=status)
        ways = [
            (by_id, lambda: selectors.get_benchmark(actor=ANONYMOUS, benchmark_id=benchmark.pk)),
            (by_slug, lambda: selectors.get_benchmark_by_slug(actor=ANONYMOUS, slug=benchmark.slug)),
        ]
        for opens, ask in ways:
            if opens:
                assert ask() == benchmark
            else:
                with pytest.raises(errors.BenchmarkNotFound):
                    ask()

    def test_gives_the_system_everything(self):
        benchmark = BenchmarkFactory(visibility="private")

        assert selectors.get_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk) == benchmark


class TestVersions:
    def test_of_an_active_benchmark_hide_its_draft(self):
        benchmark = active_benchmark()
        draft = draft_version(benchmark, "2.0.0")

        def numbers(actor):
            rows = selectors.list_versions(actor=actor, benchmark_id=benchmark.pk)
            return [row.version for row in rows]

        assert numbers(ANONYMOUS) == ["1.0.0"]
        assert numbers(SYSTEM) == ["2.0.0", "1.0.0"]
        with pytest.raises(errors.VersionNotFound):
            selectors.get_version(actor=ANONYMOUS, version_id=draft.pk)

    def test_take_a_fixed_number_of_queries(self, django_assert_num_queries):
        benchmark = active_benchmark()
        for number in range(1, 4):
            published_version(benchmark, f"1.{number}.0")

        with django_assert_num_queries(4):
            rows = list(selectors.list_versions(actor=ANONYMOUS, benchmark_id=benchmark.pk))
            assert [row.policy.number for row in rows] == [1] * 4
            assert [len(row.metrics.all()) for row in rows] == [1] * 4


class TestListTestCases:
    def test_are_for_everybody_when_they_are_public(self):
        version = published_version(active_benchmark(), "1.1.0", cases_public=True, test_cases=[case()])

        assert selectors.list_test_cases(actor=ANONYMOUS, version_id=version.pk).count() == 1

    def test_are_for_the_organization_alone_otherwise(self, actor_of):
        benchmark = active_benchmark()
        version = selectors.current_version(benchmark)
        ask = {"version_id": version.pk}

        for actor in (ANONYMOUS, actor_of(OrganizationFactory())):
            with pytest.raises(errors.CasesArePrivate):
                selectors.list_test_cases(actor=actor, **ask)
        for actor in (SYSTEM, actor_of(benchmark.organization, role="viewer")):
            assert [row.key for row in selectors.list_test_cases(actor=actor, **ask)] == ["q1", "q2"]
