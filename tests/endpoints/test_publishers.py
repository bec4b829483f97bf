from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exchange.core.models import AuditEntry
from submissions.endpoints.api.serializers import LanguageModelSerializer
from submissions.endpoints.selectors import get_model
from tests.factories.accounts import OrganizationFactory
from tests.factories.endpoints import DeploymentFactory

pytestmark = pytest.mark.django_db


def shown(deployment, actor_of):
    model = get_model(actor=actor_of(deployment.organization), model_id=deployment.model_id)
    return LanguageModelSerializer(model).data


class TestVerifyPublisher:
    def test_marks_the_models_of_exactly_this_publisher(self, actor_of):
        ours, other = DeploymentFactory(model__publisher="acme"), DeploymentFactory(model__publisher="Acme")
        acme = OrganizationFactory()
        call_command("verify_publisher", "acme", acme.slug, stdout=StringIO())

        assert shown(ours, actor_of)["publisher_verified"]
        assert not shown(other, actor_of)["publisher_verified"]
        assert AuditEntry.objects.get(kind="publisher.verified").organization_id == acme.pk

    def test_refuses_a_publisher_that_has_no_model(self):
        with pytest.raises(CommandError, match="No model has this publisher"):
            call_command("verify_publisher", "nobody", OrganizationFactory().slug)

    def test_refuses_an_organization_that_is_not_there(self):
        DeploymentFactory(model__publisher="acme")
        with pytest.raises(CommandError, match="no such organization"):
            call_command("verify_publisher", "acme", "nowhere")


class TestDemoModels:
    def test_are_those_that_only_demo_organizations_have_to_do_with(self, actor_of):
        demo = DeploymentFactory(endpoint__organization__is_demo=True)
        assert shown(demo, actor_of)["is_demo"]
        DeploymentFactory(model=demo.model)
        assert not shown(demo, actor_of)["is_demo"]
