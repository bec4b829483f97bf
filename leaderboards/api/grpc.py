from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.pb import leaderboards_pb2 as pb
from exchange.api.pb import leaderboards_pb2_grpc as pb_grpc
from leaderboards import selectors

from . import serializers as s


class LeaderboardService(pb_grpc.LeaderboardServiceServicer):
    def GetLeaderboard(self, request, context):
        filters, page = split_page(parse(s.GetLeaderboardRequestSerializer, to_data(request)))
        board = selectors.get_leaderboard(actor=actor_of(context), **filters)
        return to_message(pb.Leaderboard, s.shown_board(board, page))
