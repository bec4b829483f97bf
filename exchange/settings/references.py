"""Keys of endpoints that stand in the environment: who may use which of them, and where it is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.core.exceptions import ImproperlyConfigured

from .environment import Environment
from .variables import FILE, PREFIX, VARIABLES

NAME = "EXCHANGE_KEY_REFERENCES"
_FORM = re.compile(r"[a-z0-9-]+/(?P<variable>[A-Z][A-Z0-9_]*)@https?://[^/@\s]+:\d+")
_OWN = {one.name for one in VARIABLES} | {one.name + FILE for one in VARIABLES}
_OWN_BEGINNINGS = (PREFIX, "AWS_", "DJANGO_", "PG")


@dataclass(frozen=True, slots=True)
class KeyReferences:
    """`allowed` are triples `organization/VARIABLE@https://host:port`; values are read when they are used."""

    allowed: frozenset[str]
    environ: Mapping[str, str] = field(repr=False)

    def allows(self, variable: str, *, organization: str, origin: str) -> bool:
        return f"{organization}/{variable}@{origin}" in self.allowed

    def value(self, variable: str, *, organization: str, origin: str) -> str | None:
        """None: it is not allowed, or not set in this process."""
        if not self.allows(variable, organization=organization, origin=origin):
            return None
        return self.environ.get(variable, "").strip() or None


def key_references(env: Environment, environ: Mapping[str, str]) -> KeyReferences:
    """Raises ImproperlyConfigured for what is no triple, and for variables that the exchange itself reads."""
    triples = env.words(NAME)
    for triple in sorted(triples):
        found = _FORM.fullmatch(triple)
        if found is None:
            raise ImproperlyConfigured(
                f"{NAME}: {triple!r} is not organization/VARIABLE@https://host:port, with the port."
            )
        if found["variable"] in _OWN or found["variable"].startswith(_OWN_BEGINNINGS):
            raise ImproperlyConfigured(f"{NAME}: {found['variable']} is not a key of an endpoint.")
    return KeyReferences(triples, environ)
