"""Ids beside the names that people give."""

from uuid import UUID


def is_id(given: str) -> bool:
    """Whether it is an id, and no slug or name."""
    try:
        return str(UUID(given)) == given.lower()
    except ValueError:
        return False
