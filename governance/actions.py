"""What proposals do: how an action is completed, checked by trying it, and carried out.

Benchmarks change through their own services, in the system's name. Each action, done twice, changes once.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from benchmarks import policies
from benchmarks import selectors as benchmarks
from benchmarks import services as benchmark_services
from benchmarks.models import (
    Benchmark,
    BenchmarkStatus,
    BenchmarkVersion,
    PolicyDecision,
    VersionStatus,
    Visibility,
)
from exchange.core import clock
from exchange.core.actors import SYSTEM, Actor
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.canonical import digest as digest_of

from . import voting
from .errors import ActionAltered, ActionOutdated, BenchmarkNotPublic, BenchmarkStillDraft, NothingToChange
from .models import ActionKind, Procedure, Proposal, ProposalType

CHANGEABLE = (
    *("name", "description", "long_description", "category", "tags"),
    *("license", "custom_license", "documentation_url", "source_url"),
)
"""What a proposal can change of what a benchmark says of itself."""

_SHOWN = ("status", "is_endorsed", "current_version", *CHANGEABLE)
Fields = dict[str, Any]
Change = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """An action that could be carried out now: as stored, its digest, its benchmark, what it would change."""

    action: dict[str, Any]
    digest: str
    benchmark: Benchmark | None
    planned: list[Change]


@dataclass(frozen=True, slots=True)
class Kind:
    """`complete(actor, fields)` adds what was left out; `observe` reads what `apply` changes."""

    type: ProposalType
    complete: Callable[[Actor, Fields], tuple[Fields, Benchmark | None]]
    observe: Callable[[Fields], Mapping[str, Any]]
    apply: Callable[[Fields], object]


def prepare(*, actor: Actor, type: str, action: Mapping[str, Any]) -> Prepared:
    """Complete the action that a form holds, and try it.

    Raises:
        DomainError: what the action's own service refuses; InvalidInput names fields from `action` on.
    """
    name = _one_of(type, action)
    kind, path = KINDS[name], f"action.{name}"
    fields, benchmark = kind.complete(actor, _plain(action[name]))
    stored = {"kind": str(name), str(name): fields}
    return Prepared(stored, digest_of(stored), benchmark, _tried(kind, fields, path))


def check(proposal: Proposal) -> list[Change]:
    """What the stored action would change now. Reviewers and voters must be able to read its subject."""
    _require_no_draft(proposal)
    kind, fields = _stored(proposal)
    return _tried(kind, fields, f"action.{proposal.action['kind']}")


def carry_out(proposal: Proposal) -> list[Change]:
    """Do it, if it is still what was voted on and everybody can read it; what has changed by it."""
    _require_no_draft(proposal)
    return _done(*_stored(proposal))


def _require_no_draft(proposal: Proposal) -> None:
    """Its authors change a draft unseen, also one that was under review when the vote opened. Holds it."""
    if proposal.benchmark_id is None:
        return
    benchmark = benchmarks.get_benchmark(actor=SYSTEM, benchmark_id=proposal.benchmark_id, lock=True)
    if benchmark.status == BenchmarkStatus.DRAFT:
        raise BenchmarkStillDraft


def _stored(proposal: Proposal) -> tuple[Kind, Fields]:
    if digest_of(proposal.action) != proposal.action_digest:
        raise ActionAltered
    name = proposal.action["kind"]
    return KINDS[ActionKind(name)], proposal.action[name]


def _one_of(type: str, action: Mapping[str, Any]) -> ActionKind:
    """The kind that the form names, given that only its own fields are there and that it suits the type."""
    name = ActionKind(action["kind"])
    if KINDS[name].type != type:
        text = _("A proposal of this type does something else.")
        raise InvalidInput.of("action.kind", "wrong_kind", text)
    if action.get(name) is None:
        raise InvalidInput.of(f"action.{name}", "required", _("Say what this action does."))
    for other in ActionKind:
        if other != name and action.get(other) is not None:
            text = _("This does not belong to an action of this kind.")
            raise InvalidInput.of(f"action.{other}", "wrong_kind", text)
    return name


def _plain(value: Any) -> Any:
    """As JSON says it, without what was left out."""
    if isinstance(value, Mapping):
        plain = {name: _plain(item) for name, item in value.items()}
        return {name: item for name, item in plain.items() if item not in (None, [], {})}
    return json.loads(json.dumps(value, default=str))


def _tried(kind: Kind, fields: Fields, path: str) -> list[Change]:
    """What doing it would change: done, looked at, and undone."""
    try:
        with transaction.atomic():
            changes = _done(kind, fields)
            transaction.set_rollback(True)
    except InvalidInput as refusal:
        errors = [replace(error, field=_path(kind, path, error.field)) for error in refusal.errors]
        raise InvalidInput(errors=errors) from refusal
    if not changes:
        raise NothingToChange
    return changes


def _path(kind: Kind, path: str, field: str) -> str:
    """Where the form has a field that a benchmark's service has refused."""
    changed = kind.type == ProposalType.UPDATE_BENCHMARK and field != "version_id"
    return f"{path}.changes.{field}" if changed else f"{path}.{field}"


def _done(kind: Kind, fields: Fields) -> list[Change]:
    before = _observed(kind, fields)
    kind.apply(fields)
    after = _observed(kind, fields)
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return [{"name": name, "before": before.get(name), "after": after.get(name)} for name in names]


def _observed(kind: Kind, fields: Fields) -> dict[str, str | None]:
    return {name: _text(value) for name, value in kind.observe(fields).items()}


def _text(value: Any) -> str | None:
    """As the API spells it; lists with commas, nothing as None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or None
    return None if value in (None, "") else str(value)


def _held(fields: Fields) -> Benchmark:
    """The benchmark, public and held: nothing else happens to its versions until the transaction ends."""
    benchmark = benchmarks.get_benchmark(actor=SYSTEM, benchmark_id=UUID(fields["benchmark_id"]), lock=True)
    return _public(benchmark)


def _public(benchmark: Benchmark) -> Benchmark:
    if benchmark.visibility != Visibility.PUBLIC:
        raise BenchmarkNotPublic
    return benchmark


def _read(actor: Actor, fields: Fields) -> Benchmark:
    return _public(benchmarks.get_benchmark(actor=actor, benchmark_id=UUID(fields["benchmark_id"])))


def _observe_benchmark(fields: Fields) -> Mapping[str, Any]:
    benchmark = benchmarks.get_benchmark(actor=SYSTEM, benchmark_id=UUID(fields["benchmark_id"]))
    return {name: getattr(benchmark, name) for name in _SHOWN}


def _complete_activation(actor: Actor, fields: Fields) -> tuple[Fields, Benchmark]:
    benchmark = _read(actor, fields)
    version = benchmarks.current_version(benchmark)
    found = {"version_id": str(version.pk), "content_hash": str(version.content_hash)}
    return {**found, **fields}, benchmark


def _activate(fields: Fields) -> None:
    version = benchmarks.current_version(_held(fields))
    if (str(version.pk), version.content_hash) != (fields["version_id"], fields["content_hash"]):
        raise ActionOutdated
    benchmark_services.activate_benchmark(
        actor=SYSTEM, benchmark_id=version.benchmark_id, reason=_("Decided by a vote.")
    )


def _complete_update(actor: Actor, fields: Fields) -> tuple[Fields, Benchmark]:
    benchmark = _read(actor, fields)
    if "version_id" in fields:
        version = benchmarks.get_version(actor=actor, version_id=UUID(fields["version_id"]))
        fields = {"content_hash": benchmarks.content_hash_of(version), **fields}
    return fields, benchmark


def show(proposal: Proposal) -> None:
    """What voters decide on, they can read: the draft that the action would publish."""
    fields = proposal.action[proposal.action["kind"]]
    if proposal.type == ProposalType.UPDATE_BENCHMARK and "version_id" in fields:
        benchmark_services.show_draft(actor=SYSTEM, version_id=UUID(fields["version_id"]))


def _update(fields: Fields) -> None:
    benchmark = _held(fields)
    if "version_id" in fields:
        _publish_version(benchmark, fields)
    if changes := fields.get("changes"):
        benchmark_services.update_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, **changes)


def _publish_version(benchmark: Benchmark, fields: Fields) -> None:
    version = benchmarks.get_version(actor=SYSTEM, version_id=UUID(fields["version_id"]))
    if version.benchmark_id != benchmark.pk:
        text = _("This is a version of another benchmark.")
        raise InvalidInput.of("version_id", "wrong_benchmark", text)
    if benchmarks.content_hash_of(version) != fields["content_hash"]:
        raise ActionOutdated
    benchmark_services.publish_version(actor=SYSTEM, version_id=version.pk)


def _deprecate(fields: Fields) -> None:
    benchmark = _held(fields)
    reason = fields["reason"]
    benchmark_services.deprecate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, reason=reason)


def _version(actor: Actor, fields: Fields) -> BenchmarkVersion:
    version = benchmarks.get_version(actor=actor, version_id=UUID(fields["version_id"]))
    _public(version.benchmark)
    return version


def _complete_policy(actor: Actor, fields: Fields) -> tuple[Fields, Benchmark]:
    """The whole rule, so that voters see all of it."""
    version = _version(actor, fields)
    metrics = benchmarks.content_of(version).metrics
    rule = policies.completed(fields, kind=version.benchmark.kind, metrics=metrics)
    return {"version_id": fields["version_id"], **_plain(_rule(rule))}, version.benchmark


def _rule(fields: Fields) -> Fields:
    return {name: fields.get(name) for name in policies.RULE_FIELDS}


def _set_policy(fields: Fields) -> None:
    version = _version(SYSTEM, fields)
    if version.status == VersionStatus.DRAFT:
        raise InvalidInput.of("version_id", "not_published", _("Claims are made on published versions only."))
    benchmark_services.add_policy(
        actor=SYSTEM, version_id=version.pk, decided_by=PolicyDecision.PROPOSAL, **_rule(fields)
    )


def _observe_policy(fields: Fields) -> Mapping[str, Any]:
    policy = benchmarks.get_policy_in_force(_version(SYSTEM, fields), clock.now())
    parts = ("tolerances", "quality_gate")
    seen = {name: getattr(policy, name) for name in policies.RULE_FIELDS if name not in parts}
    for part in parts:
        said = getattr(policy, part) or {}
        seen |= {f"{part}.{name}": value for name, value in sorted(said.items())}
    return {**seen, "decided_by": policy.decided_by}


def _observe_rules(fields: Fields) -> Mapping[str, Any]:
    rules = Procedure.objects.select_related("rules").get(pk=fields["proposal_type"]).rules
    return {name: getattr(rules, name) for name in voting.RULE_FIELDS}


KINDS: Mapping[ActionKind, Kind] = {
    ActionKind.ACTIVATE_BENCHMARK: Kind(
        ProposalType.NEW_BENCHMARK, _complete_activation, _observe_benchmark, _activate
    ),
    ActionKind.UPDATE_BENCHMARK: Kind(
        ProposalType.UPDATE_BENCHMARK, _complete_update, _observe_benchmark, _update
    ),
    ActionKind.DEPRECATE_BENCHMARK: Kind(
        ProposalType.DEPRECATE_BENCHMARK,
        lambda actor, fields: (fields, _read(actor, fields)),
        _observe_benchmark,
        _deprecate,
    ),
    ActionKind.SET_VERIFICATION_POLICY: Kind(
        ProposalType.POLICY_CHANGE, _complete_policy, _observe_policy, _set_policy
    ),
    ActionKind.SET_VOTING_RULES: Kind(
        ProposalType.POLICY_CHANGE,
        lambda _actor, fields: (fields, None),
        _observe_rules,
        lambda fields: voting.add_rules(fields["proposal_type"], fields),
    ),
}
