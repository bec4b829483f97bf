from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from exchange.core.models import AuditEntry
from submissions.endpoints.models import ModelAlias
from tests.factories.endpoints import DeploymentFactory

pytestmark = pytest.mark.django_db


class TestAddModelAlias:
    def test_writes_the_spelling_and_the_fact(self):
        model = DeploymentFactory().model
        call_command("add_model_alias", str(model.pk), "Acme", "Other", stdout=StringIO())

        [alias] = ModelAlias.objects.all()
        assert (alias.model, alias.publisher, alias.name, alias.version) == (model, "Acme", "Other", "")
        assert AuditEntry.objects.get(kind="model_alias.added").subject_id == model.pk

    def test_refuses_a_spelling_that_means_a_model_already(self):
        model = DeploymentFactory().model
        call_command("add_model_alias", str(model.pk), "Acme", "Other", stdout=StringIO())
        with pytest.raises(CommandError):
            call_command("add_model_alias", str(model.pk), "ACME", "other")

    def test_says_that_there_is_no_such_model(self):
        with pytest.raises(CommandError, match="no model"):
            call_command("add_model_alias", str(uuid4()), "Acme", "Other")
