"""What all results of tools have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from llm_benchmark.models import Model

from .texts import NOTICE


class Shape(BaseModel):
    """Named as the API names it, and read from the client's models."""

    model_config = ConfigDict(from_attributes=True, frozen=True, use_attribute_docstrings=True)

    @classmethod
    def of(cls, model: Model, **more: Any) -> Self:
        """The model's fields, and what it does not have."""
        known = {name: getattr(model, name) for name in cls.model_fields if hasattr(model, name)}
        return cls.model_validate({**known, **more})


class Result(Shape):
    """What a tool returns: `lines` say the same in a few words."""

    def lines(self) -> Iterable[str]:
        raise NotImplementedError

    def said(self) -> str:
        return "\n".join([*self.lines(), NOTICE])


class ListResult(Result):
    """A page of a list."""

    next_page_token: str
    """Empty at the end; else the argument `page_token` of the call for what follows."""

    def more(self) -> Iterable[str]:
        if self.next_page_token:
            yield f"There is more: call again with page_token={self.next_page_token!r}."


def marks(*, is_simulated: bool | None = False, is_demo: bool = False) -> str:
    """What must never get lost on the way to a reader."""
    said = [word for word, is_so in (("SIMULATED", is_simulated), ("DEMO DATA", is_demo)) if is_so]
    return f" [{', '.join(said)}]" if said else ""
