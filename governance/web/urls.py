from django.urls import path

from . import steps, views, writing

one = "proposals/<uuid:proposal_id>"
urlpatterns = [
    path("proposals", views.proposals, name="proposals"),
    path("proposals/new", writing.new_proposal, name="new-proposal"),
    path(one, views.proposal, name="proposal"),
    path(f"{one}/edit", writing.edit_proposal, name="edit-proposal"),
    path(f"{one}/ballots", views.ballots, name="proposal-ballots"),
    path(f"{one}/submit", steps.submit_for_review, name="submit-proposal"),
    path(f"{one}/review", steps.review, name="review-proposal"),
    path(f"{one}/open-voting", steps.open_voting, name="open-voting"),
    path(f"{one}/vote", steps.vote, name="vote"),
    path(f"{one}/withdraw", steps.withdraw, name="withdraw-proposal"),
    path(f"{one}/retry", steps.retry, name="retry-execution"),
    path(f"{one}/comments", steps.comment, name="comment"),
    path(f"{one}/comments/<uuid:comment_id>/resolve", steps.resolve, name="resolve-comment"),
    path("voting-rules", views.voting_rules, name="voting-rules"),
]
