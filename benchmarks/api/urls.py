from exchange.api.routing import Router, route

from .views import BenchmarkVersionsViewSet, BenchmarkVersionViewSet, BenchmarkViewSet

router = Router()
router.register("benchmarks", BenchmarkViewSet, basename="benchmark")
router.register("benchmark-versions", BenchmarkVersionViewSet, basename="benchmark-version")
by_slug = "benchmarks/slug/<slug>"
versions = "benchmarks/<benchmark_id>/versions"
urlpatterns = [
    *router.urls,
    route(by_slug, BenchmarkViewSet, "benchmark-by-slug", get="retrieve_by_slug"),
    route(versions, BenchmarkVersionsViewSet, "benchmark-versions", get="list", post="create"),
]
