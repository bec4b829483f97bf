import pytest

from exchange.accounts.models import Organization
from exchange.core import paging
from exchange.core.errors import InvalidInput
from tests.factories.accounts import OrganizationFactory

pytestmark = pytest.mark.django_db


def walk(rows, size):
    token, found = "", []
    while True:
        page = paging.page(rows, size=size, token=token)
        found += page.items
        token = page.next_page_token
        if not token:
            return found


@pytest.mark.parametrize("order", [("name", "id"), ("-name", "id"), ("-created_at", "id")])
def test_walks_every_row_once_in_order(order):
    for number in range(7):
        OrganizationFactory(name=f"N{number // 2}")
    rows = Organization.objects.order_by(*order)

    assert walk(rows, 2) == list(rows)


def test_a_row_added_before_the_token_does_not_repeat_another():
    for letter in "bdf":
        OrganizationFactory(name=letter)
    rows = Organization.objects.order_by("name", "id")
    first = paging.page(rows, size=2)
    OrganizationFactory(name="a")

    second = paging.page(rows, size=2, token=first.next_page_token)

    assert [row.name for row in second.items] == ["f"]


@pytest.mark.parametrize(
    "token", ["x", "e30=", "WzEsMiwzXQ==", "WyJhIiwgIm5vdC1hbi1pZCJd", "offset:-1", "offset:x"]
)
def test_refuses_a_token_that_is_not_ours(token):
    with pytest.raises(InvalidInput) as refusal:
        paging.page(Organization.objects.order_by("name", "id"), token=token)
    assert refusal.value.errors[0].field == "page_token"
