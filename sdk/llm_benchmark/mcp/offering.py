"""From a function over the client to a tool that a protocol client can list and call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError
from typing_extensions import override

from llm_benchmark.errors import InvalidInput, SdkError

from .clients import Clients
from .refusals import bad_arguments, refused, unknown_arguments
from .results import Result

F = TypeVar("F", bound=Callable[..., Result])
_ASKER = "context"
_MARK = "__offer__"


@dataclass(frozen=True, slots=True)
class Offer:
    """What is said of a tool beside its function's name, docstring and types.

    Args:
        writes: it changes something at the exchange, so it is offered only where writing is allowed.
        is_open_world: its result carries text of strangers, or it makes the exchange ask somebody else.
        is_idempotent: a repeated call changes nothing more.
    """

    title: str
    writes: bool = False
    is_open_world: bool = True
    is_idempotent: bool = True

    def annotations(self) -> ToolAnnotations:
        """Nothing is destroyed."""
        return ToolAnnotations(
            title=self.title,
            read_only_hint=not self.writes,
            destructive_hint=False,
            idempotent_hint=self.is_idempotent,
            open_world_hint=self.is_open_world,
        )


def offered(
    title: str, *, writes: bool = False, is_open_world: bool = True, is_idempotent: bool = True
) -> Callable[[F], F]:
    """Mark a function as a tool. It takes the caller's `Client` first; its docstring is for agents."""

    def mark(function: F) -> F:
        offer = Offer(title, writes=writes, is_open_world=is_open_world, is_idempotent=is_idempotent)
        setattr(function, _MARK, offer)
        return function

    return mark


def offer_of(function: Callable[..., Result]) -> Offer:
    offer: Offer = getattr(function, _MARK)
    return offer


class ExchangeTool(Tool):
    """A tool that names wrong arguments instead of echoing or passing over them."""

    @override
    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        try:
            self._check(arguments)
        except InvalidInput as wrong:
            return refused(wrong)
        return await super().run(arguments, context, convert_result)

    def _check(self, arguments: dict[str, Any]) -> None:
        known = self.parameters["properties"]
        if unknown := [name for name in arguments if name not in known]:
            raise unknown_arguments(unknown, known)
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            raise bad_arguments(error) from None


def as_tool(function: Callable[..., Result], clients: Clients) -> Tool:
    """The SDK calls it in a thread of its own, so that a slow exchange holds up nobody else."""
    offer = offer_of(function)
    tool = ExchangeTool.from_function(
        _answering(function, clients),
        name=function.__name__,
        title=offer.title,
        description=inspect.getdoc(function),
        context_kwarg=_ASKER,
        annotations=offer.annotations(),
    )
    tool.parameters["additionalProperties"] = False
    return tool


def _answering(function: Callable[..., Result], clients: Clients) -> Callable[..., CallToolResult]:
    def answer(*, context: Context[Any, Any], **arguments: Any) -> CallToolResult:
        try:
            result = function(clients.of(context.headers), **arguments)
        except SdkError as error:
            return refused(error)
        text = TextContent(type="text", text=result.said())
        return CallToolResult(content=[text], structured_content=result.model_dump(mode="json"))

    given = inspect.signature(function, eval_str=True)
    asker = inspect.Parameter(_ASKER, inspect.Parameter.KEYWORD_ONLY, annotation=Context)
    arguments = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in list(given.parameters.values())[1:]]
    answer.__signature__ = given.replace(  # type: ignore[attr-defined]  # what the SDK reads for the schemas
        parameters=[asker, *arguments], return_annotation=Annotated[CallToolResult, given.return_annotation]
    )
    answer.__name__ = function.__name__
    return answer
