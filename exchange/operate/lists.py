"""What operators see: people, organizations, unsent mail, public benchmarks and proposals. No secrets."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from benchmarks.models import Benchmark, Visibility
from exchange.accounts import operating
from exchange.accounts.models import Letter, Organization, User
from exchange.core.actors import ANONYMOUS
from governance.models import Proposal
from governance.selectors import list_proposals

from .reading import Reading, each


@admin.register(User)
class People(Reading):
    list_display = ("username", "display_name", "email", "email_verified", "role", "is_active", "created_at")
    list_filter = ("role", "is_active", "email_verified")
    search_fields = ("username", "display_name", "email")
    ordering = ("username",)
    fields = (*list_display, "affiliation", "website", "github_username", "orcid", "last_login")
    actions = ("make_registered", "make_contributor", "make_reviewer", "make_admin", "deactivate", "activate")

    make_registered = admin.action(description=_("Take the role away"))(
        each(operating.grant_site_role, "user_id", role="registered")
    )
    make_contributor = admin.action(description=_("Grant the role contributor"))(
        each(operating.grant_site_role, "user_id", role="contributor")
    )
    make_reviewer = admin.action(description=_("Grant the role reviewer"))(
        each(operating.grant_site_role, "user_id", role="reviewer")
    )
    make_admin = admin.action(description=_("Grant the role administrator"))(
        each(operating.grant_site_role, "user_id", role="admin")
    )
    deactivate = admin.action(description=_("Deactivate: end all sessions and tokens"))(
        each(operating.deactivate_user, "user_id")
    )
    activate = admin.action(description=_("Activate again"))(each(operating.activate_user, "user_id"))


@admin.register(Organization)
class Organizations(Reading):
    list_display = ("slug", "name", "type", "website", "verified_at", "is_demo", "created_at")
    list_filter = ("type", "is_demo", ("verified_at", admin.EmptyFieldListFilter))
    search_fields = ("slug", "name")
    ordering = ("slug",)
    fields = (*list_display, "description")
    actions = ("verify", "unverify")

    verify = admin.action(description=_("Verify: it is who it says it is"))(
        each(operating.verify_organization, "organization_id")
    )
    unverify = admin.action(description=_("Take the verification back"))(
        each(operating.unverify_organization, "organization_id")
    )


@admin.register(Letter)
class Letters(Reading):
    """Whether mail goes out. To whom and what it says is not shown: a letter may hold a link."""

    list_display = ("created_at", "kind", "attempts", "error", "not_before", "sent_at")
    list_display_links = None  # a letter has no page
    list_filter = ("kind", ("sent_at", admin.EmptyFieldListFilter))
    ordering = ("-created_at",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is None and super().has_view_permission(request)


@admin.register(Benchmark)
class PublicBenchmarks(Reading):
    list_display = ("slug", "name", "organization", "kind", "category", "status", "is_endorsed", "created_at")
    list_filter = ("status", "kind", "category", "is_endorsed")
    list_select_related = ("organization",)
    search_fields = ("slug", "name")
    ordering = ("slug",)
    fields = (*list_display, "description", "tags", "license", "is_demo")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Benchmark]:
        """Drafts and what is not public belong to their organizations."""
        public = super().get_queryset(request).filter(visibility=Visibility.PUBLIC)
        return public.exclude(status=Benchmark.Status.DRAFT)


@admin.register(Proposal)
class Proposals(Reading):
    list_display = ("title", "status", "proposer", "about", "voting_closes_at", "executed_at")
    list_filter = ("status",)
    list_select_related = ("proposer",)
    search_fields = ("title",)
    ordering = ("-created_at",)
    fields = (*list_display, "description", "rationale", "action_digest", "electorate_size", "execute_after")

    @admin.display(description=_("Benchmark"))
    def about(self, proposal: Proposal) -> str:
        return proposal.benchmark_slug or ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Proposal]:
        """What everybody may see of them."""
        return list_proposals(actor=ANONYMOUS)
