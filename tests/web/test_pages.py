import pytest

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
