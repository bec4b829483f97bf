from rest_framework.decorators import action
from rest_framework.response import Response

from benchmarks import reviewing, selectors, services
from exchange.api.forms import body, parse, query, split_page
from exchange.api.operations import operation
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet

from . import serializers as s


class BenchmarkViewSet(ApiViewSet):
    @operation(s.ListBenchmarksRequestSerializer, page_of=s.BenchmarkSerializer)
    def list(self, request):
        filters, page = split_page(parse(s.ListBenchmarksRequestSerializer, query(request)))
        rows = selectors.list_benchmarks(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkSerializer, rows, page))

    @operation(s.ListBenchmarksRequestSerializer, page_of=s.BenchmarkSerializer, spelled={"query": "q"})
    @action(detail=False)
    def search(self, request):
        """The list under an older name: `q` is `query`."""
        given = {"query" if name == "q" else name: value for name, value in query(request).items()}
        filters, page = split_page(parse(s.ListBenchmarksRequestSerializer, given))
        rows = selectors.list_benchmarks(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkSerializer, rows, page))

    @operation(s.CreateBenchmarkRequestSerializer, creates=s.BenchmarkSerializer)
    def create(self, request):
        form = parse(s.CreateBenchmarkRequestSerializer, body(request))
        benchmark = services.create_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data, 201)

    @operation(s.GetBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetBenchmarkRequestSerializer, {"id": pk})
        benchmark = selectors.get_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.GetBenchmarkBySlugRequestSerializer, shows=s.BenchmarkSerializer)
    def retrieve_by_slug(self, request, slug):
        form = parse(s.GetBenchmarkBySlugRequestSerializer, {"slug": slug})
        benchmark = selectors.get_benchmark_by_slug(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.UpdateBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    def update(self, request, pk):
        form = parse(s.UpdateBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.update_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    partial_update = update

    @operation(s.SubmitForReviewRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"], url_path="submit-for-review")
    def submit_for_review(self, request, pk):
        form = parse(s.SubmitForReviewRequestSerializer, body(request, id=pk))
        benchmark = reviewing.submit_for_review(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.ApproveBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def approve(self, request, pk):
        form = parse(s.ApproveBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = reviewing.approve_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.RejectBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def reject(self, request, pk):
        form = parse(s.RejectBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = reviewing.reject_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.TakeBackFromReviewRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"], url_path="take-back")
    def take_back(self, request, pk):
        form = parse(s.TakeBackFromReviewRequestSerializer, body(request, id=pk))
        benchmark = reviewing.take_back_from_review(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.DeprecateBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def deprecate(self, request, pk):
        form = parse(s.DeprecateBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.deprecate_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.ReactivateBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def reactivate(self, request, pk):
        form = parse(s.ReactivateBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.reactivate_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.ArchiveBenchmarkRequestSerializer, shows=s.BenchmarkSerializer)
    @action(detail=True, methods=["post"])
    def archive(self, request, pk):
        form = parse(s.ArchiveBenchmarkRequestSerializer, body(request, id=pk))
        benchmark = services.archive_benchmark(actor=request.user, **form)
        return Response(s.BenchmarkSerializer(benchmark).data)

    @operation(s.ListBenchmarkStatusChangesRequestSerializer, page_of=s.BenchmarkStatusChangeSerializer)
    @action(detail=True, url_path="status-changes")
    def status_changes(self, request, pk):
        form = parse(s.ListBenchmarkStatusChangesRequestSerializer, query(request, benchmark_id=pk))
        filters, page = split_page(form)
        rows = selectors.list_status_changes(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkStatusChangeSerializer, rows, page))


class BenchmarkVersionsViewSet(ApiViewSet):
    """The versions of one benchmark: /benchmarks/{benchmark_id}/versions."""

    @operation(s.ListBenchmarkVersionsRequestSerializer, page_of=s.BenchmarkVersionSerializer)
    def list(self, request, benchmark_id):
        form = parse(s.ListBenchmarkVersionsRequestSerializer, query(request, benchmark_id=benchmark_id))
        filters, page = split_page(form)
        rows = selectors.list_versions(actor=request.user, **filters)
        return Response(shown_page(s.BenchmarkVersionSerializer, rows, page))

    @operation(s.CreateBenchmarkVersionRequestSerializer, creates=s.BenchmarkVersionSerializer)
    def create(self, request, benchmark_id):
        data = body(request, benchmark_id=benchmark_id)
        form = parse(s.CreateBenchmarkVersionRequestSerializer, data)
        version = services.create_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data, 201)


class VerificationPoliciesViewSet(ApiViewSet):
    """The rules of one version: /benchmark-versions/{version_id}/policies."""

    @operation(s.ListVerificationPoliciesRequestSerializer, page_of=s.VerificationPolicySerializer)
    def list(self, request, version_id):
        form = parse(s.ListVerificationPoliciesRequestSerializer, query(request, version_id=version_id))
        filters, page = split_page(form)
        rows = selectors.list_policies(actor=request.user, **filters)
        return Response(shown_page(s.VerificationPolicySerializer, rows, page))

    @operation(s.AddVerificationPolicyRequestSerializer, creates=s.VerificationPolicySerializer)
    def add(self, request, version_id):
        data = body(request, version_id=version_id)
        form = parse(s.AddVerificationPolicyRequestSerializer, data)
        policy = services.add_policy(actor=request.user, decided_by="author", **form)
        return Response(s.VerificationPolicySerializer(policy).data, 201)


class BenchmarkVersionViewSet(ApiViewSet):
    @operation(s.GetBenchmarkVersionRequestSerializer, shows=s.BenchmarkVersionSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetBenchmarkVersionRequestSerializer, {"id": pk})
        version = selectors.get_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data)

    @operation(s.UpdateBenchmarkVersionRequestSerializer, shows=s.BenchmarkVersionSerializer)
    def update(self, request, pk):
        form = parse(s.UpdateBenchmarkVersionRequestSerializer, body(request, id=pk))
        version = services.update_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data)

    partial_update = update

    @operation(s.PublishBenchmarkVersionRequestSerializer, shows=s.BenchmarkVersionSerializer)
    @action(detail=True, methods=["post"])
    def publish(self, request, pk):
        form = parse(s.PublishBenchmarkVersionRequestSerializer, body(request, id=pk))
        version = services.publish_version(actor=request.user, **form)
        return Response(s.BenchmarkVersionSerializer(version).data)

    @operation(s.ListTestCasesRequestSerializer, page_of=s.TestCaseSerializer)
    @action(detail=True, url_path="test-cases")
    def test_cases(self, request, pk):
        filters, page = split_page(parse(s.ListTestCasesRequestSerializer, query(request, version_id=pk)))
        rows = selectors.list_test_cases(actor=request.user, **filters)
        return Response(shown_page(s.TestCaseSerializer, rows, page))
