"""The log of a request, and what is not in it."""

import json
import logging

import pytest
from django.test import Client

from exchange.core.logs import JsonLines

pytestmark = pytest.mark.django_db
SECRET = "sesame0815"


@pytest.fixture
def logged():
    """Calling it gives the lines that were written since."""
    lines = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(json.loads(JsonLines().format(record)))

    handler = Keep()
    root = logging.getLogger()
    root.addHandler(handler)
    yield lines
    root.removeHandler(handler)


def access(lines):
    [line] = [line for line in lines if line["logger"] == "exchange.access"]
    return line


class TestAccess:
    @pytest.mark.parametrize(
        ("path", "route", "status"),
        [
            (f"/password/reset/{SECRET}", "/password/reset/<str:key>", None),
            (f"/nowhere/{SECRET}", "", 404),
            (f"/static/{SECRET}.css", "/static/*", 404),
            (f"/api/v1/benchmarks?q={SECRET}", "/api/v1/benchmarks", None),
        ],
    )
    def test_says_the_route_and_never_the_path(self, client, logged, path, route, status):
        answer = client.get(path)
        line = access(logged)
        assert SECRET not in json.dumps(logged)
        assert line["status"] == answer.status_code == (status or answer.status_code)
        assert line["route"] == route
        assert line["request_id"] == answer["X-Request-ID"]

    def test_of_a_page_that_breaks_has_the_traceback_and_not_the_path(self, logged, monkeypatch):
        monkeypatch.setattr("benchmarks.selectors.list_benchmarks", lambda **_: 1 / 0)
        answer = Client(raise_request_exception=False).get(f"/benchmarks?q={SECRET}")
        assert answer.status_code == 500
        [line] = [line for line in logged if line["logger"] == "django.request"]
        assert line["message"] == "Internal Server Error"
        assert "ZeroDivisionError" in line["exception"]

    def test_of_a_form_without_its_csrf_token_has_no_path(self, logged):
        Client(enforce_csrf_checks=True).post("/login", {"password": SECRET})
        [line] = [line for line in logged if line["logger"] == "django.security.csrf"]
        assert line["message"] == "Forbidden (CSRF cookie not set.)"
        assert access(logged)["status"] == 403

    def test_of_a_probe_is_written_only_when_it_fails(self, client, logged):
        client.get("/live")
        assert not [line for line in logged if line["logger"] == "exchange.access"]
        client.post("/live")
        line = access(logged)
        assert (line["status"], line["message"]) == (405, "POST /live 405")
