"""Row-level security, probed with raw SQL as the application's own role."""

import pytest
from django.db import connection

from exchange.core.actors import ANONYMOUS, SYSTEM
from exchange.core.tenancy import acting_for
from tests.factories.endpoints import KEY, EndpointFactory

pytestmark = pytest.mark.django_db


def rows():
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id FROM endpoints_endpointcredential")
        return {row[0] for row in cursor.fetchall()}


@pytest.fixture
def endpoints():
    return EndpointFactory(key=KEY), EndpointFactory(key=KEY)


def test_shows_no_credential_to_a_query_that_names_nobody(endpoints):
    assert rows() == set()


def test_shows_an_organization_its_own_credentials_alone(endpoints, actor_of):
    mine, _other = endpoints
    with acting_for(actor_of(mine.organization)):
        assert rows() == {mine.organization_id}
    assert rows() == set()


def test_shows_nothing_to_a_stranger(endpoints, actor_of):
    with acting_for(actor_of()):
        assert rows() == set()
    with acting_for(ANONYMOUS):
        assert rows() == set()


def test_shows_the_system_all(endpoints):
    with acting_for(SYSTEM):
        assert rows() == {endpoint.organization_id for endpoint in endpoints}


def test_lets_nobody_write_into_another_organization(endpoints, actor_of):
    mine, other = endpoints
    with acting_for(actor_of(mine.organization)), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE endpoints_endpointcredential SET sealed_key = '' WHERE organization_id = %s",
            [other.organization_id],
        )
        assert cursor.rowcount == 0
