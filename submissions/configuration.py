"""What a submitter may choose, what the version has fixed, and what the engine can measure."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmarks.models import BenchmarkKind, BenchmarkVersion
from exchange.core.errors import FieldError, InvalidInput
from llm_benchmark.measure.configuration import UNMEASURABLE, fixed_settings
from llm_benchmark.measure.fingerprint import CHOSEN, CHOSEN_FOR_PERFORMANCE, chosen
from submissions.endpoints.models import Deployment, Endpoint

_SHOWN_LENGTH = 80


@dataclass(frozen=True, slots=True)
class OpenSetting:
    """A setting that a version leaves open. One that is not measurable keeps a claim from being verified."""

    name: str
    is_measurable: bool


def open_settings(version: BenchmarkVersion) -> list[OpenSetting]:
    """What a submitter may choose; the dialect is the deployment's."""
    kind, fixed = version.benchmark.kind, fixed_by(version)
    unmeasurable = UNMEASURABLE.get(kind, ())
    names = [name for name in _settings_of(kind) if name not in fixed and name != "dialect"]
    return [OpenSetting(name, name not in unmeasurable) for name in names]


def fixed_by(version: BenchmarkVersion) -> dict[str, Any]:
    """The settings that a version does not leave open."""
    return fixed_settings(
        version.benchmark.kind,
        generation=version.generation,
        load_profile=version.load_profile,
        system_prompt=version.system_prompt,
    )


def settle(
    given: Mapping[str, Any], version: BenchmarkVersion, deployment: Deployment | None
) -> dict[str, Any]:
    """The choices of a submitter that the version leaves open, with the deployment's dialect.

    Raises:
        InvalidInput: a choice contradicts the version or the deployment, or means nothing for this kind.
    """
    fixed, kind = fixed_by(version), version.benchmark.kind
    stated = {name: value for name, value in given.items() if value not in (None, "")}
    errors = [*_contradictions(stated, fixed), *_meaningless(stated, kind)]
    dialect = dialect_of(deployment)
    if dialect and stated.setdefault("dialect", dialect) != dialect:
        message = _("The deployment speaks the dialect %(ours)s, not %(given)s.")
        values = {"ours": dialect, "given": stated["dialect"]}
        errors.append(FieldError("configuration.dialect", "not_the_deployments", message % values))
    if errors:
        raise InvalidInput(errors=errors)
    return chosen(stated, fixed=fixed, kind=kind)


def dialect_of(deployment: Deployment | None) -> str:
    """The name of the dialect that was found by probing; "" when it is not known."""
    return str(deployment.endpoint.dialect.get("name", "")) if deployment else ""


def origin_digest(endpoint: Endpoint) -> str:
    """SHA-256 of scheme, host and port: tells whether an endpoint moved, without saying where it is."""
    return hashlib.sha256(endpoint.origin.encode()).hexdigest()


def differences(
    claimed: Mapping[str, Any], version: BenchmarkVersion, deployment: Deployment, *, claimed_origin: str
) -> list[FieldError]:
    """Where a measurement now would not be the claimed configuration; empty when it would be."""
    found = []
    if claimed_origin != origin_digest(deployment.endpoint):
        message = _("The endpoint moved to another address after this was claimed. Submit it again.")
        found.append(FieldError("deployment_id", "configuration_differs", message))
    for name in UNMEASURABLE.get(version.benchmark.kind, ()):
        if claimed.get(name):
            message = _("The platform cannot measure with this setting: %(name)s.") % {"name": name}
            found.append(FieldError(f"configuration.{name}", "not_measurable", message))
    ours, theirs = dialect_of(deployment), str(claimed.get("dialect", ""))
    if ours != theirs:
        found.append(FieldError("configuration.dialect", "configuration_differs", _another(ours, theirs)))
    return found


def _another(ours: str, theirs: str) -> str:
    if not ours:
        return _(
            "Claimed with the dialect “%(theirs)s”; which one the endpoint speaks is not known. "
            "Discover its models again while it is not busy."
        ) % {"theirs": theirs}
    if not theirs:
        return _("Claimed without a dialect; the endpoint speaks “%(ours)s”. Submit the claim again.") % {
            "ours": ours
        }
    values = {"ours": ours, "theirs": theirs}
    return _("Claimed with the dialect “%(theirs)s”; the endpoint now speaks “%(ours)s”.") % values


def _contradictions(stated: Mapping[str, Any], fixed: Mapping[str, Any]) -> list[FieldError]:
    message = _("This version fixes it at %(fixed)s; %(given)s was given.")
    return [
        FieldError(
            f"configuration.{name}",
            "fixed_by_version",
            message % {"fixed": _spelled(fixed[name]), "given": _spelled(value)},
        )
        for name, value in stated.items()
        if name in fixed and value != fixed[name]
    ]


def _meaningless(stated: Mapping[str, Any], kind: str) -> list[FieldError]:
    known = _settings_of(kind)
    message = _("This belongs to performance benchmarks alone.")
    return [
        FieldError(f"configuration.{name}", "not_for_this_kind", message)
        for name in stated
        if name not in known
    ]


def _settings_of(kind: str) -> tuple[str, ...]:
    return CHOSEN + CHOSEN_FOR_PERFORMANCE if kind == BenchmarkKind.PERFORMANCE else CHOSEN


def _spelled(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"
