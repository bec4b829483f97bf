from exchange.api.routing import Router, route

from .views import (
    EvidenceContentViewSet,
    EvidenceUploadViewSet,
    EvidenceViewSet,
    SubmissionViewSet,
    VerificationViewSet,
)

router = Router()
router.register("submissions", SubmissionViewSet, basename="submission")
one, verification = "submissions/<submission_id>", "verifications/<pk>"
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
    route("evidence/<pk>/content", EvidenceContentViewSet, "evidence-content", get="download"),
    route("evidence/<pk>/link", EvidenceContentViewSet, "evidence-link", get="link"),
    route(f"{one}/evidence-uploads", EvidenceUploadViewSet, "evidence-uploads", post="begin"),
    route("evidence-uploads/<pk>/complete", EvidenceUploadViewSet, "evidence-upload", post="complete"),
    route(f"{one}/verifications", VerificationViewSet, "submission-verifications", get="list"),
    route(verification, VerificationViewSet, "verification-detail", get="retrieve"),
    route(f"{verification}/cancel", VerificationViewSet, "verification-cancel", post="cancel"),
    route(f"{verification}/cases", VerificationViewSet, "verification-cases", get="cases"),
    route(f"{one}/verification-bound", VerificationViewSet, "verification-bound", get="bound"),
    route(
        f"{one}/request-verification",
        VerificationViewSet,
        "request-verification",
        post="request_verification",
    ),
]
