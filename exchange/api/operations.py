"""What a REST action takes and answers, said beside it: the API's document is drawn from that."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from rest_framework import serializers

F = TypeVar("F", bound=Callable[..., Any])
Form = type[serializers.Serializer]
TEXT = {"type": "string"}
BINARY = {"type": "string", "format": "binary"}


@dataclass(frozen=True, eq=False)
class Operation:
    """`form` is named after the RPC that does the same."""

    form: Form
    answer: Form | None
    status: int
    files: Mapping[str, Any]
    """Media type → schema, where the answer is a file."""
    body: Mapping[str, Any] | None
    """Media type → schema, where the request is no JSON."""
    needs_log_in: bool | None
    spelled: Mapping[str, str] = field(default_factory=dict)
    """What a field of the form is called in the query, where it has another name there."""

    @property
    def rpc(self) -> str:
        return self.form.__name__.removesuffix("RequestSerializer")

    def field_named(self, part: str) -> str:
        """The field of the form that a part of the path fills. The router calls every id `pk`."""
        fields = [str(name) for name in self.form().fields]
        if part in fields:
            return part
        return "id" if "id" in fields else next(name for name in fields if name.endswith("_id"))

    def form_without(self, names: Iterable[str]) -> Form:
        """What is left for the body or the query once the path has said `names`."""
        return _without(self.form, frozenset(names) & frozenset(self.form().fields))


def operation(
    form: Form,
    *,
    shows: Form | None = None,
    creates: Form | None = None,
    accepts: Form | None = None,
    page_of: Form | None = None,
    files: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
    needs_log_in: bool | None = None,
    spelled: Mapping[str, str] | None = None,
) -> Callable[[F], F]:
    """Say it of an action: `@operation(s.CreateBenchmarkRequestSerializer, creates=s.BenchmarkSerializer)`.

    `accepts` where what it began goes on after the answer: that is 202. Without an answer it is 204.
    `needs_log_in` when it is another than for its method: reads are open, writes are not.
    """
    answer = shows or creates or accepts or (_page(form, page_of) if page_of else None)
    status = 201 if creates else 202 if accepts else 200 if answer or files else 204
    said = Operation(form, answer, status, files or {}, body, needs_log_in, spelled or {})

    def say(function: F) -> F:
        function.operation = said  # type: ignore[attr-defined]
        return function

    return say


def action_of(view: Any) -> Any:
    """The method that a viewset would answer with."""
    return getattr(view, view.action)


def operation_of(view: Any) -> Operation:
    said: Operation = action_of(view).operation
    return said


@cache
def _page(form: Form, item: Form) -> Form:
    name = form.__name__.removesuffix("RequestSerializer") + "ResponseSerializer"
    fields = {"items": item(many=True), "next_page_token": serializers.CharField()}
    return type(name, (serializers.Serializer,), fields)


@cache
def _without(form: Form, names: frozenset[str]) -> Form:
    return type(form.__name__, (form,), dict.fromkeys(names)) if names else form
