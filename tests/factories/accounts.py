import factory
from factory.django import DjangoModelFactory

from exchange.accounts import models, services
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


def token_for(user, *scopes) -> str:
    """The secret of a new API token."""
    from exchange.accounts.selectors import actor_for_user

    secret, _ = services.create_api_token(
        actor=actor_for_user(user), name="test", scopes=scopes or ALL_SCOPES
    )
    return secret
