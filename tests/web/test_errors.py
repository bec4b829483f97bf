import re
from html import unescape

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.test import Client, RequestFactory

from benchmarks import selectors
from exchange.core.errors import LimitExceeded, TooLarge
from exchange.web import views
from submissions.errors import VerificationOpen

pytestmark = pytest.mark.django_db


@pytest.fixture
def visit(monkeypatch):
    """`visit(error)`: what a page answers whose selector raises it."""

    def call(error, path="/benchmarks"):
        def refuse(**_):
            raise error

        monkeypatch.setattr(selectors, "list_benchmarks", refuse)
        return Client(raise_request_exception=False).get(path)

    return call


def said(answer):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


class TestErrorPages:
    @pytest.mark.parametrize(
        ("error", "status", "next_step"),
        [
            (PermissionDenied(), 403, "Ask an owner or admin of the organization"),
            (VerificationOpen(), 409, "look at the state as it is now, and decide again"),
            (TooLarge(), 413, "Send less at once"),
            (LimitExceeded(retry_after_seconds=7), 429, "Wait a little and try again"),
            (ValueError("a bug"), 500, "Try again. If it lasts"),
            (OperationalError("gone"), 503, "Load this page again in a minute"),
        ],
    )
    def test_say_the_next_step_the_code_and_the_request(self, visit, error, status, next_step):
        answer = visit(error)

        assert answer.status_code == status
        assert next_step in said(answer)
        assert f"status {status}, request {answer['X-Request-ID']}" in said(answer)

    def test_say_when_to_try_again(self, visit):
        assert visit(LimitExceeded(retry_after_seconds=7))["Retry-After"] == "7"
        assert visit(OperationalError("gone"))["Retry-After"] == "60"

    def test_of_the_platform_need_neither_database_nor_reader(self, django_assert_num_queries):
        with django_assert_num_queries(0):
            answer = views.broken(RequestFactory().get("/"))

        assert "The fault is ours" in said(answer)

    def test_never_tell_what_broke(self, visit):
        assert "a bug" not in said(visit(ValueError("a bug")))

    def test_answer_programs_with_problem_details(self, visit):
        answer = visit(OperationalError("gone"), "/api/v1/benchmarks")

        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")

    def test_of_an_unknown_address_have_code_and_request(self, client):
        answer = client.get("/nowhere")

        assert answer.status_code == 404
        assert f"Code not_found , status 404, request {answer['X-Request-ID']}" in said(answer)

    def test_of_a_form_that_is_too_large_say_so(self, client, settings):
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10

        answer = client.post("/theme", {"theme": "x" * 100})

        assert answer.status_code == 413
        assert "More bytes than are accepted here." in said(answer)

    def test_of_a_form_without_its_token_say_how_to_go_on(self):
        answer = Client(enforce_csrf_checks=True).post("/theme", {"theme": "dark"})

        assert answer.status_code == 403
        assert "load the page of the form again and send it once more" in said(answer)

    def test_of_an_address_that_takes_forms_only_are_pages_too(self, client):
        answer = client.get("/theme")

        assert (answer.status_code, answer["Allow"]) == (405, "POST")
        assert "Open the page that the form is on" in said(answer)
