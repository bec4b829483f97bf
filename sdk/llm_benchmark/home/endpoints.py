"""Which endpoint is measured: its address and key, whether it may be local, and what it understands."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from llm_benchmark.errors import InvalidInput
from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused, check_api_key, check_endpoint_url, parse_endpoint_url
from llm_benchmark.measure.plans import Dialect, EgressRules, Failure, Target
from llm_benchmark.measure.probing import EndpointFault, discover, probe_dialect

from .errors import NotMeasured

_MOST_NAMES = 8
_LOCAL_CODES = {"address_not_public", "host_not_public"}


def target(base_url: str, model: str, *, api_key: str | None = None, allow_local: bool = False) -> Target:
    """The model to measure.

    Args:
        base_url: `https://api.example.com/v1` for chat completions; a full URL names another protocol by its
            end, `https://api.example.com/v1/messages`.
        allow_local: whether the address may be on this machine or in a private network.

    Raises:
        InvalidInput: the address or the key cannot be used.
    """
    try:
        url = parse_endpoint_url(base_url)
        rules = EgressRules(allow=frozenset({url.host_and_port} if allow_local else ()))
        check_endpoint_url(base_url, rules)
    except EgressRefused as refused:
        hint = " Allow it with allow_local (--allow-local)." if refused.code in _LOCAL_CODES else ""
        raise InvalidInput.of("base_url", refused.code, f"{refused.message}{hint}") from None
    try:
        key = check_api_key(api_key) if api_key else None
    except EgressRefused as refused:
        raise InvalidInput.of("api_key", refused.code, refused.message) from None
    protocol = protocols.of_path(url.path) or protocols.DEFAULT
    return Target(base_url, model, key, protocol=protocol, egress=rules)


def dialect_of(endpoint: Target) -> Dialect:
    """What the endpoint understands, by up to six short requests. Raises NotMeasured."""
    try:
        return probe_dialect(endpoint)
    except EndpointFault as fault:
        raise NotMeasured(_with_names(fault.failure, endpoint)) from None


def _with_names(failure: Failure, endpoint: Target) -> Failure:
    """A wrong model name is easier to mend beside the right ones."""
    if failure.code != "model_not_found":
        return failure
    try:
        names = [model.id for model in discover(endpoint)]
    except EndpointFault:
        return failure
    more = " …" if len(names) > _MOST_NAMES else ""
    listed = f"It lists: {', '.join(names[:_MOST_NAMES])}{more}." if names else "It lists no model."
    return replace(failure, message=f"{failure.message} {listed}")


def digest_of(endpoint: Target) -> str:
    """SHA-256 of the address: tells whether it is the same one, without saying which."""
    return hashlib.sha256(str(parse_endpoint_url(endpoint.base_url)).encode()).hexdigest()
