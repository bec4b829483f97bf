import pytest

from exchange.core.tenancy import acting_for


@pytest.fixture
def as_actor(db):
    """`as_actor(actor, service, **arguments)`: what a door does around a service."""

    def call(actor, service, **arguments):
        with acting_for(actor):
            return service(actor=actor, **arguments)

    return call
