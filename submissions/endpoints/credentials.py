"""An endpoint's key: sealed when it comes in, opened only to dial the origin it was given for."""

from django.utils.translation import gettext as _

from exchange.core import envelopes
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.egress import EgressRefused, check_api_key

from .models import Endpoint, EndpointCredential


def store_key(endpoint: Endpoint, api_key: str) -> None:
    """Seal the key and keep it in place of an earlier one."""
    row = EndpointCredential.objects.filter(endpoint=endpoint).first() or EndpointCredential(
        endpoint=endpoint, organization_id=endpoint.organization_id
    )
    row.sealed_key = envelopes.seal(_checked(api_key).encode(), bound_to=_binding(row, endpoint))
    row.save()


def open_key(endpoint: Endpoint) -> str | None:
    """The key, or None when the endpoint has none. Raises CannotOpen for a moved or altered row."""
    row = EndpointCredential.objects.filter(endpoint=endpoint).first()
    if row is None:
        return None
    return envelopes.open_sealed(bytes(row.sealed_key), bound_to=_binding(row, endpoint)).decode()


def has_key(endpoint: Endpoint) -> bool:
    return EndpointCredential.objects.filter(endpoint=endpoint).exists()


def remove_key(endpoint: Endpoint) -> None:
    EndpointCredential.objects.filter(endpoint=endpoint).delete()


def _checked(api_key: str) -> str:
    try:
        return check_api_key(api_key)
    except EgressRefused as refused:
        message = _("A key has 1 to 512 characters out of A-Z a-z 0-9 . _ ~ + / = -")
        raise InvalidInput.of("api_key", refused.code, message) from refused


def _binding(row: EndpointCredential, endpoint: Endpoint) -> str:
    return f"endpoint_credential|{row.pk}|{row.organization_id}|{endpoint.origin}"
