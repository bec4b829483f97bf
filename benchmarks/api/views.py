from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from benchmarks import reviewing, selectors, services
from exchange.api.forms import body, parse, query, split_page
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet

from . import serializers as s


class BenchmarkViewSet(ApiViewSet):
    @extend_schema(parameters=[s.ListBenchmarksRequestSerializer], responses=s.BenchmarkSerializer(many=True))
    def list(self, request):
        filters, page = split_page(parse(s.ListBenchmarksRequestSerializer, query(request)))
        rows = selectors.list_benchmarks(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkSerializer, rows, page))

    @extend_schema(parameters=[s.ListBenchmarksRequestSerializer], responses=s.BenchmarkSerializer(many=True))
    @action(detail=False)
    def search(self, request):
        """The list under an older name: `q` is `query`."""
        given = {"query" if name == "q" else name: value for name, value in query(request).items()}
        filters, page = split_page(parse(s.ListBenchmarksRequestSerializer, given))
        rows = selectors.list_benchmarks(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkSerializer, rows, page))

    @extend_schema(request=s.CreateBenchmarkRequestSerializer, responses={201: s.BenchmarkSerializer})
    def create(self, request):
        form = parse(s.CreateBenchmarkRequestSerializer, body(request))
        benchmark = services.create_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data, 201)

    @extend_schema(responses=s.BenchmarkSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetBenchmarkRequestSerializer, {"id": pk})
        benchmark = selectors.get_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(responses=s.BenchmarkSerializer)
    def retrieve_by_slug(self, request, slug):
        form = parse(s.GetBenchmarkBySlugRequestSerializer, {"slug": slug})
        benchmark = selectors.get_benchmark_by_slug(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.UpdateBenchmarkRequestSerializer, responses=s.BenchmarkSerializer)
    def update(self, request, pk):
        form = parse(s.UpdateBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.update_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    partial_update = update

    @extend_schema(request=s.SubmitForReviewRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"], url_path="submit-for-review")
    def submit_for_review(self, request, pk):
        form = parse(s.SubmitForReviewRequestSerializer, body(request, id=pk))
        benchmark = reviewing.submit_for_review(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.ApproveBenchmarkRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def approve(self, request, pk):
        form = parse(s.ApproveBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = reviewing.approve_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.RejectBenchmarkRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def reject(self, request, pk):
        form = parse(s.RejectBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = reviewing.reject_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.TakeBackFromReviewRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"], url_path="take-back")
    def take_back(self, request, pk):
        form = parse(s.TakeBackFromReviewRequestSerializer, body(request, id=pk))
        benchmark = reviewing.take_back_from_review(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.DeprecateBenchmarkRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def deprecate(self, request, pk):
        form = parse(s.DeprecateBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.deprecate_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.ReactivateBenchmarkRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def reactivate(self, request, pk):
        form = parse(s.ReactivateBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.reactivate_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(request=s.ArchiveBenchmarkRequestSerializer, responses=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def archive(self, request, pk):
        form = parse(s.ArchiveBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.archive_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @extend_schema(
        parameters=[s.ListBenchmarkStatusChangesRequestSerializer],
        responses=s.BenchmarkStatusChangeSerializer(many=True),
    )
    @action(detail=True, url_path="status-changes")
    def status_changes(self, request, pk):
        form = parse(s.ListBenchmarkStatusChangesRequestSerializer, query(request, benchmark_id=pk))
        filters, page = split_page(form)
        rows = selectors.list_status_changes(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkStatusChangeSerializer, rows, page))


class BenchmarkVersionsViewSet(ApiViewSet):
    """The versions of one benchmark: /benchmarks/{benchmark_id}/versions."""

    @extend_schema(
        parameters=[s.ListBenchmarkVersionsRequestSerializer],
        responses=s.BenchmarkVersionSerializer(many=True),
    )
    def list(self, request, benchmark_id):
        form = parse(s.ListBenchmarkVersionsRequestSerializer, query(request, benchmark_id=benchmark_id))
        filters, page = split_page(form)
        rows = selectors.list_versions(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkVersionSerializer, rows, page))

    @extend_schema(
        request=s.CreateBenchmarkVersionRequestSerializer, responses={201: s.BenchmarkVersionSerializer}
    )
    def create(self, request, benchmark_id):
        data = body(request, benchmark_id=benchmark_id)
        form = parse(s.CreateBenchmarkVersionRequestSerializer, data)
        version = services.create_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data, 201)


class VerificationPoliciesViewSet(ApiViewSet):
    """The rules of one version: /benchmark-versions/{version_id}/policies."""

    @extend_schema(
        parameters=[s.ListVerificationPoliciesRequestSerializer],
        responses=s.VerificationPolicySerializer(many=True),
    )
    def list(self, request, version_id):
        form = parse(s.ListVerificationPoliciesRequestSerializer, query(request, version_id=version_id))
        filters, page = split_page(form)
        rows = selectors.list_policies(actor=request.user, **filters)
        return Response(shown_page(s.VerificationPolicySerializer, rows, page))

    @extend_schema(
        request=s.AddVerificationPolicyRequestSerializer, responses={201: s.VerificationPolicySerializer}
    )
    def add(self, request, version_id):
        data = body(request, version_id=version_id)
        form = parse(s.AddVerificationPolicyRequestSerializer, data)
        policy = services.add_policy(actor=request.user, decided_by="author", **form)
        return Response(s.VerificationPolicySerializer(policy).data, 201)


class BenchmarkVersionViewSet(ApiViewSet):
    @extend_schema(responses=s.BenchmarkVersionSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetBenchmarkVersionRequestSerializer, {"id": pk})
        version = selectors.get_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data)

    @extend_schema(request=s.UpdateBenchmarkVersionRequestSerializer, responses=s.BenchmarkVersionSerializer)
    def update(self, request, pk):
        form = parse(s.UpdateBenchmarkVersionRequestSerializer, body(request, id=pk))
        version = services.update_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data)

    partial_update = update

    @extend_schema(request=None, responses=s.BenchmarkVersionSerializer)
    @action(detail=True, methods=["post"])
    def publish(self, request, pk):
        form = parse(s.PublishBenchmarkVersionRequestSerializer, body(request, id=pk))
        version = services.publish_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data)

    @extend_schema(parameters=[s.ListTestCasesRequestSerializer], responses=s.TestCaseSerializer(many=True))
    @action(detail=True, url_path="test-cases")
    def test_cases(self, request, pk):
        filters, page = split_page(parse(s.ListTestCasesRequestSerializer, query(request, version_id=pk)))
        rows = selectors.list_test_cases(actor=request.user, **filters)
        return Response(shown_page(s.TestCaseSerializer, rows, page))
