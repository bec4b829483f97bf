from datetime import timedelta
from uuid import uuid4

import factory
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.utils import timezone
from factory.django import DjangoModelFactory

from exchange.accounts import models, services
from exchange.accounts.secrets import digest_of, invitation_secret
from exchange.core.actors import ALL_SCOPES

PASSWORD = "correct horse battery"


class UserFactory(DjangoModelFactory):
    class Meta:
        model = models.User

    username = factory.Sequence(lambda n: f"user-{n}")
    email = factory.Sequence(lambda n: f"user-{n}@example.org")

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        password = kwargs.pop("password", None)
        user = model_class(*args, **kwargs)
        user.set_password(password) if password else user.set_unusable_password()
        user.save()
        return user


class OrganizationFactory(DjangoModelFactory):
    class Meta:
        model = models.Organization

    slug = factory.Sequence(lambda n: f"organization-{n}")
    name = factory.Sequence(lambda n: f"Organization {n}")
    type = "research_institution"


class MembershipFactory(DjangoModelFactory):
    class Meta:
        model = models.Membership

    user = factory.SubFactory(UserFactory)
    organization = factory.SubFactory(OrganizationFactory)
    role = "owner"


class InvitationFactory(DjangoModelFactory):
    class Meta:
        model = models.Invitation

    organization = factory.SubFactory(OrganizationFactory)
    email = factory.Sequence(lambda n: f"invited-{n}@example.org")
    role = "member"
    invited_by = factory.SubFactory(UserFactory)
    expires_at = factory.LazyFunction(lambda: timezone.now() + timedelta(days=7))
    digest = factory.LazyAttribute(lambda row: digest_of(invitation_secret(row.id)))
    id = factory.LazyFunction(uuid4)


def link_key(kind, user, email="") -> str:
    """What a letter's link ends in; `email` is an address that was asked for."""
    if kind == "reset_password":
        return f"{user.pk.hex}-{default_token_generator.make_token(user)}"
    about = {"user": user, "email": email or user.email}
    address, _ = EmailAddress.objects.get_or_create(**about, defaults={"primary": not email})
    return EmailConfirmationHMAC.create(address).key


def token_for(user, *scopes) -> str:
    """The secret of a new API token."""
    from exchange.accounts.selectors import actor_for_user

    secret, _ = services.create_api_token(
        actor=actor_for_user(user), name="test", scopes=scopes or ALL_SCOPES
    )
    return secret
