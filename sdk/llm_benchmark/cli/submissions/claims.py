"""From what people say of a claim to what the API takes: names become ids, `0.86` the primary metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from llm_benchmark.cli.frame.finding import deployments_of, find_deployment
from llm_benchmark.cli.frame.organizations import chosen_organization
from llm_benchmark.errors import InvalidInput, NotFound
from llm_benchmark.quantities import is_share

from .files import Cases, located

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.client import Client
    from llm_benchmark.models import BenchmarkVersion, Deployment, Metric, SubmissionCheck

_NOT_CHECKED = ("visibility", "notes")


@dataclass(frozen=True)
class Claim:
    """What is sent.

    Args:
        body: arguments of `submissions.create`.
        options: which option says what of `claims`, for refusals.
        deployment: what the exchange would measure.
    """

    body: dict[str, Any]
    cases: Cases = field(default_factory=Cases)
    options: Sequence[str] = ()
    deployment: Deployment | None = None

    def check(self, client: Client) -> SubmissionCheck:
        """Raises InvalidInput naming all that is wrong, by line and by option where that is known."""
        sent = {name: value for name, value in self.body.items() if name not in _NOT_CHECKED}
        try:
            return client.submissions.check(**sent)
        except InvalidInput as refusal:
            raise self._located(refusal) from None

    def _located(self, refusal: InvalidInput) -> InvalidInput:
        typed = {
            f"claims[{at}]{part}": option
            for at, option in enumerate(self.options)
            for part in ("", ".name", ".value")
            if option
        }
        refusal.errors = [replace(e, field=typed.get(e.field, e.field)) for e in refusal.errors]
        if len(refusal.errors) > 1:
            refusal.args = ("The claim cannot be taken in like this; nothing was stored.",)
        return located(refusal, self.cases)


def claim_from(invocation: Invocation, given: Mapping[str, Any], cases: Cases) -> Claim:
    """The claim that is described by the names in `files.FIELDS`, and by `score` and `metrics`.

    Raises:
        InvalidInput: what it names does not fit together.
        NotFound: what it names does not exist.
    """
    client = invocation.client
    benchmark, version = _benchmark_of(given)
    named = given.get("organization")
    organization = chosen_organization(invocation, str(named) if named else None).organization_id
    deployment, model = _served(client, given, organization)
    claims, options = _claims(client, given, benchmark, version, len(cases.rows))
    body = {
        "organization_id": organization,
        "benchmark": benchmark,
        "version": version,
        "claims": claims,
        "cases": cases.rows,
        "model": model,
        "deployment_id": deployment.id if deployment else None,
        "configuration": given.get("configuration"),
        "visibility": given.get("visibility"),
        "notes": given.get("notes"),
    }
    stated = {name: value for name, value in body.items() if value not in (None, "", [])}
    return Claim({"claims": [], **stated}, cases, options, deployment)


def version_of(client: Client, benchmark: str, number: str) -> BenchmarkVersion:
    """A benchmark's version by its number; "" for the one in force.

    Raises:
        NotFound: it has none of that number, or has not published any.
    """
    if number:
        found = {version.version: version for version in client.benchmarks.versions(benchmark)}
        if number in found:
            return found[number]
        message = f"{benchmark} has no version {number}. It has: {', '.join(found) or 'none'}."
        raise NotFound(message, code="version_not_found")
    current = client.benchmarks.get(benchmark).current_version_id
    if current is None:
        raise NotFound(f"{benchmark} has published no version yet.", code="version_not_found")
    return client.benchmarks.get_version(current)


def number_of(text: str, unit: str, *, option: str) -> float:
    """`0.86`, or `86%` of a share."""
    bare, is_percent = text.strip(), text.strip().endswith("%") and is_share(unit)
    try:
        number = float(bare.removesuffix("%") if is_percent else bare)
    except ValueError:
        raise InvalidInput.of(option, "no_number", f"{text!r} is no number.") from None
    return number / 100 if is_percent else number


def _benchmark_of(given: Mapping[str, Any]) -> tuple[str, str]:
    """Its slug and the version's number, also from `slug@1.0.0`."""
    named = str(given.get("benchmark") or "")
    if not named:
        raise InvalidInput.of("benchmark", "required", "Say on which benchmark: --benchmark SLUG.")
    slug, _at, number = named.partition("@")
    version = str(given.get("version") or "")
    if number and version not in {"", number}:
        message = f"The benchmark's version is given twice: {number} and {version}."
        raise InvalidInput.of("version", "given_twice", message)
    return slug, number or version


def _served(
    client: Client, given: Mapping[str, Any], organization: str
) -> tuple[Deployment | None, dict[str, str] | None]:
    """What the exchange would measure, and the model as the API takes it."""
    model = _reference(given.get("model"))
    if named := given.get("deployment"):
        return find_deployment(client, str(named), organization_id=organization), _stated(client, model)
    if model is None:
        message = "Say which model: --deployment NAME of one that you serve, or --model PUBLISHER/NAME."
        raise InvalidInput.of("model", "required", message)
    if given.get("deployment") is None:
        serving = [
            one for one in deployments_of(client, organization) if one.is_listed and _is_of(one, model)
        ]
        if len(serving) == 1:
            return serving[0], None
    return None, _stated(client, model)


def _reference(given: Any) -> dict[str, str] | None:
    """`Publisher/Name` apart; without a publisher it is "" and has to be found out."""
    if not given:
        return None
    if isinstance(given, Mapping):
        return {name: str(value or "") for name, value in given.items()}
    publisher, slash, name = str(given).partition("/")
    return {"publisher": publisher, "name": name} if slash else {"publisher": "", "name": publisher}


def _is_of(deployment: Deployment, model: Mapping[str, str]) -> bool:
    if model.get("version", "") != deployment.model_version:
        return False
    named = "/".join(filter(None, [model.get("publisher"), model.get("name")]))
    whole = f"{deployment.model_publisher}/{deployment.model_name}"
    return named in {deployment.served_name, deployment.model_name, whole}


def _stated(client: Client, model: dict[str, str] | None) -> dict[str, str] | None:
    """The model with its publisher, from what is known of models where it is not said."""
    if model is None or model.get("publisher") or not model.get("name"):
        return model
    name = model["name"]
    known = {m.publisher for m in client.endpoints.models(query=name) if m.name.casefold() == name.casefold()}
    if len(known) == 1:
        return {**model, "publisher": known.pop()}
    names = ", ".join(f"{publisher}/{name}" for publisher in sorted(known))
    found = f"Several are known: {names}." if known else "No model of this name is known yet."
    message = f"Say who published {name}: --model PUBLISHER/{name}. {found}"
    raise InvalidInput.of("model", "publisher_required", message)


def _claims(
    client: Client, given: Mapping[str, Any], benchmark: str, version: str, case_count: int
) -> tuple[list[Any], list[str]]:
    """The metrics claimed, and which option each comes from."""
    claims = _list_of_claims(given)
    typed = [(option, name, text) for option, name, text in given.get("metrics") or []]
    if given.get("score") is not None:
        typed.insert(0, ("--score", "", str(given["score"])))
    if not typed:
        return claims, []
    metrics = {metric.name: metric for metric in version_of(client, benchmark, version).metrics}
    primary = next((metric for metric in metrics.values() if metric.is_primary), None)
    count = given.get("sample_count") or case_count or None
    options = [""] * len(claims)
    for option, name, text in typed:
        metric = metrics.get(name) if name else primary
        claims.append(_metric_claim(metric, name, text, option, count))
        options.append(option)
    return claims, options


def _list_of_claims(given: Mapping[str, Any]) -> list[Any]:
    claims = given.get("claims") or []
    if not isinstance(claims, list):
        message = 'claims is a list such as [{"name": "accuracy", "value": 0.86}].'
        raise InvalidInput.of("claims", "no_list", message)
    return list(claims)


def _metric_claim(
    metric: Metric | None, name: str, text: str, option: str, count: int | None
) -> dict[str, Any]:
    if metric is None and not name:
        message = "This version has no primary metric. Say which you mean: --metric NAME=VALUE."
        raise InvalidInput.of(option, "no_primary_metric", message)
    value = number_of(text, (metric.unit or "") if metric else "", option=option)
    return {"name": metric.name if metric else name, "value": value, "sample_count": count}
