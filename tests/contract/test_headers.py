"""What every answer carries, whoever gives it."""

import pytest
from django.urls import URLPattern, get_resolver

from tests.factories.accounts import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
API = ["api/v1/benchmarks", "api/v1/users/me", "api/v1/nowhere", "api/schema", "live", "ready"]
PLAIN_PAGES = [
    str(pattern.pattern)
    for include in get_resolver().url_patterns
    for pattern in getattr(include, "url_patterns", [])
    if isinstance(pattern, URLPattern) and "<" not in str(pattern.pattern) and str(include.pattern) == ""
]
SECRETS = {
    "auth/register": {"username": "ann", "email": "ann@example.org", "password": PASSWORD},
    "auth/login": {"email_or_username": "bob", "password": PASSWORD},
    "tokens": {"name": "ci", "scopes": ["profile:read"]},
}


@pytest.mark.parametrize("path", [*API, *PLAIN_PAGES, "nowhere", "api/docs"])
def test_every_answer_is_guarded(client, path):
    answer = client.get(f"/{path}")

    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Request-ID"].startswith("req_")
    policy = answer["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy)


def test_the_pages_were_found():
    assert {"", "benchmarks", "login", "models", "submissions"} <= set(PLAIN_PAGES)


def test_a_broken_page_is_guarded_too(client, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("benchmarks.selectors.list_benchmarks", lambda **_: 1 / 0)

    answer = client.get("/api/v1/benchmarks")

    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("path", SECRETS)
@pytest.mark.parametrize("times", [1, 2])
def test_what_shows_a_secret_is_not_stored_not_even_when_repeated(api_as, path, times):
    client = api_as(UserFactory(username="bob", password=PASSWORD))
    for _time in range(times):
        answer = client.post(f"/api/v1/{path}", SECRETS[path], HTTP_IDEMPOTENCY_KEY="k1")

    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/profile", "/organizations", "/"])
def test_a_page_for_one_reader_is_kept_by_nobody_on_the_way(client, path):
    client.force_login(UserFactory())
    assert client.get(path)["Cache-Control"] == "private, no-cache"


def test_an_answer_to_a_token_is_kept_by_nobody_on_the_way(api_as):
    assert api_as(UserFactory()).get("/api/v1/users/me")["Cache-Control"] == "private, no-cache"


def test_what_everybody_reads_may_be_kept(client):
    assert "private" not in client.get("/benchmarks").headers.get("Cache-Control", "")


class TestCookies:
    @pytest.fixture
    def cookies(self, client):
        UserFactory(username="bob", password=PASSWORD)
        client.get("/login")
        client.post("/login", {"email_or_username": "bob", "password": PASSWORD})
        client.post("/theme", {"theme": "dark"})
        return client.cookies

    def test_are_out_of_reach_for_scripts_and_other_sites(self, cookies):
        assert {"exchange_session", "csrftoken", "theme"} <= set(cookies)
        for cookie in cookies.values():
            assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax"), cookie.key
