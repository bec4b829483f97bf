from exchange.api.routing import Router, route

from .views import EvidenceViewSet, SubmissionViewSet, VerificationViewSet

router = Router()
router.register("submissions", SubmissionViewSet, basename="submission")
router.register("verifications", VerificationViewSet, basename="verification")
one = "submissions/<submission_id>"
urlpatterns = [
    *router.urls,
    route(
        "benchmarks/<benchmark_id>/submissions",
        SubmissionViewSet,
        "benchmark-submissions",
        get="list",
        post="create",
    ),
    route(f"{one}/evidence", EvidenceViewSet, "evidence", get="list", post="add"),
    route(f"{one}/verifications", VerificationViewSet, "submission-verifications", get="list"),
    route(f"{one}/verification-bound", VerificationViewSet, "verification-bound", get="bound"),
    route(
        f"{one}/request-verification",
        VerificationViewSet,
        "request-verification",
        post="request_verification",
    ),
]
