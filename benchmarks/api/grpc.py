from benchmarks import reviewing, selectors, services
from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.pb import benchmarks_pb2 as pb
from exchange.api.pb import benchmarks_pb2_grpc as pb_grpc
from exchange.api.shown import shown_page

from . import serializers as s


class BenchmarkService(pb_grpc.BenchmarkServiceServicer):
    def ListBenchmarks(self, request, context):
        filters, page = split_page(parse(s.ListBenchmarksRequestSerializer, to_data(request)))
        rows = selectors.list_benchmarks(actor=actor_of(context), **filters)
        return to_message(pb.ListBenchmarksResponse, shown_page(s.BenchmarkSerializer, rows, page))

    def CreateBenchmark(self, request, context):
        form = parse(s.CreateBenchmarkRequestSerializer, to_data(request))
        benchmark = services.create_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def GetBenchmark(self, request, context):
        form = parse(s.GetBenchmarkRequestSerializer, to_data(request))
        benchmark = selectors.get_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def GetBenchmarkBySlug(self, request, context):
        form = parse(s.GetBenchmarkBySlugRequestSerializer, to_data(request))
        benchmark = selectors.get_benchmark_by_slug(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def UpdateBenchmark(self, request, context):
        form = parse(s.UpdateBenchmarkRequestSerializer, to_data(request))
        benchmark = services.update_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def ListBenchmarkVersions(self, request, context):
        filters, page = split_page(parse(s.ListBenchmarkVersionsRequestSerializer, to_data(request)))
        rows = selectors.list_versions(actor=actor_of(context), **filters)
        shown = shown_page(s.BenchmarkVersionSerializer, rows, page)
        return to_message(pb.ListBenchmarkVersionsResponse, shown)

    def CreateBenchmarkVersion(self, request, context):
        form = parse(s.CreateBenchmarkVersionRequestSerializer, to_data(request))
        version = services.create_version(actor=actor_of(context), **form)
        return to_message(pb.BenchmarkVersion, s.BenchmarkVersionSerializer(version).data)

    def GetBenchmarkVersion(self, request, context):
        form = parse(s.GetBenchmarkVersionRequestSerializer, to_data(request))
        version = selectors.get_version(actor=actor_of(context), **form)
        return to_message(pb.BenchmarkVersion, s.BenchmarkVersionSerializer(version).data)

    def UpdateBenchmarkVersion(self, request, context):
        form = parse(s.UpdateBenchmarkVersionRequestSerializer, to_data(request))
        version = services.update_version(actor=actor_of(context), **form)
        return to_message(pb.BenchmarkVersion, s.BenchmarkVersionSerializer(version).data)

    def PublishBenchmarkVersion(self, request, context):
        form = parse(s.PublishBenchmarkVersionRequestSerializer, to_data(request))
        version = services.publish_version(actor=actor_of(context), **form)
        return to_message(pb.BenchmarkVersion, s.BenchmarkVersionSerializer(version).data)

    def AddVerificationPolicy(self, request, context):
        form = parse(s.AddVerificationPolicyRequestSerializer, to_data(request))
        policy = services.add_policy(actor=actor_of(context), decided_by="author", **form)
        return to_message(pb.VerificationPolicy, s.VerificationPolicySerializer(policy).data)

    def ListVerificationPolicies(self, request, context):
        filters, page = split_page(parse(s.ListVerificationPoliciesRequestSerializer, to_data(request)))
        rows = selectors.list_policies(actor=actor_of(context), **filters)
        shown = shown_page(s.VerificationPolicySerializer, rows, page)
        return to_message(pb.ListVerificationPoliciesResponse, shown)

    def SubmitForReview(self, request, context):
        form = parse(s.SubmitForReviewRequestSerializer, to_data(request))
        benchmark = reviewing.submit_for_review(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def ApproveBenchmark(self, request, context):
        form = parse(s.ApproveBenchmarkRequestSerializer, to_data(request))
        benchmark = reviewing.approve_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def RejectBenchmark(self, request, context):
        form = parse(s.RejectBenchmarkRequestSerializer, to_data(request))
        benchmark = reviewing.reject_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def TakeBackFromReview(self, request, context):
        form = parse(s.TakeBackFromReviewRequestSerializer, to_data(request))
        benchmark = reviewing.take_back_from_review(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def DeprecateBenchmark(self, request, context):
        form = parse(s.DeprecateBenchmarkRequestSerializer, to_data(request))
        benchmark = services.deprecate_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def ReactivateBenchmark(self, request, context):
        form = parse(s.ReactivateBenchmarkRequestSerializer, to_data(request))
        benchmark = services.reactivate_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def ArchiveBenchmark(self, request, context):
        form = parse(s.ArchiveBenchmarkRequestSerializer, to_data(request))
        benchmark = services.archive_benchmark(actor=actor_of(context), **form)
        return to_message(pb.Benchmark, s.BenchmarkSerializer(benchmark).data)

    def ListBenchmarkStatusChanges(self, request, context):
        form = parse(s.ListBenchmarkStatusChangesRequestSerializer, to_data(request))
        filters, page = split_page(form)
        rows = selectors.list_status_changes(actor=actor_of(context), **filters)
        shown = shown_page(s.BenchmarkStatusChangeSerializer, rows, page)
        return to_message(pb.ListBenchmarkStatusChangesResponse, shown)

    def ListTestCases(self, request, context):
        filters, page = split_page(parse(s.ListTestCasesRequestSerializer, to_data(request)))
        rows = selectors.list_test_cases(actor=actor_of(context), **filters)
        return to_message(pb.ListTestCasesResponse, shown_page(s.TestCaseSerializer, rows, page))
