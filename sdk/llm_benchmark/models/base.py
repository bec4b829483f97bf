"""What all answers of the API have in common."""

from typing import Any

import msgspec


class Model(msgspec.Struct, kw_only=True, frozen=True):
    """An answer of the API. Fields that this version does not know are passed over.

    Times are aware datetimes, ids are strings; so are statuses and verdicts, so that a newer server's values
    can be read (`llm_benchmark.models.choices` lists today's).
    """

    def as_dict(self) -> dict[str, Any]:
        """As the API wrote it: JSON's types only."""
        written: dict[str, Any] = msgspec.to_builtins(self)
        return written
