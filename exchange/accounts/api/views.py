from django.contrib import auth
from rest_framework.decorators import action
from rest_framework.response import Response

from exchange.accounts import confirming, inviting, operating, passwords, readdressing, selectors, services
from exchange.api.addresses import address_of
from exchange.api.forms import body, parse, query, split_page
from exchange.api.operations import operation
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet

from . import serializers as s
from .shown import shown_new_token, shown_session


class AuthViewSet(ApiViewSet):
    own_transaction = True  # tries must stay counted

    @operation(s.RegisterRequestSerializer, creates=s.SessionSerializer, needs_log_in=False)
    @action(detail=False, methods=["post"])
    def register(self, request):
        form = parse(s.RegisterRequestSerializer, body(request))
        user = services.register(**form, address=address_of(request))
        return Response(shown_session(user, *services.open_session(user=user)), 201)

    @operation(s.LoginRequestSerializer, shows=s.SessionSerializer, needs_log_in=False)
    @action(detail=False, methods=["post"])
    def login(self, request):
        form = parse(s.LoginRequestSerializer, body(request))
        user = services.authenticate(**form, address=address_of(request))
        return Response(shown_session(user, *services.open_session(user=user)))

    @operation(s.LogoutRequestSerializer)
    @action(detail=False, methods=["post"])
    def logout(self, request):
        parse(s.LogoutRequestSerializer, body(request))
        secret = _bearer(request)
        services.log_out(actor=request.user, secret=secret)
        if not secret:
            auth.logout(request._request)  # noqa: SLF001  the browser's session is Django's, not DRF's
        return Response(status=204)

    @operation(s.ConfirmEmailRequestSerializer, needs_log_in=False)
    @action(detail=False, methods=["post"], url_path="confirm-email")
    def confirm_email(self, request):
        form = parse(s.ConfirmEmailRequestSerializer, body(request))
        confirming.confirm_email(actor=request.user, **form)
        return Response(status=204)

    @operation(s.SendConfirmationRequestSerializer)
    @action(detail=False, methods=["post"], url_path="send-confirmation")
    def send_confirmation(self, request):
        parse(s.SendConfirmationRequestSerializer, body(request))
        confirming.send_confirmation(actor=request.user)
        return Response(status=204)

    @operation(s.RequestPasswordResetRequestSerializer, needs_log_in=False)
    @action(detail=False, methods=["post"], url_path="request-password-reset")
    def request_password_reset(self, request):
        form = parse(s.RequestPasswordResetRequestSerializer, body(request))
        passwords.request_password_reset(actor=request.user, **form, address=address_of(request))
        return Response(status=204)

    @operation(s.ResetPasswordRequestSerializer, needs_log_in=False)
    @action(detail=False, methods=["post"], url_path="reset-password")
    def reset_password(self, request):
        form = parse(s.ResetPasswordRequestSerializer, body(request))
        passwords.reset_password(actor=request.user, **form)
        return Response(status=204)

    @operation(s.ChangePasswordRequestSerializer)
    def change_password(self, request):
        form = parse(s.ChangePasswordRequestSerializer, body(request))
        user = passwords.change_password(actor=request.user, **form, keep_secret=_bearer(request))
        _keep_browser(request, user)
        return Response(status=204)

    @operation(s.ChangeEmailRequestSerializer)
    def change_email(self, request):
        form = parse(s.ChangeEmailRequestSerializer, body(request))
        readdressing.change_email(actor=request.user, **form)
        return Response(status=204)


def _bearer(request):
    """The token that the request came with; "" from a browser."""
    return request.headers.get("Authorization", "").partition(" ")[2].strip()


def _keep_browser(request, user):
    """The browser that asked stays logged in."""
    if not _bearer(request):
        auth.update_session_auth_hash(request._request, user)  # noqa: SLF001  the session is Django's


class ProfileViewSet(ApiViewSet):
    @operation(s.GetProfileRequestSerializer, shows=s.UserSerializer, needs_log_in=True)
    def retrieve(self, request):
        return Response(s.UserSerializer(selectors.get_profile(actor=request.user)).data)

    @operation(s.UpdateProfileRequestSerializer, shows=s.UserSerializer)
    def update(self, request):
        form = parse(s.UpdateProfileRequestSerializer, body(request))
        return Response(s.UserSerializer(services.update_profile(actor=request.user, **form)).data)


class PersonViewSet(ApiViewSet):
    """/users/{id}: what a person shows in public."""

    @operation(s.GetPersonRequestSerializer, shows=s.PersonSerializer)
    def retrieve(self, request, id):
        form = parse(s.GetPersonRequestSerializer, {"id": id})
        return Response(s.PersonSerializer(selectors.get_person(actor=request.user, **form)).data)

    @operation(s.GetPersonByUsernameRequestSerializer, shows=s.PersonSerializer)
    def retrieve_by_username(self, request, username):
        form = parse(s.GetPersonByUsernameRequestSerializer, {"username": username})
        person = selectors.get_person_by_username(actor=request.user, **form)
        return Response(s.PersonSerializer(person).data)

    @operation(s.GrantSiteRoleRequestSerializer, shows=s.PersonSerializer)
    def grant_role(self, request, id):
        form = parse(s.GrantSiteRoleRequestSerializer, body(request, id=id))
        return Response(s.PersonSerializer(operating.grant_site_role(actor=request.user, **form)).data)


class SessionViewSet(ApiViewSet):
    """The open sessions of the actor's programs: /users/me/sessions."""

    @operation(s.ListSessionsRequestSerializer, page_of=s.OpenSessionSerializer, needs_log_in=True)
    def list(self, request):
        _filters, page = split_page(parse(s.ListSessionsRequestSerializer, query(request)))
        rows = selectors.list_sessions(actor=request.user)
        return Response(shown_page(s.OpenSessionSerializer, rows, page))

    @operation(s.EndSessionsRequestSerializer)
    def end(self, request):
        parse(s.EndSessionsRequestSerializer, body(request))
        user = passwords.end_sessions(actor=request.user, keep_secret=_bearer(request))
        _keep_browser(request, user)
        return Response(status=204)


class TokenViewSet(ApiViewSet):
    @operation(s.ListApiTokensRequestSerializer, page_of=s.ApiTokenSerializer, needs_log_in=True)
    def list(self, request):
        _filters, page = split_page(parse(s.ListApiTokensRequestSerializer, query(request)))
        rows = selectors.list_api_tokens(actor=request.user)
        return Response(shown_page(s.ApiTokenSerializer, rows, page))

    @operation(s.CreateApiTokenRequestSerializer, creates=s.NewApiTokenSerializer)
    def create(self, request):
        form = parse(s.CreateApiTokenRequestSerializer, body(request))
        return Response(shown_new_token(*services.create_api_token(actor=request.user, **form)), 201)

    @operation(s.RevokeApiTokenRequestSerializer, shows=s.ApiTokenSerializer)
    @action(detail=True, methods=["post"])
    def revoke(self, request, pk):
        form = parse(s.RevokeApiTokenRequestSerializer, body(request, id=pk))
        return Response(s.ApiTokenSerializer(services.revoke_api_token(actor=request.user, **form)).data)


class OrganizationViewSet(ApiViewSet):
    @operation(s.ListOrganizationsRequestSerializer, page_of=s.OrganizationSerializer, needs_log_in=True)
    def list(self, request):
        _filters, page = split_page(parse(s.ListOrganizationsRequestSerializer, query(request)))
        rows = selectors.list_organizations(actor=request.user)
        return Response(shown_page(s.OrganizationSerializer, rows, page))

    @operation(s.CreateOrganizationRequestSerializer, creates=s.OrganizationSerializer)
    def create(self, request):
        form = parse(s.CreateOrganizationRequestSerializer, body(request))
        organization = services.create_organization(actor=request.user, **form)
        return Response(s.OrganizationSerializer(organization).data, 201)

    @operation(s.GetOrganizationRequestSerializer, shows=s.OrganizationSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetOrganizationRequestSerializer, {"id": pk})
        organization = selectors.get_organization(actor=request.user, **form)
        return Response(s.OrganizationSerializer(organization).data)

    @operation(s.UpdateOrganizationRequestSerializer, shows=s.OrganizationSerializer)
    def partial_update(self, request, pk):
        form = parse(s.UpdateOrganizationRequestSerializer, body(request, id=pk))
        organization = services.update_organization(actor=request.user, **form)
        return Response(s.OrganizationSerializer(organization).data)


class MemberViewSet(ApiViewSet):
    """The members of one organization: /organizations/{organization_id}/members."""

    @operation(s.ListMembersRequestSerializer, page_of=s.MemberSerializer, needs_log_in=True)
    def list(self, request, organization_id):
        form = parse(s.ListMembersRequestSerializer, query(request, organization_id=organization_id))
        filters, page = split_page(form)
        rows = selectors.list_members(actor=request.user, **filters)
        return Response(shown_page(s.MemberSerializer, rows, page))

    @operation(s.AddMemberRequestSerializer, creates=s.MemberSerializer)
    def add(self, request, organization_id):
        form = parse(s.AddMemberRequestSerializer, body(request, organization_id=organization_id))
        member = services.add_member(actor=request.user, **form)
        return Response(s.MemberSerializer(member).data, 201)

    @operation(s.ChangeMemberRoleRequestSerializer, shows=s.MemberSerializer)
    def change_role(self, request, organization_id, user_id):
        data = body(request, organization_id=organization_id, user_id=user_id)
        form = parse(s.ChangeMemberRoleRequestSerializer, data)
        return Response(s.MemberSerializer(services.change_member_role(actor=request.user, **form)).data)

    @operation(s.RemoveMemberRequestSerializer)
    def remove(self, request, organization_id, user_id):
        data = body(request, organization_id=organization_id, user_id=user_id)
        services.remove_member(actor=request.user, **parse(s.RemoveMemberRequestSerializer, data))
        return Response(status=204)


class InvitationViewSet(ApiViewSet):
    """Invitations into organizations, for those who invite and for those who are invited."""

    @operation(s.ListInvitationsRequestSerializer, page_of=s.InvitationSerializer, needs_log_in=True)
    def list(self, request, organization_id):
        form = parse(s.ListInvitationsRequestSerializer, query(request, organization_id=organization_id))
        filters, page = split_page(form)
        rows = selectors.list_invitations(actor=request.user, **filters)
        return Response(shown_page(s.InvitationSerializer, rows, page))

    @operation(s.InviteMemberRequestSerializer, creates=s.InvitationSerializer)
    def invite(self, request, organization_id):
        form = parse(s.InviteMemberRequestSerializer, body(request, organization_id=organization_id))
        return Response(s.InvitationSerializer(inviting.invite_member(actor=request.user, **form)).data, 201)

    @operation(s.RevokeInvitationRequestSerializer, shows=s.InvitationSerializer)
    def revoke(self, request, id):
        form = parse(s.RevokeInvitationRequestSerializer, body(request, id=id))
        return Response(s.InvitationSerializer(inviting.revoke_invitation(actor=request.user, **form)).data)

    @operation(
        s.ListReceivedInvitationsRequestSerializer, page_of=s.ReceivedInvitationSerializer, needs_log_in=True
    )
    def list_received(self, request):
        _filters, page = split_page(parse(s.ListReceivedInvitationsRequestSerializer, query(request)))
        rows = selectors.list_received_invitations(actor=request.user)
        return Response(shown_page(s.ReceivedInvitationSerializer, rows, page))

    @operation(s.AcceptInvitationRequestSerializer, shows=s.InvitationSerializer)
    def accept(self, request):
        form = parse(s.AcceptInvitationRequestSerializer, body(request))
        return Response(s.InvitationSerializer(inviting.accept_invitation(actor=request.user, **form)).data)

    @operation(s.DeclineInvitationRequestSerializer, shows=s.InvitationSerializer)
    def decline(self, request):
        form = parse(s.DeclineInvitationRequestSerializer, body(request))
        return Response(s.InvitationSerializer(inviting.decline_invitation(actor=request.user, **form)).data)
