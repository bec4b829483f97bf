import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UserRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_ROLE_UNSPECIFIED: _ClassVar[UserRole]
    USER_ROLE_ANONYMOUS: _ClassVar[UserRole]
    USER_ROLE_REGISTERED: _ClassVar[UserRole]
    USER_ROLE_CONTRIBUTOR: _ClassVar[UserRole]
    USER_ROLE_REVIEWER: _ClassVar[UserRole]
    USER_ROLE_ADMIN: _ClassVar[UserRole]

class OrganizationType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORGANIZATION_TYPE_UNSPECIFIED: _ClassVar[OrganizationType]
    ORGANIZATION_TYPE_LLM_PROVIDER: _ClassVar[OrganizationType]
    ORGANIZATION_TYPE_RESEARCH_INSTITUTION: _ClassVar[OrganizationType]
    ORGANIZATION_TYPE_ENTERPRISE: _ClassVar[OrganizationType]
    ORGANIZATION_TYPE_OPEN_SOURCE: _ClassVar[OrganizationType]
    ORGANIZATION_TYPE_INDIVIDUAL: _ClassVar[OrganizationType]

class OrganizationRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORGANIZATION_ROLE_UNSPECIFIED: _ClassVar[OrganizationRole]
    ORGANIZATION_ROLE_MEMBER: _ClassVar[OrganizationRole]
    ORGANIZATION_ROLE_ADMIN: _ClassVar[OrganizationRole]
    ORGANIZATION_ROLE_OWNER: _ClassVar[OrganizationRole]
    ORGANIZATION_ROLE_VIEWER: _ClassVar[OrganizationRole]

class InvitationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INVITATION_STATUS_UNSPECIFIED: _ClassVar[InvitationStatus]
    INVITATION_STATUS_PENDING: _ClassVar[InvitationStatus]
    INVITATION_STATUS_ACCEPTED: _ClassVar[InvitationStatus]
    INVITATION_STATUS_DECLINED: _ClassVar[InvitationStatus]
    INVITATION_STATUS_REVOKED: _ClassVar[InvitationStatus]
    INVITATION_STATUS_EXPIRED: _ClassVar[InvitationStatus]
USER_ROLE_UNSPECIFIED: UserRole
USER_ROLE_ANONYMOUS: UserRole
USER_ROLE_REGISTERED: UserRole
USER_ROLE_CONTRIBUTOR: UserRole
USER_ROLE_REVIEWER: UserRole
USER_ROLE_ADMIN: UserRole
ORGANIZATION_TYPE_UNSPECIFIED: OrganizationType
ORGANIZATION_TYPE_LLM_PROVIDER: OrganizationType
ORGANIZATION_TYPE_RESEARCH_INSTITUTION: OrganizationType
ORGANIZATION_TYPE_ENTERPRISE: OrganizationType
ORGANIZATION_TYPE_OPEN_SOURCE: OrganizationType
ORGANIZATION_TYPE_INDIVIDUAL: OrganizationType
ORGANIZATION_ROLE_UNSPECIFIED: OrganizationRole
ORGANIZATION_ROLE_MEMBER: OrganizationRole
ORGANIZATION_ROLE_ADMIN: OrganizationRole
ORGANIZATION_ROLE_OWNER: OrganizationRole
ORGANIZATION_ROLE_VIEWER: OrganizationRole
INVITATION_STATUS_UNSPECIFIED: InvitationStatus
INVITATION_STATUS_PENDING: InvitationStatus
INVITATION_STATUS_ACCEPTED: InvitationStatus
INVITATION_STATUS_DECLINED: InvitationStatus
INVITATION_STATUS_REVOKED: InvitationStatus
INVITATION_STATUS_EXPIRED: InvitationStatus

class Person(_message.Message):
    __slots__ = ("id", "username", "display_name", "role", "bio", "affiliation", "website", "github_username", "orcid", "public_email", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    BIO_FIELD_NUMBER: _ClassVar[int]
    AFFILIATION_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    GITHUB_USERNAME_FIELD_NUMBER: _ClassVar[int]
    ORCID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_EMAIL_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    username: str
    display_name: str
    role: UserRole
    bio: str
    affiliation: str
    website: str
    github_username: str
    orcid: str
    public_email: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., username: _Optional[str] = ..., display_name: _Optional[str] = ..., role: _Optional[_Union[UserRole, str]] = ..., bio: _Optional[str] = ..., affiliation: _Optional[str] = ..., website: _Optional[str] = ..., github_username: _Optional[str] = ..., orcid: _Optional[str] = ..., public_email: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class User(_message.Message):
    __slots__ = ("id", "username", "email", "display_name", "role", "email_verified", "organizations", "created_at", "bio", "affiliation", "website", "github_username", "orcid", "public_email", "role_meaning")
    ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATIONS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    BIO_FIELD_NUMBER: _ClassVar[int]
    AFFILIATION_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    GITHUB_USERNAME_FIELD_NUMBER: _ClassVar[int]
    ORCID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ROLE_MEANING_FIELD_NUMBER: _ClassVar[int]
    id: str
    username: str
    email: str
    display_name: str
    role: UserRole
    email_verified: bool
    organizations: _containers.RepeatedCompositeFieldContainer[OrganizationMembership]
    created_at: _timestamp_pb2.Timestamp
    bio: str
    affiliation: str
    website: str
    github_username: str
    orcid: str
    public_email: str
    role_meaning: str
    def __init__(self, id: _Optional[str] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., display_name: _Optional[str] = ..., role: _Optional[_Union[UserRole, str]] = ..., email_verified: _Optional[bool] = ..., organizations: _Optional[_Iterable[_Union[OrganizationMembership, _Mapping]]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., bio: _Optional[str] = ..., affiliation: _Optional[str] = ..., website: _Optional[str] = ..., github_username: _Optional[str] = ..., orcid: _Optional[str] = ..., public_email: _Optional[str] = ..., role_meaning: _Optional[str] = ...) -> None: ...

class OrganizationMembership(_message.Message):
    __slots__ = ("organization_id", "organization_slug", "organization_name", "role", "joined_at")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_SLUG_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    JOINED_AT_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    organization_slug: str
    organization_name: str
    role: OrganizationRole
    joined_at: _timestamp_pb2.Timestamp
    def __init__(self, organization_id: _Optional[str] = ..., organization_slug: _Optional[str] = ..., organization_name: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ..., joined_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("user", "access_token", "expires_at")
    USER_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    user: User
    access_token: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, user: _Optional[_Union[User, _Mapping]] = ..., access_token: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RegisterRequest(_message.Message):
    __slots__ = ("email", "username", "password", "display_name")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    email: str
    username: str
    password: str
    display_name: str
    def __init__(self, email: _Optional[str] = ..., username: _Optional[str] = ..., password: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class LoginRequest(_message.Message):
    __slots__ = ("email_or_username", "password")
    EMAIL_OR_USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    email_or_username: str
    password: str
    def __init__(self, email_or_username: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class LogoutRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class LogoutResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetProfileRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UpdateProfileRequest(_message.Message):
    __slots__ = ("display_name", "bio", "affiliation", "website", "github_username", "orcid", "public_email")
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    BIO_FIELD_NUMBER: _ClassVar[int]
    AFFILIATION_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    GITHUB_USERNAME_FIELD_NUMBER: _ClassVar[int]
    ORCID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_EMAIL_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    bio: str
    affiliation: str
    website: str
    github_username: str
    orcid: str
    public_email: str
    def __init__(self, display_name: _Optional[str] = ..., bio: _Optional[str] = ..., affiliation: _Optional[str] = ..., website: _Optional[str] = ..., github_username: _Optional[str] = ..., orcid: _Optional[str] = ..., public_email: _Optional[str] = ...) -> None: ...

class GetPersonRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetPersonByUsernameRequest(_message.Message):
    __slots__ = ("username",)
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    username: str
    def __init__(self, username: _Optional[str] = ...) -> None: ...

class GrantSiteRoleRequest(_message.Message):
    __slots__ = ("id", "role")
    ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    id: str
    role: UserRole
    def __init__(self, id: _Optional[str] = ..., role: _Optional[_Union[UserRole, str]] = ...) -> None: ...

class ConfirmEmailRequest(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: str
    def __init__(self, key: _Optional[str] = ...) -> None: ...

class ConfirmEmailResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SendConfirmationRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SendConfirmationResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RequestPasswordResetRequest(_message.Message):
    __slots__ = ("email",)
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    email: str
    def __init__(self, email: _Optional[str] = ...) -> None: ...

class RequestPasswordResetResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResetPasswordRequest(_message.Message):
    __slots__ = ("key", "password")
    KEY_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    key: str
    password: str
    def __init__(self, key: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class ResetPasswordResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChangePasswordRequest(_message.Message):
    __slots__ = ("current_password", "password")
    CURRENT_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    current_password: str
    password: str
    def __init__(self, current_password: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class ChangePasswordResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChangeEmailRequest(_message.Message):
    __slots__ = ("email", "current_password")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    email: str
    current_password: str
    def __init__(self, email: _Optional[str] = ..., current_password: _Optional[str] = ...) -> None: ...

class ChangeEmailResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class OpenSession(_message.Message):
    __slots__ = ("id", "prefix", "expires_at", "last_used_at", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    prefix: str
    expires_at: _timestamp_pb2.Timestamp
    last_used_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., prefix: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[OpenSession]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[OpenSession, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EndSessionsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EndSessionsResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ApiToken(_message.Message):
    __slots__ = ("id", "name", "prefix", "scopes", "expires_at", "last_used_at", "revoked_at", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    REVOKED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    prefix: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    expires_at: _timestamp_pb2.Timestamp
    last_used_at: _timestamp_pb2.Timestamp
    revoked_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., prefix: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revoked_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class NewApiToken(_message.Message):
    __slots__ = ("token", "secret")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    token: ApiToken
    secret: str
    def __init__(self, token: _Optional[_Union[ApiToken, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

class ListApiTokensRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListApiTokensResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ApiToken]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[ApiToken, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateApiTokenRequest(_message.Message):
    __slots__ = ("name", "scopes", "expires_in_days")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_IN_DAYS_FIELD_NUMBER: _ClassVar[int]
    name: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    expires_in_days: int
    def __init__(self, name: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., expires_in_days: _Optional[int] = ...) -> None: ...

class RevokeApiTokenRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class Organization(_message.Message):
    __slots__ = ("id", "slug", "name", "description", "website", "type", "verified", "is_demo", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    SLUG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    slug: str
    name: str
    description: str
    website: str
    type: OrganizationType
    verified: bool
    is_demo: bool
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., slug: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., website: _Optional[str] = ..., type: _Optional[_Union[OrganizationType, str]] = ..., verified: _Optional[bool] = ..., is_demo: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListOrganizationsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListOrganizationsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Organization]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Organization, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateOrganizationRequest(_message.Message):
    __slots__ = ("slug", "name", "type", "description", "website")
    SLUG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    slug: str
    name: str
    type: OrganizationType
    description: str
    website: str
    def __init__(self, slug: _Optional[str] = ..., name: _Optional[str] = ..., type: _Optional[_Union[OrganizationType, str]] = ..., description: _Optional[str] = ..., website: _Optional[str] = ...) -> None: ...

class GetOrganizationRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateOrganizationRequest(_message.Message):
    __slots__ = ("id", "name", "description", "website")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    description: str
    website: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., website: _Optional[str] = ...) -> None: ...

class Member(_message.Message):
    __slots__ = ("user_id", "username", "display_name", "role", "joined_at")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    JOINED_AT_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    display_name: str
    role: OrganizationRole
    joined_at: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., display_name: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ..., joined_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListMembersRequest(_message.Message):
    __slots__ = ("organization_id", "page_size", "page_token")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    page_size: int
    page_token: str
    def __init__(self, organization_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMembersResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Member]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Member, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AddMemberRequest(_message.Message):
    __slots__ = ("organization_id", "username", "role")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    username: str
    role: OrganizationRole
    def __init__(self, organization_id: _Optional[str] = ..., username: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ...) -> None: ...

class ChangeMemberRoleRequest(_message.Message):
    __slots__ = ("organization_id", "user_id", "role")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    user_id: str
    role: OrganizationRole
    def __init__(self, organization_id: _Optional[str] = ..., user_id: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ...) -> None: ...

class RemoveMemberRequest(_message.Message):
    __slots__ = ("organization_id", "user_id")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    user_id: str
    def __init__(self, organization_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class RemoveMemberResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Invitation(_message.Message):
    __slots__ = ("id", "organization_id", "organization_slug", "organization_name", "email", "role", "status", "invited_by_name", "expires_at", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_SLUG_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    INVITED_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    organization_id: str
    organization_slug: str
    organization_name: str
    email: str
    role: OrganizationRole
    status: InvitationStatus
    invited_by_name: str
    expires_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., organization_id: _Optional[str] = ..., organization_slug: _Optional[str] = ..., organization_name: _Optional[str] = ..., email: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ..., status: _Optional[_Union[InvitationStatus, str]] = ..., invited_by_name: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ReceivedInvitation(_message.Message):
    __slots__ = ("id", "organization_id", "organization_slug", "organization_name", "email", "role", "status", "invited_by_name", "expires_at", "created_at", "secret")
    ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_SLUG_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    INVITED_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    id: str
    organization_id: str
    organization_slug: str
    organization_name: str
    email: str
    role: OrganizationRole
    status: InvitationStatus
    invited_by_name: str
    expires_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    secret: str
    def __init__(self, id: _Optional[str] = ..., organization_id: _Optional[str] = ..., organization_slug: _Optional[str] = ..., organization_name: _Optional[str] = ..., email: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ..., status: _Optional[_Union[InvitationStatus, str]] = ..., invited_by_name: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

class ListInvitationsRequest(_message.Message):
    __slots__ = ("organization_id", "page_size", "page_token")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    page_size: int
    page_token: str
    def __init__(self, organization_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInvitationsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Invitation]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Invitation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class InviteMemberRequest(_message.Message):
    __slots__ = ("organization_id", "email", "role")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    email: str
    role: OrganizationRole
    def __init__(self, organization_id: _Optional[str] = ..., email: _Optional[str] = ..., role: _Optional[_Union[OrganizationRole, str]] = ...) -> None: ...

class RevokeInvitationRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListReceivedInvitationsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReceivedInvitationsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ReceivedInvitation]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[ReceivedInvitation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AcceptInvitationRequest(_message.Message):
    __slots__ = ("secret",)
    SECRET_FIELD_NUMBER: _ClassVar[int]
    secret: str
    def __init__(self, secret: _Optional[str] = ...) -> None: ...

class DeclineInvitationRequest(_message.Message):
    __slots__ = ("secret",)
    SECRET_FIELD_NUMBER: _ClassVar[int]
    secret: str
    def __init__(self, secret: _Optional[str] = ...) -> None: ...
