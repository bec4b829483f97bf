"""An endpoint's key: sealed when it comes in, opened only to dial the origin it was given for.

In its place may stand `env:NAME`, a variable of the exchange's own environment. Operators list which
organization may name which variable for which origin; that is looked up when it comes in and at each use.
"""

from django.conf import settings
from django.utils.translation import gettext as _

from exchange.core import envelopes
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.egress import EgressRefused, check_api_key

from .errors import CredentialUnavailable
from .models import CredentialSource, Endpoint, EndpointCredential

REFERENCE = "env:"  # no key begins like this: a colon is not among its characters


def store_key(endpoint: Endpoint, api_key: str) -> None:
    """Seal the key, or the reference to one, and keep it in place of an earlier one."""
    is_reference = api_key.startswith(REFERENCE)
    given = _checked_reference(endpoint, api_key) if is_reference else _checked(api_key)
    row = _row_of(endpoint) or EndpointCredential(endpoint=endpoint, organization_id=endpoint.organization_id)
    row.sealed_key = envelopes.seal(given.encode(), bound_to=binding_of(row))
    row.source = CredentialSource.ENVIRONMENT if is_reference else CredentialSource.STORED
    row.save()


def open_key(endpoint: Endpoint) -> str | None:
    """The key, or None when the endpoint has none.

    Raises:
        CannotOpen: a moved or altered row.
        CredentialUnavailable: it is a reference that leads to no key, or not any more.
    """
    row = _row_of(endpoint)
    if row is None:
        return None
    opened = envelopes.open_sealed(bytes(row.sealed_key), bound_to=binding_of(row)).decode()
    return _referenced(endpoint, opened) if opened.startswith(REFERENCE) else opened


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


def _checked_reference(endpoint: Endpoint, reference: str) -> str:
    """One answer for every reference that is not listed, whether or not there is such a variable."""
    variable, slug = reference.removeprefix(REFERENCE), endpoint.organization.slug
    if not settings.KEY_REFERENCES.allows(variable, organization=slug, origin=endpoint.origin):
        message = _(
            "Your organization may not use this variable for this address. Who operates the exchange can "
            "allow it in EXCHANGE_KEY_REFERENCES, as {triple}."
        ).format(triple=f"{slug}/{variable}@{endpoint.origin}")
        raise InvalidInput.of("api_key", "key_reference_not_allowed", message)
    return reference


def _referenced(endpoint: Endpoint, reference: str) -> str:
    value = settings.KEY_REFERENCES.value(
        reference.removeprefix(REFERENCE),
        organization=endpoint.organization.slug,
        origin=endpoint.origin,
    )
    try:
        return check_api_key(value or "")
    except EgressRefused:
        raise CredentialUnavailable from None


def binding_of(row: EndpointCredential) -> str:
    """What its envelope is bound to: a copy on another row, or for another origin, does not open."""
    return f"endpoint_credential|{row.pk}|{row.organization_id}|{row.endpoint.origin}"
