"""Lists take the parameters of both older systems, each once."""

import pytest
from django.test import RequestFactory
from rest_framework.request import Request

from exchange.api.forms import query
from exchange.core.errors import InvalidInput
from tests.factories.accounts import MembershipFactory, UserFactory

URL = "/api/v1/organizations"


def asked(text):
    return query(Request(RequestFactory().get(f"/x?{text}")))


class TestQuery:
    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("page=0", "page"),
            ("page=-1", "page"),
            ("page=٣", "page"),
            ("page=1e3", "page"),
            ("page=9999999999", "page"),
            ("offset=x", "offset"),
            ("page_size=1&page_size=2", "page_size"),
            ("limit=1&page_size=2", "page_size"),
            ("page=1&offset=0", "page"),
            ("page=2&page_token=offset:1", "page"),
        ],
    )
    def test_names_the_parameter_that_is_wrong(self, text, field):
        with pytest.raises(InvalidInput) as refusal:
            asked(text)
        assert [error.field for error in refusal.value.errors] == [field]

    def test_lets_what_the_path_says_win(self):
        assert query(Request(RequestFactory().get("/x?id=1")), id="2") == {"id": "2"}


@pytest.mark.django_db
class TestLists:
    @pytest.fixture
    def get(self, api_as):
        user = UserFactory()
        for _number in range(5):
            MembershipFactory(user=user)
        client = api_as(user)
        return lambda text: client.get(f"{URL}?{text}")

    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("page=2&page_size=abc", "page_size"),
            ("page=2&per_page=0", "page_size"),
            ("page_size=101", "page_size"),
            ("page_size=99999999999999999999", "page_size"),
            ("page_token=%00", "page_token"),
            ("page_token=offset:99999999999999999999", "page_token"),
            ("nonsense=1", "nonsense"),
            ("nonsense=%00", "nonsense"),
        ],
    )
    def test_refuse_with_the_name_of_the_field(self, get, text, field):
        answer = get(text)

        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [field]

    def test_count_pages_by_the_size_that_is_asked_for(self, get):
        pages = [get(f"page={number}&per_page=2").json()["items"] for number in (1, 2, 3)]

        assert [len(items) for items in pages] == [2, 2, 1]
        assert len({item["id"] for items in pages for item in items}) == 5

    def test_go_on_from_a_counted_page(self, get):
        first = get("offset=1&limit=2").json()
        second = get(f"page_size=2&page_token={first['next_page_token']}").json()

        assert len({item["id"] for item in [*first["items"], *second["items"]]}) == 4

    def test_are_empty_far_beyond_the_end(self, get):
        assert get("page=999999999&page_size=100").json() == {"items": [], "next_page_token": ""}
