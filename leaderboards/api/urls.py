from exchange.api.routing import route

from .views import CategoryLeaderboardViewSet, ComparisonViewSet, LeaderboardViewSet, ModelHistoryViewSet

BOARD = "benchmarks/<benchmark_id>/leaderboard"
CATEGORY = "leaderboards/categories/<category>"
urlpatterns = [
    route(BOARD, LeaderboardViewSet, "leaderboard", get="retrieve"),
    route(f"{BOARD}/export", LeaderboardViewSet, "leaderboard-export", get="export"),
    route(CATEGORY, CategoryLeaderboardViewSet, "category-leaderboard", get="retrieve"),
    route("leaderboards/compare", ComparisonViewSet, "compare-models", get="retrieve"),
    route("leaderboards/<benchmark_id>", LeaderboardViewSet, "leaderboard-by-benchmark", get="retrieve"),
    route("models/<model_id>/history", ModelHistoryViewSet, "model-history", get="list"),
    # the older exchange's
    route(
        "categories/<category>/leaderboard",
        CategoryLeaderboardViewSet,
        "category-leaderboard-as-before",
        get="retrieve",
    ),
    route("models/compare", ComparisonViewSet, "compare-models-as-before", get="retrieve"),
]
