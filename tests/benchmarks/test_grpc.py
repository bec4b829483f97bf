import pytest

from benchmarks.api.grpc import BenchmarkService
from exchange.api.pb import benchmarks_pb2 as pb
from exchange.core.actors import SiteRole
from tests.factories.accounts import MembershipFactory, UserFactory, token_for
from tests.factories.benchmarks import (
    BenchmarkFactory,
    active_benchmark,
    case,
    content_for,
    metric,
    published_version,
)
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db
service = BenchmarkService()
METRIC = {
    **metric(),
    "direction": "METRIC_DIRECTION_HIGHER_IS_BETTER",
    "kind": "METRIC_KIND_PROPORTION",
}


@pytest.fixture
def membership():
    return MembershipFactory()


def created(membership):
    return call(
        service.CreateBenchmark,
        pb.CreateBenchmarkRequest(
            organization_id=str(membership.organization_id),
            slug="by-rpc",
            name="By RPC",
            kind=pb.BENCHMARK_KIND_QUALITY,
            category=pb.BENCHMARK_CATEGORY_ACCURACY,
        ),
        token=token_for(membership.user),
    )


class TestBenchmarkService:
    def test_publishes_a_version_with_the_hash_that_rest_would_give(self, membership):
        token, benchmark = token_for(membership.user), created(membership)
        draft = call(
            service.CreateBenchmarkVersion,
            pb.CreateBenchmarkVersionRequest(
                benchmark_id=benchmark.id,
                version="1.0.0",
                metrics=[METRIC],
                test_cases=[case("q1", scorer_config={"abs_tolerance": 1}), case("q2")],
            ),
            token=token,
        )
        changed = call(
            service.UpdateBenchmarkVersion,
            pb.UpdateBenchmarkVersionRequest(id=draft.id, changelog="First."),
            token=token,
        )
        published = call(
            service.PublishBenchmarkVersion, pb.PublishBenchmarkVersionRequest(id=draft.id), token=token
        )

        same = [case("q1", scorer_config={"abs_tolerance": 1}), case("q2")]
        assert changed.changelog == "First."
        assert published.status == pb.BENCHMARK_VERSION_STATUS_PUBLISHED
        assert published.content_hash == published_version(test_cases=same).content_hash

    def test_lists_finds_and_reads(self):
        benchmark = active_benchmark()
        published_version(benchmark, "1.1.0", cases_public=True, **content_for("quality"))
        listed = call(service.ListBenchmarks, pb.ListBenchmarksRequest(query=benchmark.slug))
        found = call(service.GetBenchmarkBySlug, pb.GetBenchmarkBySlugRequest(slug=benchmark.slug))
        versions = call(service.ListBenchmarkVersions, pb.ListBenchmarkVersionsRequest(benchmark_id=found.id))
        version = call(
            service.GetBenchmarkVersion, pb.GetBenchmarkVersionRequest(id=found.current_version_id)
        )
        cases = call(service.ListTestCases, pb.ListTestCasesRequest(version_id=version.id))

        assert list(listed.items) == [found]
        assert [row.version for row in versions.items] == ["1.1.0", "1.0.0"]
        assert version.metrics[0].direction == pb.METRIC_DIRECTION_HIGHER_IS_BETTER
        assert [item.key for item in cases.items] == ["q1", "q2"]

    def test_updates_what_is_given(self, membership):
        benchmark = created(membership)

        request = pb.UpdateBenchmarkRequest(id=benchmark.id, name="New")
        changed = call(service.UpdateBenchmark, request, token=token_for(membership.user))

        assert (changed.name, changed.category) == ("New", pb.BENCHMARK_CATEGORY_ACCURACY)

    def test_refuses_a_metric_without_direction_by_its_path(self, membership):
        benchmark = created(membership)
        wrong = {**METRIC, "direction": 0}

        with pytest.raises(RpcFailed) as failed:
            call(
                service.CreateBenchmarkVersion,
                pb.CreateBenchmarkVersionRequest(benchmark_id=benchmark.id, version="1.0.0", metrics=[wrong]),
                token=token_for(membership.user),
            )
        assert (failed.value.code, failed.value.fields) == ("invalid_input", ["metrics[0].direction"])

    def test_refuses_a_number_that_is_none(self, membership):
        benchmark = created(membership)

        with pytest.raises(RpcFailed) as failed:
            call(
                service.CreateBenchmarkVersion,
                pb.CreateBenchmarkVersionRequest(
                    benchmark_id=benchmark.id, version="1.0.0", metrics=[{**METRIC, "minimum": float("nan")}]
                ),
                token=token_for(membership.user),
            )
        assert failed.value.fields == ["metrics[0].minimum"]


class TestAddVerificationPolicy:
    @pytest.mark.parametrize("moment", [{"seconds": 2**62}, {"nanos": 2**31 - 1}])
    def test_names_a_time_that_is_none(self, membership, moment):
        request = pb.AddVerificationPolicyRequest(version_id=str(membership.pk), effective_at=moment)

        with pytest.raises(RpcFailed) as refused:
            call(service.AddVerificationPolicy, request, token=token_for(membership.user))

        assert (refused.value.grpc, refused.value.fields) == ("INVALID_ARGUMENT", ["effective_at"])


class TestTheReviewCycle:
    def test_moves_a_benchmark_and_lists_its_moves(self, membership):
        version = published_version(BenchmarkFactory(organization=membership.organization))
        token, benchmark = token_for(membership.user), str(version.benchmark_id)
        reviewer = token_for(UserFactory(role=SiteRole.REVIEWER))

        call(service.SubmitForReview, pb.SubmitForReviewRequest(id=benchmark), token=token)
        rejected = pb.RejectBenchmarkRequest(id=benchmark, reason="The cases repeat each other.")
        call(service.RejectBenchmark, rejected, token=reviewer)
        call(service.SubmitForReview, pb.SubmitForReviewRequest(id=benchmark), token=token)
        back = call(service.TakeBackFromReview, pb.TakeBackFromReviewRequest(id=benchmark), token=token)
        call(service.SubmitForReview, pb.SubmitForReviewRequest(id=benchmark), token=token)
        active = call(service.ApproveBenchmark, pb.ApproveBenchmarkRequest(id=benchmark), token=reviewer)
        retired = pb.DeprecateBenchmarkRequest(id=benchmark, reason="Everybody has solved it.")
        call(service.DeprecateBenchmark, retired, token=token)
        call(service.ReactivateBenchmark, pb.ReactivateBenchmarkRequest(id=benchmark), token=token)
        call(service.DeprecateBenchmark, retired, token=token)
        last = call(service.ArchiveBenchmark, pb.ArchiveBenchmarkRequest(id=benchmark), token=token)
        moves = call(
            service.ListBenchmarkStatusChanges,
            pb.ListBenchmarkStatusChangesRequest(benchmark_id=benchmark, page_size=1),
        )

        assert back.status == pb.BENCHMARK_STATUS_DRAFT
        assert (active.status, last.status) == (pb.BENCHMARK_STATUS_ACTIVE, pb.BENCHMARK_STATUS_ARCHIVED)
        assert moves.items[0].to_status == pb.BENCHMARK_STATUS_ARCHIVED
        assert moves.items[0].changed_by_name == membership.user.username
        assert moves.next_page_token

    def test_refuses_what_is_not_where_it_was_seen(self, membership):
        benchmark = BenchmarkFactory(organization=membership.organization, published=True)
        request = pb.SubmitForReviewRequest(
            id=str(benchmark.pk), expected_status=pb.BENCHMARK_STATUS_UNDER_REVIEW
        )

        with pytest.raises(RpcFailed) as refusal:
            call(service.SubmitForReview, request, token=token_for(membership.user))
        assert (refusal.value.grpc, refusal.value.code) == ("FAILED_PRECONDITION", "status_changed")


class TestWhatIsSaidOfABenchmark:
    def test_comes_back_as_it_was_given(self, membership):
        request = pb.CreateBenchmarkRequest(
            organization_id=str(membership.organization_id),
            slug="said",
            name="Said",
            kind=pb.BENCHMARK_KIND_QUALITY,
            category=pb.BENCHMARK_CATEGORY_ACCURACY,
            license=pb.LICENSE_TYPE_CC_BY_4_0,
            citation=pb.Citation(title="Said", authors=["A. Author"], year=2020),
            maintainers=[membership.user.username],
        )

        made = call(service.CreateBenchmark, request, token=token_for(membership.user))

        assert (made.license, list(made.maintainers)) == (request.license, [membership.user.username])
        assert (made.citation.title, made.citation.year, made.is_endorsed) == ("Said", 2020, False)

    def test_says_nothing_where_nothing_was_said(self, membership):
        made = created(membership)

        assert not made.HasField("license")
        assert not made.HasField("citation")

    def test_narrows_a_list(self, membership):
        active_benchmark()
        request = pb.ListBenchmarksRequest(tags=["none"], endorsed=False, ordering="-name")

        assert not call(service.ListBenchmarks, request).items
