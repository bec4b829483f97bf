"""Every service and selector, against everybody who may knock."""

import pytest

from exchange.accounts.errors import NotYourOrganization, ScopeMissing
from exchange.core.actors import ANONYMOUS, Scope
from exchange.core.errors import NotFound, Unauthenticated
from submissions.endpoints import selectors, services
from tests.factories.endpoints import DeploymentFactory

pytestmark = pytest.mark.django_db

READ = frozenset({Scope.ENDPOINTS_READ})
WRITE = frozenset({Scope.ENDPOINTS_WRITE})


def calls(deployment):
    endpoint = deployment.endpoint
    new = {"name": "New", "provider_name": "Acme", "base_url": "https://api.example.com"}
    return {
        "register": (services.register_endpoint, {"organization_id": endpoint.organization_id, **new}),
        "update": (services.update_endpoint, {"endpoint_id": endpoint.pk, "name": "Other"}),
        "discover": (services.discover_models, {"endpoint_id": endpoint.pk}),
        "get": (selectors.get_endpoint, {"endpoint_id": endpoint.pk}),
        "deployment": (selectors.get_deployment, {"deployment_id": deployment.pk}),
        "model": (selectors.get_model, {"model_id": deployment.model_id}),
    }


MATRIX = {
    # what: anonymous, stranger, viewer, member, read-only token, write-only token
    "register": (Unauthenticated, NotYourOrganization, NotYourOrganization, None, ScopeMissing, None),
    "update": (Unauthenticated, NotFound, NotYourOrganization, None, ScopeMissing, None),
    "discover": (Unauthenticated, NotFound, NotYourOrganization, None, ScopeMissing, None),
    "get": (Unauthenticated, NotFound, None, None, None, None),
    "deployment": (Unauthenticated, NotFound, None, None, None, None),
    "model": (NotFound, NotFound, None, None, None, None),
}


@pytest.mark.parametrize("what", MATRIX)
@pytest.mark.parametrize("who", range(6))
def test_allows_hides_or_denies(what, who, as_actor, actor_of, monkeypatch):
    monkeypatch.setattr(services, "discover", lambda target, seconds: [])
    deployment = DeploymentFactory()
    organization = deployment.organization
    actor = (
        lambda: ANONYMOUS,
        actor_of,
        lambda: actor_of(organization, role="viewer"),
        lambda: actor_of(organization, role="member"),
        lambda: actor_of(organization, role="member", scopes=READ),
        lambda: actor_of(organization, role="member", scopes=WRITE),
    )[who]()
    call, arguments = calls(deployment)[what]

    expected = MATRIX[what][who]
    if expected is None:
        assert as_actor(actor, call, **arguments)
    else:
        with pytest.raises(expected):
            as_actor(actor, call, **arguments)
