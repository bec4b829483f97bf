from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from exchange.core.actors import OrganizationRole as RoleNames
from exchange.core.actors import SiteRole
from exchange.core.models import BaseModel, StatefulModel

from .identifiers import github_form, orcid_form, slug_form, username_form


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username=username)


class User(AbstractBaseUser, BaseModel):
    """A person with an account."""

    username = models.CharField(max_length=50, unique=True, validators=[username_form])
    email = models.EmailField(max_length=254)
    display_name = models.CharField(max_length=100, blank=True)
    role = models.PositiveSmallIntegerField(
        choices=[(role.value, role.name.lower()) for role in SiteRole], default=SiteRole.REGISTERED
    )
    email_verified = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    bio = models.TextField(max_length=1000, blank=True, default="", db_default="")
    affiliation = models.CharField(max_length=200, blank=True, default="", db_default="")
    website = models.URLField(max_length=300, blank=True, default="", db_default="")
    github_username = models.CharField(
        max_length=39, blank=True, default="", db_default="", validators=[github_form]
    )
    orcid = models.CharField(max_length=19, blank=True, default="", db_default="", validators=[orcid_form])
    public_email = models.EmailField(max_length=254, blank=True, default="", db_default="")
    # counted up to end every session in a browser that was opened before
    session_epoch = models.PositiveIntegerField(default=0, db_default=0)

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    objects = UserManager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_is_unique")]

    def __str__(self) -> str:
        return self.username

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a browser's session is held to: it ends with the password and with the epoch."""
        bound = f"{self.password}|{self.session_epoch}"
        return salted_hmac("exchange.accounts.session", bound, secret=secret, algorithm="sha256").hexdigest()


class OrganizationType(models.TextChoices):
    LLM_PROVIDER = "llm_provider", _("LLM provider")
    RESEARCH_INSTITUTION = "research_institution", _("Research institution")
    ENTERPRISE = "enterprise", _("Enterprise")
    OPEN_SOURCE = "open_source", _("Open source")
    INDIVIDUAL = "individual", _("Individual")


class OrganizationRole(models.TextChoices):
    VIEWER = RoleNames.VIEWER.value, _("Viewer")
    MEMBER = RoleNames.MEMBER.value, _("Member")
    ADMIN = RoleNames.ADMIN.value, _("Admin")
    OWNER = RoleNames.OWNER.value, _("Owner")


class Organization(BaseModel):
    """Who publishes benchmarks, owns endpoints and submits claims. Its profile is public."""

    slug = models.CharField(max_length=50, unique=True, validators=[slug_form])
    name = models.CharField(max_length=100)
    description = models.TextField(max_length=2000, blank=True)
    website = models.URLField(max_length=300, blank=True)
    type = models.CharField(max_length=30, choices=OrganizationType)
    verified_at = models.DateTimeField(null=True)
    is_demo = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.slug


class Membership(BaseModel):
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=OrganizationRole)
    joined_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "organization"], name="one_membership_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.organization_id}"


class TokenKind(models.TextChoices):
    PERSONAL = "pat", _("API token")
    SESSION = "ses", _("Session")


class Token(BaseModel):
    """A bearer token. Only its SHA-256 is stored; it is shown once, when made."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    kind = models.CharField(max_length=3, choices=TokenKind)
    name = models.CharField(max_length=100, blank=True)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="session_token_expires", condition=~Q(kind="ses") | Q(expires_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.prefix}…"


class InvitationStatus(models.TextChoices):
    PENDING = "pending", _("Pending")
    ACCEPTED = "accepted", _("Accepted")
    DECLINED = "declined", _("Declined")
    REVOKED = "revoked", _("Revoked")
    EXPIRED = "expired", _("Expired")


class Invitation(StatefulModel):
    """Asks whoever has an address into an organization. Of the secret in its link, the digest is kept."""

    TRANSITIONS = {
        InvitationStatus.PENDING: {
            InvitationStatus.ACCEPTED,
            InvitationStatus.DECLINED,
            InvitationStatus.REVOKED,
            InvitationStatus.EXPIRED,
        }
    }
    status = models.CharField(max_length=20, choices=InvitationStatus, default=InvitationStatus.PENDING)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=10, choices=OrganizationRole)
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "organization",
                Lower("email"),
                condition=Q(status="pending"),
                name="one_open_invitation_per_address",
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.organization_id}"


class LetterKind(models.TextChoices):
    CONFIRM_EMAIL = "confirm_email", _("Confirm an address")
    RESET_PASSWORD = "reset_password", _("Reset a password")
    PASSWORD_CHANGED = "password_changed", _("A password was changed")
    INVITATION = "invitation", _("Invitation")
    CHANGE_EMAIL = "change_email", _("Confirm a new address")
    EMAIL_CHANGE_ASKED = "email_change_asked", _("A new address was asked for")


class Letter(BaseModel):
    """A mail that has to be sent. Its words and its link are made when it is sent; no secret is stored."""

    kind = models.CharField(max_length=20, choices=LetterKind)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, null=True, related_name="+")
    # where to, if that is not the address that the person has when it is sent
    address = models.EmailField(max_length=254, blank=True, default="", db_default="")
    not_before = models.DateTimeField(db_default=Now())
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="letter_has_one_reader",
                condition=Q(user__isnull=True) ^ Q(invitation__isnull=True),
            )
        ]
        indexes = [
            models.Index(fields=["not_before"], name="letter_waiting", condition=Q(sent_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
