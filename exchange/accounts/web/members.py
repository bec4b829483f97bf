"""Who belongs to an organization, who is invited, and what it says of itself."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.accounts import inviting, selectors, services
from exchange.accounts.api import serializers as s
from exchange.accounts.permissions import require_admin
from exchange.api.forms import parse
from exchange.core.actors import Scope
from exchange.core.errors import DomainError
from exchange.web.pages import form_data, page, refused_fields, signed_in

SHOWN = 200


@page
@signed_in
def members(request, slug):
    return _members(request, _organization(request, slug))


@require_POST
@page
@signed_in
def invite(request, slug):
    found, data = _organization(request, slug), form_data(request)
    try:
        form = parse(s.InviteMemberRequestSerializer, {**data, "organization_id": found.pk})
        invitation = inviting.invite_member(actor=request.actor, **form)
    except DomainError as refusal:
        return _members(request, found, refusal=refusal, values=data)
    messages.success(request, _("An invitation is on its way to %(email)s.") % {"email": invitation.email})
    return redirect("members", slug=slug)


@require_POST
@page
@signed_in
def revoke(request, slug, invitation_id):
    inviting.revoke_invitation(actor=request.actor, invitation_id=invitation_id)
    messages.success(request, _("The invitation is revoked."))
    return redirect("members", slug=slug)


@require_POST
@page
@signed_in
def change_role(request, slug, user_id):
    found = _organization(request, slug)
    data = {**form_data(request), "organization_id": found.pk, "user_id": user_id}
    try:
        form = parse(s.ChangeMemberRoleRequestSerializer, data)
        services.change_member_role(actor=request.actor, **form)
    except DomainError as refusal:
        return _members(request, found, refusal=refusal)
    messages.success(request, _("The role is changed."))
    return redirect("members", slug=slug)


@require_POST
@page
@signed_in
def remove(request, slug, user_id):
    found = _organization(request, slug)
    try:
        services.remove_member(actor=request.actor, organization_id=found.pk, user_id=user_id)
    except DomainError as refusal:
        return _members(request, found, refusal=refusal)
    if user_id == request.actor.user_id:
        messages.success(request, _("You have left %(organization)s.") % {"organization": found.name})
        return redirect("organizations")
    messages.success(request, _("The member is removed."))
    return redirect("members", slug=slug)


@page
@signed_in
def edit(request, slug):
    found = _organization(request, slug)
    require_admin(request.actor, found.pk, Scope.ORGANIZATIONS_WRITE)
    fields = ("name", "description", "website")
    data = {name: request.POST[name] for name in fields if name in request.POST}
    if request.method != "POST":
        return _edit(request, found)
    try:
        form = parse(s.UpdateOrganizationRequestSerializer, {**data, "id": found.pk})
        services.update_organization(actor=request.actor, **form)
    except DomainError as refusal:
        return _edit(request, found, refusal=refusal, values=data)
    messages.success(request, _("The organization is saved."))
    return redirect("organization", slug=slug)


def _organization(request, slug):
    return selectors.get_organization_by_slug(actor=request.actor, slug=slug)


def _edit(request, found, *, refusal=None, values=None):
    shown = s.OrganizationSerializer(found).data
    context = {
        "organization": shown,
        "may_administer": True,
        "values": values or shown,
        "errors": refused_fields(refusal) if refusal else [],
    }
    status = refusal.http if refusal else 200
    return render(request, "accounts/edit_organization.html", context, status=status)


def _members(request, found, *, refusal=None, values=None):
    actor, one = request.actor, {"organization_id": found.pk}
    may_administer = actor.administers(found.pk)
    invitations = selectors.list_invitations(actor=actor, **one)[:SHOWN] if may_administer else []
    context = {
        "organization": s.OrganizationSerializer(found).data,
        "members": s.MemberSerializer(selectors.list_members(actor=actor, **one)[:SHOWN], many=True).data,
        "invitations": s.InvitationSerializer(invitations, many=True).data,
        "may_administer": may_administer,
        "owns": actor.owns(found.pk),
        "own_id": str(actor.user_id),
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    return render(request, "accounts/members.html", context, status=refusal.http if refusal else 200)
