from datetime import timedelta
from decimal import Decimal

import pytest

from exchange.core import clock
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from llm_benchmark.measure.probing import State
from submissions.endpoints import deployments, selectors
from submissions.endpoints.models import Price, StatusChange
from tests.factories.endpoints import DeploymentFactory, PriceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def deployment(db):
    return DeploymentFactory(status="active")


@pytest.fixture
def owner(deployment, actor_of):
    return actor_of(deployment.organization)


@pytest.fixture
def done(deployment, owner):
    """`done(deployments.set_price, …)`: to the deployment, by somebody of its organization."""
    return lambda service, **form: service(actor=owner, deployment_id=deployment.pk, **form)


class TestSetCapability:
    def test_keeps_what_a_person_said(self, done):
        found = done(deployments.set_capability, capability="rerank")

        said = (found.capability, found.capability_source, found.capability_confidence)
        assert said == ("rerank", "manual", 1.0)

    def test_gives_it_back_to_the_checks(self, done):
        done(deployments.set_capability, capability="rerank")
        found = done(deployments.set_capability, capability=None)

        assert (found.capability, found.capability_source, found.capability_confidence) == (
            "unknown",
            "unknown",
            0.0,
        )


class TestDisableDeployment:
    def test_takes_it_out_of_use_and_keeps_its_history(self, done, deployment, owner):
        done(deployments.disable_deployment)

        deployment.refresh_from_db()
        (change,) = selectors.list_status_changes(actor=owner, deployment_id=deployment.pk)
        assert (deployment.status, change.old_status, change.new_status) == ("disabled", "active", "disabled")
        assert (change.changed_by_id, change.reason) == (owner.user_id, "disabled")

    @pytest.mark.parametrize(("is_listed", "status"), [(True, "new"), (False, "missing")])
    def test_is_undone_by_enabling(self, is_listed, status, done, deployment):
        deployment.is_listed = is_listed
        deployment.save()
        done(deployments.disable_deployment)

        assert done(deployments.enable_deployment).status == status

    def test_leaves_nothing_to_enable_in_one_that_is_in_use(self, done):
        assert done(deployments.enable_deployment).status == "active"
        assert not StatusChange.objects.exists()


class TestChangeStatus:
    def test_tells_of_a_move_and_not_of_a_new_reason(self, deployment):
        for reason in ("answered", "answered", "else"):
            assert deployments.change_status(deployment, State.ACTIVE, reason) == []
        assert deployment.status_reason == "else"
        assert not StatusChange.objects.exists()

        deployments.tell(deployments.change_status(deployment, State.FAILED, "provider_error"))
        entry = AuditEntry.objects.get(kind="deployment.status_changed")
        assert (entry.subject_id, entry.facts["new_status"]) == (deployment.pk, "failed")


class TestSetPrice:
    def test_keeps_every_price_and_knows_the_one_in_force(self, done, deployment, owner):
        now = clock.now()
        for cents, days in ((1, -2), (2, -1), (3, 1)):
            done(
                deployments.set_price,
                input_per_million=Decimal(cents),
                output_per_million=Decimal("0.00000001"),
                effective_at=now + timedelta(days=days),
            )

        history = selectors.list_prices(actor=owner, deployment_id=deployment.pk)
        assert [price.input_per_million for price in history] == [3, 2, 1]
        assert selectors.price_in_force(deployment).input_per_million == 2

    def test_begins_at_once_unless_told(self, done, deployment):
        PriceFactory(deployment=deployment)
        done(deployments.set_price, input_per_million=Decimal(7), output_per_million=Decimal(0))

        assert selectors.price_in_force(deployment).input_per_million == 7

    @pytest.mark.parametrize(
        ("amount", "code"),
        [
            ("-0.1", "not_a_price"),
            ("NaN", "not_a_price"),
            ("Infinity", "not_a_price"),
            ("1000000000000", "not_a_price"),
            ("0.000000001", "too_precise"),
        ],
    )
    def test_refuses_what_is_no_price(self, amount, code, done):
        with pytest.raises(InvalidInput) as refusal:
            done(deployments.set_price, input_per_million=Decimal(1), output_per_million=Decimal(amount))
        (error,) = refusal.value.errors
        assert (error.field, error.code) == ("output_per_million", code)
        assert not Price.objects.exists()
