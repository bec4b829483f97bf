"""Comments as threads: answers below what they answer, deeper ones at the third level."""

from collections.abc import Iterable, Mapping
from typing import Any

DEEPEST = 3
Comment = Mapping[str, Any]


def threads(comments: Iterable[Comment]) -> list[dict[str, Any]]:
    """[{comment, answers: [the same]}] in the order given.

    An answer to a comment that is not among `comments` begins a thread of its own. What would stand below the
    third level joins the third.
    """
    roots: list[dict[str, Any]] = []
    places: dict[str, tuple[dict[str, Any], int, list[dict[str, Any]]]] = {}
    for comment in comments:
        node: dict[str, Any] = {"comment": comment, "answers": []}
        parent = places.get(str(comment["parent_id"]))
        siblings, depth = (roots, 1) if parent is None else _below(*parent)
        siblings.append(node)
        places[str(comment["id"])] = (node, depth, siblings)
    return roots


def _below(
    node: dict[str, Any], depth: int, siblings: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], int]:
    """Where an answer to this comment stands."""
    return (siblings, depth) if depth == DEEPEST else (node["answers"], depth + 1)
