"""From rows to what a door shows."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.serializers import Serializer

from exchange.core import paging


def shown_page(serializer: type[Serializer], rows: QuerySet[Any], page: dict[str, Any]) -> dict[str, Any]:
    """One page of `rows` in the envelope every list uses."""
    found = paging.page(rows, **page)
    items = serializer(found.items, many=True).data
    return {"items": items, "next_page_token": found.next_page_token}
