"""What every list here is: read-only, and what it does goes through a service."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.accounts.permissions import is_operator
from exchange.core.errors import DomainError, InvalidInput


class Reading(ModelAdmin):
    """Nothing is added, changed or deleted in a form."""

    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_operator(request.actor)  # type: ignore[attr-defined]  # ActorMiddleware sets it

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """The list's own filters. Others would answer about passwords' hashes, or ballots of an open vote."""
        filters = {one[0] if isinstance(one, list | tuple) else one for one in self.list_filter}
        return lookup.partition("__")[0] in filters

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> HttpResponse | None:
        """Ids that are none are refused, like every other bad form."""
        try:
            return super().response_action(request, queryset, *args, **kwargs)
        except ValidationError as error:
            text = _("Choose rows of the list.")
            raise InvalidInput.of("_selected_action", "invalid", text) from error

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def each(service: Callable[..., Any], field: str, **facts: Any) -> Callable[..., None]:
    """An action that calls `service` with the id of each chosen row, and says of each refusal why."""

    def act(_admin: Reading, request: HttpRequest, rows: QuerySet[Any]) -> None:
        done = sum(_done(request, service, {field: row.pk, **facts}) for row in rows)
        text = ngettext("%(count)d is done.", "%(count)d are done.", done) % {"count": done}
        messages.success(request, text)

    return act


def _done(request: HttpRequest, service: Callable[..., Any], arguments: dict[str, UUID | str]) -> bool:
    try:
        service(actor=request.actor, **arguments)  # type: ignore[attr-defined]  # ActorMiddleware sets it
    except DomainError as refusal:
        messages.error(request, str(refusal))
        return False
    return True
