import pytest

from benchmarks.api.grpc import BenchmarkService
from exchange.api.pb import benchmarks_pb2 as pb
from tests.factories.accounts import MembershipFactory, token_for
from tests.factories.benchmarks import active_benchmark, case, content_for, metric, published_version
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
