from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from exchange.api.forms import parse, query, split_page
from exchange.api.views import ApiViewSet
from leaderboards import selectors

from . import serializers as s


class LeaderboardViewSet(ApiViewSet):
    """/benchmarks/{benchmark_id}/leaderboard"""

    @extend_schema(parameters=[s.GetLeaderboardRequestSerializer], responses=s.LeaderboardSerializer)
    def retrieve(self, request, benchmark_id):
        form = parse(s.GetLeaderboardRequestSerializer, query(request, benchmark_id=benchmark_id))
        filters, page = split_page(form)
        board = selectors.get_leaderboard(actor=request.user, **filters)
        return Response(s.shown_board(board, page))
