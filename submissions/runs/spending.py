"""What a run took: tokens by the provider's own count, and dollars by the price of its day."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db.models import Count, QuerySet, Sum

from .models import Attempt, AttemptStatus, Response, Run, RunKind

_LEFT_US = (AttemptStatus.SENT, AttemptStatus.SETTLED, AttemptStatus.LOST)
_MILLION, _PLACES = Decimal(1_000_000), Decimal("0.00000001")


def tokens_of(run: Run) -> dict[str, int | None]:
    """`input_tokens` and `output_tokens`: of its standing answers, or else of all requests that left us.

    None unless every one of them has the number.
    """
    found = _counted(run).aggregate(
        every=Count("pk"),
        known_input=Count("input_tokens"),
        known_output=Count("output_tokens"),
        input=Sum("input_tokens"),
        output=Sum("output_tokens"),
    )
    return {
        f"{side}_tokens": found[side] if found[f"known_{side}"] == found["every"] else None
        for side in ("input", "output")
    }


def _counted(run: Run) -> QuerySet[Any]:
    if run.kind == RunKind.QUALITY:
        return Response.objects.filter(run=run, is_superseded=False)
    return Attempt.objects.filter(run=run, status__in=_LEFT_US)


def cost_of(run: Run, tokens: Mapping[str, int | None]) -> Decimal | None:
    """US dollars with 8 places. None: tokens are not known, or nobody said what they cost.

    Args:
        tokens: as `tokens_of` gives them.
    """
    read, written = tokens["input_tokens"], tokens["output_tokens"]
    if run.price is None or read is None or written is None:
        return None
    spent = read * Decimal(run.price["input_per_million"])
    spent += written * Decimal(run.price["output_per_million"])
    return (spent / _MILLION).quantize(_PLACES)
