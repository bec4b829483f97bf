"""An endpoint's key: sealed when it comes in, opened only to dial the origin it was given for."""

from django.utils.translation import gettext as _

from exchange.core import envelopes
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.egress import EgressRefused, check_api_key

from .models import Endpoint, EndpointCredential


def store_key(endpoint: Endpoint, api_key: str) -> None:
    """Seal the key and keep it in place of an earlier one."""
    row = _row_of(endpoint) or EndpointCredential(endpoint=endpoint, organization_id=endpoint.organization_id)
    row.sealed_key = envelopes.seal(_checked(api_key).encode(), bound_to=binding_of(row))
    row.save()


def open_key(endpoint: Endpoint) -> str | None:
    """The key, or None when the endpoint has none. Raises CannotOpen for a moved or altered row."""
    row = _row_of(endpoint)
    if row is None:
        return None
    return envelopes.open_sealed(bytes(row.sealed_key), bound_to=binding_of(row)).decode()


def has_key(endpoint: Endpoint) -> bool:
    return EndpointCredential.objects.filter(endpoint=endpoint).exists()


def remove_key(endpoint: Endpoint) -> None:
    EndpointCredential.objects.filter(endpoint=endpoint).delete()


def _row_of(endpoint: Endpoint) -> EndpointCredential | None:
    row = EndpointCredential.objects.filter(endpoint=endpoint).first()
    if row is not None:
        row.endpoint = endpoint
    return row


def _checked(api_key: str) -> str:
    try:
        return check_api_key(api_key)
    except EgressRefused as refused:
        message = _("A key has 1 to 512 characters out of A-Z a-z 0-9 . _ ~ + / = -")
        raise InvalidInput.of("api_key", refused.code, message) from refused


def binding_of(row: EndpointCredential) -> str:
    """What its envelope is bound to: a copy on another row, or for another origin, does not open."""
    return f"endpoint_credential|{row.pk}|{row.organization_id}|{row.endpoint.origin}"
