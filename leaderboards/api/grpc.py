from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.pb import leaderboards_pb2 as pb
from exchange.api.pb import leaderboards_pb2_grpc as pb_grpc
from exchange.api.sizes import LARGEST_BUNDLE, check_message_size
from leaderboards import comparing, exports, history, selectors

from . import files
from . import serializers as s
from .shown import shown_category, shown_comparison, shown_measurements


class LeaderboardService(pb_grpc.LeaderboardServiceServicer):
    def GetLeaderboard(self, request, context):
        filters, page = split_page(parse(s.GetLeaderboardRequestSerializer, to_data(request)))
        board = selectors.get_leaderboard(actor=actor_of(context), **filters)
        return to_message(pb.Leaderboard, s.shown_board(board, page))

    def GetCategoryLeaderboard(self, request, context):
        form = parse(s.GetCategoryLeaderboardRequestSerializer, to_data(request))
        filters = {name: value for name, value in form.items() if name != "page_size"}
        boards = selectors.list_category_boards(actor=actor_of(context), **filters)
        return to_message(pb.CategoryLeaderboard, shown_category(boards, form))

    def CompareModels(self, request, context):
        form = parse(s.CompareModelsRequestSerializer, to_data(request))
        comparison = comparing.compare_models(actor=actor_of(context), **form)
        return to_message(pb.Comparison, shown_comparison(comparison))

    def ListModelMeasurements(self, request, context):
        filters, page = split_page(parse(s.ListModelMeasurementsRequestSerializer, to_data(request)))
        rows = history.list_model_measurements(actor=actor_of(context), **filters)
        return to_message(pb.ListModelMeasurementsResponse, shown_measurements(rows, page))

    def ExportLeaderboard(self, request, context):
        form = parse(s.ExportLeaderboardRequestSerializer, to_data(request))
        export = exports.get_export(actor=actor_of(context), **form)
        rest = f"/api/v1/benchmarks/{export.board.benchmark.pk}/leaderboard/export?format={export.format}"
        content = bytearray()
        for piece in files.content(export):
            content += piece
            check_message_size(len(content), LARGEST_BUNDLE, rest)
        return pb.LeaderboardExport(
            benchmark_id=str(export.board.benchmark.pk),
            version_id=str(export.board.version.pk),
            name=files.file_name(export),
            media_type=files.MEDIA_TYPES[export.format],
            content=bytes(content),
        )
