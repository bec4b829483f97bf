"""Things by the names that people give them, where the API wants an id."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from llm_benchmark.errors import InvalidInput, NotFound
from llm_benchmark.identifiers import is_id

if TYPE_CHECKING:
    from llm_benchmark.client import Client
    from llm_benchmark.models import Deployment, Endpoint, LanguageModel

T = TypeVar("T")
_LISTED = 8


def find_endpoint(client: Client, given: str, *, organization_id: str | None = None) -> Endpoint:
    """An endpoint by its id or its name.

    Raises:
        NotFound: none has this name.
        InvalidInput: several have it.
    """
    if is_id(given):
        return client.endpoints.get(given)
    known = list(client.endpoints.list(organization_id=organization_id))
    return _only(given, known, what="endpoint", name=lambda endpoint: endpoint.name)


def deployments_of(client: Client, organization_id: str) -> list[Deployment]:
    """What an organization's endpoints serve."""
    found = client.endpoints.deployments()
    return [deployment for deployment in found if deployment.organization_id == organization_id]


def find_deployment(client: Client, given: str, *, organization_id: str) -> Deployment:
    """A deployment by its id or by the name that the endpoint serves it under; as `find_endpoint`."""
    if is_id(given):
        return client.endpoints.get_deployment(given)
    known = deployments_of(client, organization_id)
    return _only(given, known, what="deployment", name=lambda deployment: deployment.served_name)


def find_deployment_at(client: Client, endpoint_id: str, given: str) -> Deployment:
    """What one endpoint serves, by its id or its name there; as `find_endpoint`."""
    known = list(client.endpoints.deployments(endpoint_id))
    if is_id(given) and (found := [one for one in known if one.id == given]):
        return found[0]
    return _only(given, known, what="deployment", name=lambda deployment: deployment.served_name)


def _only(given: str, known: Iterable[T], *, what: str, name: Callable[[T], str]) -> T:
    everything = list(known)
    found = [one for one in everything if name(one).casefold() == given.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(str(getattr(one, "id", "")) for one in found)
        message = f"Several {what}s are called {given}. Say which by its id: {ids}"
        raise InvalidInput.of(what, "ambiguous", message)
    names = sorted({name(one) for one in everything})
    known_names = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
    raise NotFound(
        f"No {what} is called {given}. There is: {known_names or 'none'}.", code=f"{what}_not_found"
    )


def find_model(client: Client, given: str) -> LanguageModel:
    """A model by its id, its name, or `publisher/name`; as `find_endpoint`."""
    if is_id(given):
        return client.endpoints.get_model(given)
    publisher, slash, name = given.rpartition("/")
    found = client.endpoints.models(query=name)
    known = [model for model in found if not slash or model.publisher.casefold() == publisher.casefold()]
    return _only(name, known, what="model", name=lambda model: model.name)
