from django.urls import path

from . import methodology, organization, views, wizard

one = "submissions/<uuid:submission_id>"
urlpatterns = [
    path("submissions", views.submissions, name="submissions"),
    path("methodology", methodology.methodology, name="methodology"),
    path("submit", wizard.choose, name="submit"),
    path("submit/claim", wizard.claim, name="submit-claim"),
    path("submit/results", wizard.submit_results, name="submit-results"),
    path(one, views.submission, name="submission"),
    path(f"{one}/progress", views.progress, name="submission-progress"),
    path(f"{one}/cases", views.cases, name="submission-cases"),
    path(f"{one}/verify", views.request_verification, name="request-verification"),
    path(f"{one}/evidence", views.add_evidence, name="add-evidence"),
    path(f"{one}/withdraw", views.withdraw_submission, name="withdraw-submission"),
    path("organizations/<slug:slug>", organization.organization, name="organization"),
]
