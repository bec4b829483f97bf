"""Requests that Django itself gives up on are refused, never answered as faults of ours."""

import io

import pytest
from django.test import Client

from tests.factories.accounts import UserFactory, token_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


def test_too_many_fields_are_a_bad_request_of_the_api(visitor, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3
    headers = {"Authorization": f"Bearer {token_for(UserFactory())}"}
    form = {f"f{number}": "x" for number in range(5)}
    path = "/api/v1/submissions/00000000-0000-0000-0000-000000000000/evidence"

    answer = visitor.post(path, form, headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


def test_too_many_fields_are_a_bad_request_of_a_page(visitor, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3
    answer = visitor.post("/login", {f"f{number}": "x" for number in range(5)})
    assert answer.status_code == 400
    assert b"invalid_input" in answer.content


class TestFilesOfNobodyInParticular:
    @pytest.fixture
    def sent(self, visitor, settings):
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
        return lambda path: visitor.post(path, {"file": io.BytesIO(b"x" * 2000)})

    @pytest.mark.parametrize("path", ["/login", "/nowhere", "/submit"])
    def test_are_not_read_beyond_the_size_of_other_bodies(self, sent, path):
        answer = sent(path)

        assert answer.status_code == 413
        assert b"too_large" in answer.content

    def test_are_read_from_somebody_who_is_logged_in(self, sent, visitor):
        visitor.force_login(UserFactory())

        assert sent("/login").status_code != 413


def test_a_form_without_its_token_is_refused_by_a_page_of_ours():
    answer = Client(enforce_csrf_checks=True).post("/login", {"email_or_username": "x", "password": "y"})
    assert answer.status_code == 403
    assert b"csrf_failed" in answer.content


@pytest.mark.parametrize("path", ["/people/%00", "/benchmarks/x/versions/%00", "/invitations/%00"])
def test_an_address_that_names_what_cannot_be_stored_is_not_found(visitor, path):
    visitor.force_login(UserFactory())
    assert visitor.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/benchmarks", "/models"])
def test_what_others_hang_on_to_a_link_is_no_error(visitor, path):
    assert visitor.get(path, {"utm_source": "letter"}).status_code == 200
