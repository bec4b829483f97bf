from exchange.api.routing import Router, route

from .views import (
    BenchmarkVersionsViewSet,
    BenchmarkVersionViewSet,
    BenchmarkViewSet,
    VerificationPoliciesViewSet,
)

router = Router()
router.register("benchmarks", BenchmarkViewSet, basename="benchmark")
router.register("benchmark-versions", BenchmarkVersionViewSet, basename="benchmark-version")
by_slug = "benchmarks/slug/<slug>"
versions = "benchmarks/<benchmark_id>/versions"
policies = "benchmark-versions/<version_id>/policies"
urlpatterns = [
    *router.urls,
    route(by_slug, BenchmarkViewSet, "benchmark-by-slug", get="retrieve_by_slug"),
    route(versions, BenchmarkVersionsViewSet, "benchmark-versions", get="list", post="create"),
    route(policies, VerificationPoliciesViewSet, "verification-policies", get="list", post="add"),
]
