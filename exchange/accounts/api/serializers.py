"""The one shape of people, organizations and tokens, for every door."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from exchange.accounts.models import Organization, OrganizationRole, OrganizationType, slug_form
from exchange.api.forms import ListForm
from exchange.core.actors import Scope, SiteRole

ROLES = [role.name.lower() for role in SiteRole]


class OrganizationMembershipSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    organization_slug = serializers.CharField(source="organization.slug")
    organization_name = serializers.CharField(source="organization.name")
    role = serializers.ChoiceField(choices=OrganizationRole.choices)
    joined_at = serializers.DateTimeField()


class UserSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    username = serializers.CharField()
    email = serializers.CharField()
    display_name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES, source="get_role_display")
    email_verified = serializers.BooleanField()
    organizations = OrganizationMembershipSerializer(many=True, source="memberships.all")
    created_at = serializers.DateTimeField()


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
    name = serializers.CharField(max_length=100)
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
