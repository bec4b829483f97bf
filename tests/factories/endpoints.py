from datetime import timedelta
from decimal import Decimal

import factory
from factory.django import DjangoModelFactory

from exchange.core import clock
from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from submissions.endpoints import credentials, models
from tests.factories.accounts import OrganizationFactory

KEY = "sk-test-0123456789"


class LanguageModelFactory(DjangoModelFactory):
    class Meta:
        model = models.LanguageModel

    publisher = "acme"
    name = factory.Sequence(lambda n: f"acme-{n}")


class EndpointFactory(DjangoModelFactory):
    """`base_url=` an address; `key=` stores a credential."""

    class Meta:
        model = models.Endpoint
        skip_postgeneration_save = True

    organization = factory.SubFactory(OrganizationFactory)
    name = factory.Sequence(lambda n: f"Endpoint {n}")
    provider_name = "Acme"
    base_url = "https://api.example.com/v1"
    origin = factory.LazyAttribute(lambda o: "/".join(o.base_url.split("/")[:3]))

    @factory.post_generation
    def key(self, create, extracted, **kwargs):
        if extracted:
            with acting_for(SYSTEM):
                credentials.store_key(self, extracted)


class DeploymentFactory(DjangoModelFactory):
    class Meta:
        model = models.Deployment

    endpoint = factory.SubFactory(EndpointFactory)
    organization = factory.SelfAttribute("endpoint.organization")
    model = factory.SubFactory(LanguageModelFactory)
    served_name = factory.Sequence(lambda n: f"served-{n}")


class PriceFactory(DjangoModelFactory):
    """In force for an hour."""

    class Meta:
        model = models.Price

    deployment = factory.SubFactory(DeploymentFactory)
    input_per_million = Decimal("2.5")
    output_per_million = Decimal(10)
    effective_at = factory.LazyFunction(lambda: clock.now() - timedelta(hours=1))
