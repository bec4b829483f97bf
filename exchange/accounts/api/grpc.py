from exchange.accounts import confirming, inviting, operating, passwords, readdressing, selectors, services
from exchange.api.addresses import address_of_call
from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.interceptors import own_transaction
from exchange.api.pb import users_pb2 as pb
from exchange.api.pb import users_pb2_grpc as pb_grpc
from exchange.api.shown import shown_page

from . import serializers as s
from .shown import shown_new_token, shown_session


def _bearer(context):
    """The token that the call came with."""
    return context.metadata.get("authorization", "").partition(" ")[2].strip()


class UserService(pb_grpc.UserServiceServicer):
    @own_transaction
    def Register(self, request, context):
        form = parse(s.RegisterRequestSerializer, to_data(request))
        user = services.register(**form, address=address_of_call(context))
        return to_message(pb.Session, shown_session(user, *services.open_session(user=user)))

    @own_transaction  # a failed log-in must stay counted
    def Login(self, request, context):
        form = parse(s.LoginRequestSerializer, to_data(request))
        user = services.authenticate(**form, address=address_of_call(context))
        return to_message(pb.Session, shown_session(user, *services.open_session(user=user)))

    @own_transaction
    def Logout(self, request, context):
        parse(s.LogoutRequestSerializer, to_data(request))
        services.log_out(actor=actor_of(context), secret=_bearer(context))
        return pb.LogoutResponse()

    @own_transaction
    def ConfirmEmail(self, request, context):
        form = parse(s.ConfirmEmailRequestSerializer, to_data(request))
        confirming.confirm_email(actor=actor_of(context), **form)
        return pb.ConfirmEmailResponse()

    @own_transaction
    def SendConfirmation(self, request, context):
        parse(s.SendConfirmationRequestSerializer, to_data(request))
        confirming.send_confirmation(actor=actor_of(context))
        return pb.SendConfirmationResponse()

    @own_transaction
    def RequestPasswordReset(self, request, context):
        form = parse(s.RequestPasswordResetRequestSerializer, to_data(request))
        address = address_of_call(context)
        passwords.request_password_reset(actor=actor_of(context), **form, address=address)
        return pb.RequestPasswordResetResponse()

    @own_transaction
    def ResetPassword(self, request, context):
        form = parse(s.ResetPasswordRequestSerializer, to_data(request))
        passwords.reset_password(actor=actor_of(context), **form)
        return pb.ResetPasswordResponse()

    @own_transaction  # a wrong password must stay counted
    def ChangePassword(self, request, context):
        form = parse(s.ChangePasswordRequestSerializer, to_data(request))
        passwords.change_password(actor=actor_of(context), **form, keep_secret=_bearer(context))
        return pb.ChangePasswordResponse()

    @own_transaction  # a wrong password must stay counted
    def ChangeEmail(self, request, context):
        form = parse(s.ChangeEmailRequestSerializer, to_data(request))
        readdressing.change_email(actor=actor_of(context), **form)
        return pb.ChangeEmailResponse()

    def ListSessions(self, request, context):
        _filters, page = split_page(parse(s.ListSessionsRequestSerializer, to_data(request)))
        rows = selectors.list_sessions(actor=actor_of(context))
        return to_message(pb.ListSessionsResponse, shown_page(s.OpenSessionSerializer, rows, page))

    def EndSessions(self, request, context):
        parse(s.EndSessionsRequestSerializer, to_data(request))
        passwords.end_sessions(actor=actor_of(context), keep_secret=_bearer(context))
        return pb.EndSessionsResponse()

    def GetPerson(self, request, context):
        form = parse(s.GetPersonRequestSerializer, to_data(request))
        person = selectors.get_person(actor=actor_of(context), **form)
        return to_message(pb.Person, s.PersonSerializer(person).data)

    def GetPersonByUsername(self, request, context):
        form = parse(s.GetPersonByUsernameRequestSerializer, to_data(request))
        person = selectors.get_person_by_username(actor=actor_of(context), **form)
        return to_message(pb.Person, s.PersonSerializer(person).data)

    def GrantSiteRole(self, request, context):
        form = parse(s.GrantSiteRoleRequestSerializer, to_data(request))
        person = operating.grant_site_role(actor=actor_of(context), **form)
        return to_message(pb.Person, s.PersonSerializer(person).data)

    def GetProfile(self, request, context):
        user = selectors.get_profile(actor=actor_of(context))
        return to_message(pb.User, s.UserSerializer(user).data)

    def UpdateProfile(self, request, context):
        form = parse(s.UpdateProfileRequestSerializer, to_data(request))
        user = services.update_profile(actor=actor_of(context), **form)
        return to_message(pb.User, s.UserSerializer(user).data)

    def ListApiTokens(self, request, context):
        _filters, page = split_page(parse(s.ListApiTokensRequestSerializer, to_data(request)))
        rows = selectors.list_api_tokens(actor=actor_of(context))
        return to_message(pb.ListApiTokensResponse, shown_page(s.ApiTokenSerializer, rows, page))

    def CreateApiToken(self, request, context):
        form = parse(s.CreateApiTokenRequestSerializer, to_data(request))
        secret, token = services.create_api_token(actor=actor_of(context), **form)
        return to_message(pb.NewApiToken, shown_new_token(secret, token))

    def RevokeApiToken(self, request, context):
        form = parse(s.RevokeApiTokenRequestSerializer, to_data(request))
        token = services.revoke_api_token(actor=actor_of(context), **form)
        return to_message(pb.ApiToken, s.ApiTokenSerializer(token).data)


class OrganizationService(pb_grpc.OrganizationServiceServicer):
    def ListOrganizations(self, request, context):
        _filters, page = split_page(parse(s.ListOrganizationsRequestSerializer, to_data(request)))
        rows = selectors.list_organizations(actor=actor_of(context))
        return to_message(pb.ListOrganizationsResponse, shown_page(s.OrganizationSerializer, rows, page))

    def CreateOrganization(self, request, context):
        form = parse(s.CreateOrganizationRequestSerializer, to_data(request))
        organization = services.create_organization(actor=actor_of(context), **form)
        return to_message(pb.Organization, s.OrganizationSerializer(organization).data)

    def GetOrganization(self, request, context):
        form = parse(s.GetOrganizationRequestSerializer, to_data(request))
        organization = selectors.get_organization(actor=actor_of(context), **form)
        return to_message(pb.Organization, s.OrganizationSerializer(organization).data)

    def UpdateOrganization(self, request, context):
        form = parse(s.UpdateOrganizationRequestSerializer, to_data(request))
        organization = services.update_organization(actor=actor_of(context), **form)
        return to_message(pb.Organization, s.OrganizationSerializer(organization).data)

    def ListMembers(self, request, context):
        filters, page = split_page(parse(s.ListMembersRequestSerializer, to_data(request)))
        rows = selectors.list_members(actor=actor_of(context), **filters)
        return to_message(pb.ListMembersResponse, shown_page(s.MemberSerializer, rows, page))

    def AddMember(self, request, context):
        form = parse(s.AddMemberRequestSerializer, to_data(request))
        member = services.add_member(actor=actor_of(context), **form)
        return to_message(pb.Member, s.MemberSerializer(member).data)

    def ChangeMemberRole(self, request, context):
        form = parse(s.ChangeMemberRoleRequestSerializer, to_data(request))
        member = services.change_member_role(actor=actor_of(context), **form)
        return to_message(pb.Member, s.MemberSerializer(member).data)

    def RemoveMember(self, request, context):
        form = parse(s.RemoveMemberRequestSerializer, to_data(request))
        services.remove_member(actor=actor_of(context), **form)
        return pb.RemoveMemberResponse()

    def ListInvitations(self, request, context):
        filters, page = split_page(parse(s.ListInvitationsRequestSerializer, to_data(request)))
        rows = selectors.list_invitations(actor=actor_of(context), **filters)
        return to_message(pb.ListInvitationsResponse, shown_page(s.InvitationSerializer, rows, page))

    def InviteMember(self, request, context):
        form = parse(s.InviteMemberRequestSerializer, to_data(request))
        invitation = inviting.invite_member(actor=actor_of(context), **form)
        return to_message(pb.Invitation, s.InvitationSerializer(invitation).data)

    def RevokeInvitation(self, request, context):
        form = parse(s.RevokeInvitationRequestSerializer, to_data(request))
        invitation = inviting.revoke_invitation(actor=actor_of(context), **form)
        return to_message(pb.Invitation, s.InvitationSerializer(invitation).data)

    def ListReceivedInvitations(self, request, context):
        _filters, page = split_page(parse(s.ListReceivedInvitationsRequestSerializer, to_data(request)))
        rows = selectors.list_received_invitations(actor=actor_of(context))
        shown = shown_page(s.ReceivedInvitationSerializer, rows, page)
        return to_message(pb.ListReceivedInvitationsResponse, shown)

    def AcceptInvitation(self, request, context):
        form = parse(s.AcceptInvitationRequestSerializer, to_data(request))
        invitation = inviting.accept_invitation(actor=actor_of(context), **form)
        return to_message(pb.Invitation, s.InvitationSerializer(invitation).data)

    def DeclineInvitation(self, request, context):
        form = parse(s.DeclineInvitationRequestSerializer, to_data(request))
        invitation = inviting.decline_invitation(actor=actor_of(context), **form)
        return to_message(pb.Invitation, s.InvitationSerializer(invitation).data)
