"""The paths of the older exchange: those of today answer, with a slash at the end or without, and those to
come are listed with the part of the roadmap that brings them."""

import pytest
from django.urls import Resolver404, resolve

ID = "5f6c1b1e-0000-4000-8000-000000000000"
TODAY = [
    "post auth/register",
    "post auth/login",
    "get users/me",
    "put users/me",
    "get users/{id}",
    "patch users/{id}/role",
    "get benchmarks",
    "post benchmarks",
    "get benchmarks/{id}",
    "put benchmarks/{id}",
    "patch benchmarks/{id}",
    "get benchmarks/{id}/versions",
    "post benchmarks/{id}/versions",
    "post benchmarks/{id}/submit-for-review",
    "post benchmarks/{id}/approve",
    "post benchmarks/{id}/reject",
    "post benchmarks/{id}/deprecate",
    "get benchmarks/slug/some-slug",
    "get benchmarks/search",
    "get benchmarks/{id}/submissions",
    "post benchmarks/{id}/submissions",
    "get submissions",
    "post submissions",
    "get submissions/{id}",
    "post submissions/{id}/request-verification",
    "patch submissions/{id}/visibility",
    "get benchmarks/{id}/leaderboard",
    "get leaderboards/{id}",
    "get categories/accuracy/leaderboard",
    "get models/compare",
    "get models/{id}/history",
    "get proposals",
    "post proposals",
    "get proposals/{id}",
    "post proposals/{id}/vote",
    "post proposals/{id}/comments",
]
PROBES = ["health", "ready", "live", "accepting"]
TO_COME = {
    "delete benchmarks/{id}": "Governance and site",
    "get publications": "Publications",
    "post publications": "Publications",
    "post publications/validate": "Publications",
    "get publications/{id}": "Publications",
    "get publications/{id}/inspect": "Publications",
    "post publications/{id}/status": "Publications",
}


def is_offered(row, ending=""):
    method, path = row.split(" ")
    try:
        found = resolve(f"/api/v1/{path.format(id=ID)}{ending}")
    except Resolver404:
        return False
    return method in found.func.actions


@pytest.mark.parametrize("ending", ["", "/"])
@pytest.mark.parametrize("row", TODAY)
def test_is_offered_today(row, ending):
    assert is_offered(row, ending)


@pytest.mark.parametrize("row", TO_COME)
def test_is_moved_to_the_list_above_once_it_is_built(row):
    assert not is_offered(row)


@pytest.mark.parametrize("ending", ["", "/"])
@pytest.mark.parametrize("probe", PROBES)
def test_is_asked_by_orchestrators(probe, ending):
    assert resolve(f"/{probe}{ending}", "exchange.inside").func.__module__ == "exchange.health.views"


@pytest.mark.django_db
@pytest.mark.parametrize("ending", ["", "/"])
def test_is_answered_alike_with_and_without_a_slash(api, ending):
    assert api.get(f"/api/v1/benchmarks{ending}").json() == {"items": [], "next_page_token": ""}
    assert api.get(f"/api/v1/leaderboards/{ID}{ending}").json()["code"] == "benchmark_not_found"
