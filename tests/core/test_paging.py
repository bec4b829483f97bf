import base64
import json

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


def token_of(text):
    return base64.urlsafe_b64encode(text.encode()).decode()


FORGED = {
    "no base64": "x",
    "an object": token_of("{}"),
    "too many values": token_of("[1, 2, 3]"),
    "no id": token_of('["a", "not-an-id"]'),
    "no position": "offset:-1",
    "no number": "offset:x",
    "more than a bigint": f"offset:{2**63}",
    "a long number": "offset:" + "9" * 5_000,
    "other digits": "offset:٣",
    "a space": "offset: 1",
    "NUL": token_of(json.dumps(["a\0", "5f6c1b1e-0000-4000-8000-000000000000"])),
    "a lone surrogate": token_of(json.dumps(["\ud800", "5f6c1b1e-0000-4000-8000-000000000000"])),
    "a lone surrogate outside": "\ud800",
    "a deep value": token_of("[" * 100_000),
    "a nested value": token_of("[" * 500 + "]" * 500),
    "no number at all": token_of('[NaN, "5f6c1b1e-0000-4000-8000-000000000000"]'),
    "a null": token_of('[null, "5f6c1b1e-0000-4000-8000-000000000000"]'),
}


@pytest.mark.parametrize("order", [("name", "id"), ("created_at", "id")])
@pytest.mark.parametrize("forged", FORGED)
def test_refuses_a_token_that_is_not_ours(forged, order):
    with pytest.raises(InvalidInput) as refusal:
        paging.page(Organization.objects.order_by(*order), token=FORGED[forged])
    assert refusal.value.errors[0].field == "page_token"
