"""What no write may be given, at every REST action there is: a coded refusal, never a 500."""

import pytest
from django.conf import settings

from tests.factories.accounts import UserFactory

from .doors import routes

pytestmark = pytest.mark.django_db

WRITES = [(method, path) for path, methods in routes() for method in sorted(methods) if method != "get"]
DEEP = "[" * 100_000
WRONG = {
    "a list": "[]",
    "a text": '"text"',
    "a number": "1",
    "null": "null",
    "half a body": '{"name": ',
    "no UTF-8": b'{"name": "\xff"}',
    "a deep body": f'{{"name": {DEEP}',
    "a deep value": '{"name": ' + "[" * 500 + "]" * 500 + "}",
    "a number without end": '{"name": ' + "9" * 5_000 + "}",
}
write = pytest.mark.parametrize(("method", "path"), WRITES)


def test_there_are_writes_of_every_app():
    collections = {"organizations", "benchmarks", "submissions", "endpoints"}

    assert {("post", f"/api/v1/{name}") for name in collections} <= set(WRITES)


@write
@pytest.mark.parametrize("wrong", WRONG)
def test_is_refused_with_a_code(api_as, method, path, wrong):
    client = api_as(UserFactory())

    answer = client.generic(method, path, WRONG[wrong], content_type="application/json")

    assert 400 <= answer.status_code < 500
    assert answer["Content-Type"] == "application/problem+json"
    if "evidence" not in path:  # that one takes forms
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


@write
def test_is_refused_when_a_key_makes_us_read_it_first(api_as, method, path):
    answer = api_as(UserFactory()).generic(
        method, path, DEEP, content_type="application/json", HTTP_IDEMPOTENCY_KEY="k"
    )

    assert 400 <= answer.status_code < 500


class TestOneBody:
    @pytest.fixture
    def post(self, api_as):
        client = api_as(UserFactory())

        def send(body, **headers):
            headers.setdefault("content_type", "application/json")
            return client.generic("POST", "/api/v1/organizations", body, **headers)

        return send

    @pytest.mark.parametrize("text", ["\\u0000", "\\ud800"])
    def test_names_the_field_that_postgresql_could_not_keep(self, post, text):
        answer = post(f'{{"slug": "acme", "name": "A{text}", "type": "enterprise"}}')

        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == ["name"]

    @pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
    def test_names_the_field_with_a_number_that_is_none(self, post, number):
        answer = post(f'{{"slug": "acme", "name": {number}, "type": "enterprise"}}')

        assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [
            ("name", "not_finite")
        ]

    @pytest.mark.parametrize("charset", ["zlib", "rot13", "hex", "utf-16"])
    def test_is_read_as_unicode_whatever_charset_is_claimed(self, post, charset):
        body = b'{"slug": "acme", "name": "Acme", "type": "enterprise"}'

        assert post(body, content_type=f"application/json; charset={charset}").status_code == 201

    def test_is_bounded_by_the_setting(self, post, monkeypatch):
        monkeypatch.setattr(settings, "DATA_UPLOAD_MAX_MEMORY_SIZE", 10)

        answer = post('{"slug": "acme", "name": "Acme"}')

        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
