"""What no route takes, whatever it is called."""

import pytest

from .doors import routes

ROUTES = [pytest.param(path, methods, id=path) for path, methods in routes()]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "DISPATCH"])
@pytest.mark.parametrize(("path", "methods"), ROUTES)
def test_is_refused_with_the_methods_there_are(api, path, methods, method):
    answer = api.generic(method, path)

    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert {name.upper() for name in methods} <= set(answer["Allow"].split(", "))
