from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.response import Response

from exchange.api.forms import parse, query, split_page
from exchange.api.operations import TEXT, operation
from exchange.api.views import ApiViewSet
from leaderboards import comparing, exports, history, selectors

from . import files
from . import serializers as s
from .shown import shown_category, shown_comparison, shown_measurements

FILES = {"text/csv": TEXT, "application/json": {"type": "object"}}


class LeaderboardViewSet(ApiViewSet):
    """/benchmarks/{benchmark_id}/leaderboard"""

    @operation(s.GetLeaderboardRequestSerializer, shows=s.LeaderboardSerializer)
    def retrieve(self, request, benchmark_id):
        form = parse(s.GetLeaderboardRequestSerializer, query(request, benchmark_id=benchmark_id))
        filters, page = split_page(form)
        board = selectors.get_leaderboard(actor=request.user, **filters)
        return Response(s.shown_board(board, page))

    @operation(s.ExportLeaderboardRequestSerializer, files=FILES)
    def export(self, request, benchmark_id):
        form = parse(s.ExportLeaderboardRequestSerializer, query(request, benchmark_id=benchmark_id))
        export = exports.get_export(actor=request.user, **form)
        answer = StreamingHttpResponse(files.content(export), content_type=files.MEDIA_TYPES[export.format])
        answer["Content-Disposition"] = content_disposition_header(
            as_attachment=True, filename=files.file_name(export)
        )
        return answer


class CategoryLeaderboardViewSet(ApiViewSet):
    """/leaderboards/categories/{category}"""

    @operation(s.GetCategoryLeaderboardRequestSerializer, shows=s.CategoryLeaderboardSerializer)
    def retrieve(self, request, category):
        form = parse(s.GetCategoryLeaderboardRequestSerializer, query(request, category=category))
        filters = {name: value for name, value in form.items() if name != "page_size"}
        boards = selectors.list_category_boards(actor=request.user, **filters)
        return Response(shown_category(boards, form))


class ComparisonViewSet(ApiViewSet):
    """/leaderboards/compare"""

    @operation(s.CompareModelsRequestSerializer, shows=s.ComparisonSerializer)
    def retrieve(self, request):
        form = parse(s.CompareModelsRequestSerializer, query(request))
        comparison = comparing.compare_models(actor=request.user, **form)
        return Response(shown_comparison(comparison))


class ModelHistoryViewSet(ApiViewSet):
    """/models/{model_id}/history"""

    @operation(s.ListModelMeasurementsRequestSerializer, page_of=s.ModelMeasurementSerializer)
    def list(self, request, model_id):
        form = parse(s.ListModelMeasurementsRequestSerializer, query(request, model_id=model_id))
        filters, page = split_page(form)
        rows = history.list_model_measurements(actor=request.user, **filters)
        return Response(shown_measurements(rows, page))
