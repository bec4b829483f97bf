"""The names that templates may reverse, without the views behind them."""

from django.http import HttpResponse
from django.urls import include, path


def nothing(request, **_):
    return HttpResponse("")


ROUTES = {
    "home": "", "benchmarks": "benchmarks", "benchmark": "benchmarks/<slug:slug>",
    "submissions": "submissions",
    "submission": "submissions/<uuid:submission_id>",
    "submission-progress": "submissions/<uuid:submission_id>/progress",
    "submission-cases": "submissions/<uuid:submission_id>/cases",
    "request-verification": "submissions/<uuid:submission_id>/verify",
    "withdraw-submission": "submissions/<uuid:submission_id>/withdraw", "models": "models",
    "model": "models/<uuid:model_id>", "login": "login", "logout": "logout", "register": "register",
    "organization": "organizations/<slug:slug>", "organizations": "organizations",
    "endpoints": "organizations/<slug:slug>/endpoints", "endpoint": "endpoints/<uuid:endpoint_id>",
    "update-endpoint": "endpoints/<uuid:endpoint_id>/settings",
    "discover-models": "endpoints/<uuid:endpoint_id>/discover",
    "deployment": "deployments/<uuid:deployment_id>",
    "update-deployment": "deployments/<uuid:deployment_id>/update",
    "set-price": "deployments/<uuid:deployment_id>/prices",
    "campaigns": "organizations/<slug:slug>/campaigns",
    "start-campaign": "organizations/<slug:slug>/campaigns/start",
    "campaign": "campaigns/<uuid:campaign_id>",
    "campaign-progress": "campaigns/<uuid:campaign_id>/progress",
    "cancel-campaign": "campaigns/<uuid:campaign_id>/cancel",
    "campaign-export": "api/v1/campaigns/<pk>/export",
    "create-token": "tokens", "revoke-token": "tokens/<uuid:token_id>/revoke", "theme": "theme",
    "categories": "categories", "category": "categories/<slug:category>", "compare": "compare",
    "leaderboard-export": "api/v1/benchmarks/<benchmark_id>/leaderboard/export",
    "run-bundle": "api/v1/runs/<pk>/bundle",
    "review-queue": "review", "move-benchmark": "benchmarks/<uuid:benchmark_id>/moves/<slug:name>",
    "new-benchmark": "benchmarks/new", "edit-benchmark": "benchmarks/<slug:slug>/edit",
    "new-version": "benchmarks/<slug:slug>/versions/new",
    "edit-version": "benchmarks/<slug:slug>/versions/<str:number>",
    "publish-version": "benchmarks/<slug:slug>/versions/<str:number>/publish",
    "methodology": "methodology", "submit": "submit", "submit-claim": "submit/claim",
    "submit-results": "submit/results", "add-evidence": "submissions/<uuid:submission_id>/evidence",
    "evidence-content": "api/v1/evidence/<pk>/content", "api-docs": "api/docs",
    "proposals": "proposals", "new-proposal": "proposals/new", "voting-rules": "voting-rules",
    "proposal": "proposals/<uuid:proposal_id>", "edit-proposal": "proposals/<uuid:proposal_id>/edit",
    "proposal-ballots": "proposals/<uuid:proposal_id>/ballots",
    "submit-proposal": "proposals/<uuid:proposal_id>/submit",
    "review-proposal": "proposals/<uuid:proposal_id>/review",
    "open-voting": "proposals/<uuid:proposal_id>/open-voting", "vote": "proposals/<uuid:proposal_id>/vote",
    "withdraw-proposal": "proposals/<uuid:proposal_id>/withdraw",
    "retry-execution": "proposals/<uuid:proposal_id>/retry",
    "comment": "proposals/<uuid:proposal_id>/comments",
    "resolve-comment": "proposals/<uuid:proposal_id>/comments/<uuid:comment_id>/resolve",
    "profile": "profile", "change-email": "profile/email",
    "change-password": "profile/password", "end-sessions": "profile/sessions/end",
    "send-confirmation": "confirm-email", "confirm-email": "confirm-email/<str:key>",
    "request-password-reset": "password/reset", "reset-password": "password/reset/<str:key>",
    "new-password": "password/new", "person": "people/<str:username>",
    "invitation": "invitations/<str:secret>",
    "accept-invitation": "invitations/<str:secret>/accept",
    "decline-invitation": "invitations/<str:secret>/decline",
    "edit-organization": "organizations/<slug:slug>/edit", "members": "organizations/<slug:slug>/members",
    "invite-member": "organizations/<slug:slug>/invitations",
    "revoke-invitation": "organizations/<slug:slug>/invitations/<uuid:invitation_id>/revoke",
    "change-member-role": "organizations/<slug:slug>/members/<uuid:user_id>/role",
    "remove-member": "organizations/<slug:slug>/members/<uuid:user_id>/remove",
}  # fmt: skip
routes = [path(route, nothing, name=name) for name, route in ROUTES.items()]
operate = [path("", nothing, name="index")]
urlpatterns = [*routes, path("operate/", include((operate, "admin")))]
