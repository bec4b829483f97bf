import pytest

from tests.factories.leaderboards import measured_quality, measured_speed
from tests.factories.submissions import (
    make_load_submission,
    make_submission,
    make_verification,
    question_benchmark,
)

CSP = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
}  # fmt: skip
PUBLIC = ["/", "/benchmarks", "/submissions", "/models", "/login", "/register"]

pytestmark = pytest.mark.django_db


class TestEmptySite:
    @pytest.mark.parametrize("path", PUBLIC)
    def test_answers_every_public_page_under_the_strict_policy(self, client, path):
        answer = client.get(path)

        assert answer.status_code == 200
        assert set(answer["Content-Security-Policy"].split("; ")) == CSP

    def test_says_what_to_do_next(self, client):
        assert "There is no active benchmark yet" in client.get("/").content.decode()
        assert "Nothing has been submitted yet" in client.get("/submissions").content.decode()

    def test_sends_a_stranger_to_the_log_in_and_back(self, client):
        assert client.get("/organizations")["Location"] == "/login?next=%2Forganizations"

    @pytest.mark.parametrize(
        ("referer", "back"),
        [
            ("http://testserver/submit/claim?benchmark=x", "%2Fsubmit%2Fclaim%3Fbenchmark%3Dx"),
            ("http://evil.example/submit", "%2F"),
            ("//", "%2F"),
            ("http://[", "%2F"),
            ("", "%2F"),
        ],
    )
    @pytest.mark.parametrize("path", ["/profile/password", "/submit/results", "/tokens"])
    def test_that_take_forms_lead_back_to_where_the_form_was(self, client, path, referer, back):
        assert client.post(path, headers={"Referer": referer})["Location"] == f"/login?next={back}"

    @pytest.mark.parametrize("path", ["/nowhere", "/models/00000000-0000-4000-8000-000000000001"])
    def test_answers_what_does_not_exist_with_a_page(self, client, path):
        answer = client.get(path)

        assert answer.status_code == 404
        assert "<h1>" in answer.content.decode()


class TestTheme:
    def test_is_kept_in_a_cookie_and_comes_back_without_a_script(self, client):
        answer = client.post("/theme", {"theme": "dark", "next": "/models"})

        assert answer["Location"] == "/models"
        assert 'data-theme="dark"' in client.get("/models").content.decode()


@pytest.fixture
def claims():
    """A claim of 8 of 10 that held, one that did not, one on a load profile, and one that nobody measured."""
    benchmark = question_benchmark()
    load = make_load_submission()
    kept = {
        "held": make_submission(benchmark=benchmark),
        "refuted": make_submission(benchmark=benchmark),
        "load": load,
        "waiting": make_submission(benchmark=benchmark),
    }
    measured_quality(kept["held"], value=0.8)
    measured_quality(kept["refuted"], value=0.1)
    measured_speed(load, ttft=300.0, low=299.0, high=302.0)
    for claim in kept.values():
        claim.refresh_from_db()
    return kept


class TestFilledSite:
    @pytest.mark.parametrize("name", ["held", "refuted", "load", "waiting"])
    def test_shows_a_claim_with_its_verdict_its_cases_its_board_and_its_model(self, client, claims, name):
        claim = claims[name]

        for path in (
            f"/submissions/{claim.pk}",
            f"/submissions/{claim.pk}/cases",
            f"/benchmarks/{claim.version.benchmark.slug}?verified_only=false",
            f"/models/{claim.model_id}",
        ):
            answer = client.get(path)
            assert answer.status_code == 200
            assert claim.model.name in answer.content.decode()

    def test_draws_the_newest_verdict_on_the_first_page(self, client, claims):
        html = client.get("/").content.decode()

        assert "Measured again" in html
        assert "No verdict has been given yet" not in html

    def test_does_not_ask_a_stranger_to_verify_or_withdraw(self, client, claims):
        html = client.get(f"/submissions/{claims['waiting'].pk}").content.decode()

        assert "Nobody has measured this claim again yet." in html
        assert "accept_bound" not in html

    def test_answers_unchanged_progress_with_304(self, client, claims):
        running = make_verification(claims["waiting"])
        path = f"/submissions/{running.submission_id}/progress"
        first = client.get(path)

        assert "Waiting for a free worker" in first.content.decode()
        assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
