"""200 sums, differences and products, the same for the same seed on every machine."""

import random
from typing import Any

COUNT = 200
_HARDEST = 20


def items(*, seed: int) -> list[dict[str, Any]]:
    """Test cases in growing difficulty; no question comes twice."""
    draw = random.Random(seed)  # noqa: S311  a fixed data set, not a secret
    asked: dict[str, int] = {}
    while len(asked) < COUNT:
        text, value = _question(draw, 2 + len(asked) * _HARDEST // COUNT)
        asked.setdefault(text, value)
    return [
        {
            "key": f"arithmetic-{number:03d}",
            "prompt": f"{text} = ?",
            "reference": str(value),
            "scorer": "numeric_v1",
        }
        for number, (text, value) in enumerate(asked.items(), 1)
    ]


def _question(draw: random.Random, size: int) -> tuple[str, int]:
    sign = draw.choice("+-*")
    left, right = draw.randint(1, 9 + size), draw.randint(1, 9 + size)
    if sign == "+":
        return f"{left} + {right}", left + right
    if sign == "-":
        left, right = max(left, right), min(left, right)
        return f"{left} - {right}", left - right
    right = draw.randint(2, 9)
    return f"{left} × {right}", left * right
