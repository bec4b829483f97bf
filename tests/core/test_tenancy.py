from uuid import uuid4

import pytest
from django.db import connection

from exchange.core.actors import SYSTEM, Actor, OrganizationRole
from exchange.core.tenancy import acting_for

ROLE = "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
pytestmark = pytest.mark.django_db


def test_tests_run_as_the_application_role():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, False, False)


class TestActingFor:
    def test_sets_the_tenant_and_takes_it_back(self):
        organization = uuid4()
        actor = Actor(user_id=uuid4(), organizations={organization: OrganizationRole.MEMBER})

        with acting_for(SYSTEM):
            with acting_for(actor):
                assert current() == [str(organization), "actor"]
            assert current() == ["", "system"]

    @pytest.mark.django_db(transaction=True)
    def test_leaves_nothing_to_the_next_transaction_of_its_connection(self):
        with acting_for(SYSTEM):
            assert current() == ["", "system"]

        assert {value or "" for value in current()} == {""}


def current():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('exchange.organizations', true), current_setting('exchange.mode', true)"
        )
        return list(cursor.fetchone())
