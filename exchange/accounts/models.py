from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from exchange.core.actors import OrganizationRole as RoleNames
from exchange.core.actors import SiteRole
from exchange.core.models import BaseModel

username_form = RegexValidator(
    r"^[a-z][a-z0-9_-]{2,49}$",
    _("Use 3 to 50 lower-case letters, digits, - or _, starting with a letter."),
)
slug_form = RegexValidator(
    r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", _("Use lower-case letters, digits and single hyphens.")
)


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

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    objects = UserManager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_is_unique")]

    def __str__(self) -> str:
        return self.username


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
