"""The one shape of people, organizations and tokens, for every door."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from exchange.accounts.identifiers import github_form, orcid_form, slug_form
from exchange.accounts.models import (
    Invitation,
    InvitationStatus,
    Organization,
    OrganizationRole,
    OrganizationType,
    User,
)
from exchange.accounts.secrets import invitation_secret
from exchange.api.fields import NameField
from exchange.api.forms import ListForm
from exchange.core.actors import Scope, SiteRole

from .words import ROLE_MEANINGS

ROLES = [role.name.lower() for role in SiteRole]


class OrganizationMembershipSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    organization_slug = serializers.CharField(source="organization.slug")
    organization_name = serializers.CharField(source="organization.name")
    role = serializers.ChoiceField(choices=OrganizationRole.choices)
    joined_at = serializers.DateTimeField()


class PersonSerializer(serializers.Serializer):
    """What a person shows to everybody."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    display_name = serializers.CharField()
    bio = serializers.CharField()
    affiliation = serializers.CharField()
    website = serializers.CharField()
    github_username = serializers.CharField()
    orcid = serializers.CharField()
    public_email = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES, source="get_role_display")
    created_at = serializers.DateTimeField()


class UserSerializer(PersonSerializer):
    """What a person sees of their own account, beside that."""

    email = serializers.CharField()
    email_verified = serializers.BooleanField()
    role_meaning = serializers.SerializerMethodField()
    organizations = OrganizationMembershipSerializer(many=True, source="memberships.all")

    def get_role_meaning(self, user: User) -> str:
        return str(ROLE_MEANINGS[user.get_role_display()])


class SessionSerializer(serializers.Serializer):
    user = UserSerializer()
    access_token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class RegisterRequestSerializer(serializers.Serializer):
    email = serializers.EmailField(max_length=254)
    username = serializers.CharField(max_length=50)
    password = serializers.CharField(max_length=128, trim_whitespace=False)
    display_name = serializers.CharField(max_length=100, default="", allow_blank=True)


class LoginRequestSerializer(serializers.Serializer):
    email_or_username = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class LogoutRequestSerializer(serializers.Serializer):
    pass


class GetProfileRequestSerializer(serializers.Serializer):
    pass


class UpdateProfileRequestSerializer(serializers.Serializer):
    display_name = serializers.CharField(max_length=100, allow_blank=True, required=False)
    bio = serializers.CharField(max_length=1000, allow_blank=True, required=False)
    affiliation = serializers.CharField(max_length=200, allow_blank=True, required=False)
    website = serializers.URLField(max_length=300, allow_blank=True, required=False)
    github_username = serializers.CharField(
        max_length=39, allow_blank=True, required=False, validators=[github_form]
    )
    orcid = serializers.CharField(max_length=19, allow_blank=True, required=False, validators=[orcid_form])
    public_email = serializers.EmailField(max_length=254, allow_blank=True, required=False)


class GetPersonRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="user_id")


class GetPersonByUsernameRequestSerializer(serializers.Serializer):
    username = serializers.CharField(max_length=50)


class GrantSiteRoleRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="user_id")
    role = serializers.ChoiceField(choices=ROLES)


class ConfirmEmailRequestSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=200)


class SendConfirmationRequestSerializer(serializers.Serializer):
    pass


class RequestPasswordResetRequestSerializer(serializers.Serializer):
    email = serializers.EmailField(max_length=254)


class ResetPasswordRequestSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=200)
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class ChangePasswordRequestSerializer(serializers.Serializer):
    current_password = serializers.CharField(max_length=128, trim_whitespace=False)
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class ChangeEmailRequestSerializer(serializers.Serializer):
    email = serializers.EmailField(max_length=254)
    current_password = serializers.CharField(max_length=128, trim_whitespace=False)


class OpenSessionSerializer(serializers.Serializer):
    """A program's session that is open. Its secret was shown at log-in only."""

    id = serializers.UUIDField()
    prefix = serializers.CharField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class ListSessionsRequestSerializer(ListForm):
    pass


class EndSessionsRequestSerializer(serializers.Serializer):
    pass


class ApiTokenSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class NewApiTokenSerializer(serializers.Serializer):
    token = ApiTokenSerializer()
    secret = serializers.CharField()


class ListApiTokensRequestSerializer(ListForm):
    pass


class CreateApiTokenRequestSerializer(serializers.Serializer):
    name = NameField(max_length=100)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=[scope.value for scope in Scope]), min_length=1
    )
    expires_in_days = serializers.IntegerField(min_value=1, max_value=365, default=90, allow_null=True)


class RevokeApiTokenRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="token_id")


class OrganizationSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    website = serializers.CharField()
    type = serializers.ChoiceField(choices=OrganizationType.choices)
    verified = serializers.SerializerMethodField()
    is_demo = serializers.BooleanField()
    created_at = serializers.DateTimeField()

    def get_verified(self, organization: Organization) -> bool:
        return organization.verified_at is not None


class ListOrganizationsRequestSerializer(ListForm):
    pass


class CreateOrganizationRequestSerializer(serializers.Serializer):
    slug = serializers.CharField(max_length=50, validators=[slug_form])
    name = serializers.CharField(max_length=100)
    type = serializers.ChoiceField(choices=OrganizationType.choices)
    description = serializers.CharField(max_length=2000, default="", allow_blank=True)
    website = serializers.URLField(max_length=300, default="", allow_blank=True)


class GetOrganizationRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="organization_id")


class UpdateOrganizationRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="organization_id")
    name = serializers.CharField(max_length=100, required=False)
    description = serializers.CharField(max_length=2000, allow_blank=True, required=False)
    website = serializers.URLField(max_length=300, allow_blank=True, required=False)


class MemberSerializer(serializers.Serializer):
    user_id = serializers.UUIDField()
    username = serializers.CharField(source="user.username")
    display_name = serializers.CharField(source="user.display_name")
    role = serializers.ChoiceField(choices=OrganizationRole.choices)
    joined_at = serializers.DateTimeField()


class ListMembersRequestSerializer(ListForm):
    organization_id = serializers.UUIDField()


class AddMemberRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    username = serializers.CharField(max_length=50)
    role = serializers.ChoiceField(choices=OrganizationRole.choices, default=OrganizationRole.MEMBER)


class ChangeMemberRoleRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    user_id = serializers.UUIDField()
    role = serializers.ChoiceField(
        choices=OrganizationRole.choices, error_messages={"required": _("Name the new role.")}
    )


class RemoveMemberRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    user_id = serializers.UUIDField()


class InvitationSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    organization_id = serializers.UUIDField()
    organization_slug = serializers.CharField(source="organization.slug")
    organization_name = serializers.CharField(source="organization.name")
    email = serializers.CharField()
    role = serializers.ChoiceField(choices=OrganizationRole.choices)
    status = serializers.ChoiceField(choices=InvitationStatus.choices)
    invited_by_name = serializers.SerializerMethodField()
    expires_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()

    def get_invited_by_name(self, invitation: Invitation) -> str:
        return invitation.invited_by.display_name or invitation.invited_by.username


class ReceivedInvitationSerializer(InvitationSerializer):
    """As shown to whom it was sent: with the secret that accepts it."""

    secret = serializers.SerializerMethodField()

    def get_secret(self, invitation: Invitation) -> str:
        return invitation_secret(invitation.pk, digest=invitation.digest)


class ListInvitationsRequestSerializer(ListForm):
    organization_id = serializers.UUIDField()


class InviteMemberRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    email = serializers.EmailField(max_length=254)
    role = serializers.ChoiceField(choices=OrganizationRole.choices, default=OrganizationRole.MEMBER)


class RevokeInvitationRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="invitation_id")


class ListReceivedInvitationsRequestSerializer(ListForm):
    pass


class AcceptInvitationRequestSerializer(serializers.Serializer):
    secret = serializers.CharField(max_length=64)


class DeclineInvitationRequestSerializer(serializers.Serializer):
    secret = serializers.CharField(max_length=64)
