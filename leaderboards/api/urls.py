from exchange.api.routing import route

from .views import LeaderboardViewSet

urlpatterns = [
    route("benchmarks/<benchmark_id>/leaderboard", LeaderboardViewSet, "leaderboard", get="retrieve"),
    route("leaderboards/<benchmark_id>", LeaderboardViewSet, "leaderboard-by-benchmark", get="retrieve"),
]
