"""How an edition of a benchmark is checked and stored. Callers have decided who may."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from exchange.core.actors import Actor
from exchange.core.errors import FieldError, InvalidInput
from llm_benchmark.measure.contents import CASE_FIELDS, LATER_CASE_FIELDS, METRIC_FIELDS

from . import content as contents
from . import gates, permissions, policies, selectors
from .content import Content
from .errors import VersionIsPublished, VersionMustGrow
from .models import Benchmark, BenchmarkVersion, Case, Metric, VerificationPolicy, VersionStatus
from .semver import is_breaking, is_semver, precedence

SHORTEST_CHANGELOG, SHORTEST_NOTES = 10, 20
NO_GENERATION: Mapping[str, Any] = {
    "temperature": None,
    "top_p": None,
    "max_tokens": None,
    "seed": None,
    "stop": [],
}
"""Stored as the API shows it, so that whoever reads a version there can compute its content hash."""
_CASES_A_STATEMENT = 1000


def check_number(benchmark: Benchmark, number: str) -> None:
    if not is_semver(number):
        text = _("Use a version number such as 1.0.0 or 2.1.0-beta.1 (semver.org, no build metadata).")
        raise InvalidInput.of("version", "not_semver", text)
    newest = newest_number(benchmark)
    if newest and precedence(number) <= precedence(newest):
        text = _("The newest version is %s; this number must be above it.") % newest
        raise VersionMustGrow(text, errors=[FieldError("version", "must_grow", text)])


def newest_number(benchmark: Benchmark) -> str | None:
    numbers = BenchmarkVersion.objects.filter(benchmark=benchmark).values_list("version", flat=True)
    return max(numbers, key=precedence, default=None)


def checked(
    content: Content, policy: Mapping[str, Any], *, actor: Actor, benchmark: Benchmark
) -> dict[str, Any]:
    """The whole policy, or InvalidInput naming everything that is wrong with it and the content."""
    found = contents.problems(content)
    rule = policies.completed(policy, kind=content.kind, metrics=content.metrics)
    found += policies.problems(rule, kind=content.kind, metrics=content.metrics)
    found += gates.problems(rule["quality_gate"], actor=actor, benchmark=benchmark, path="policy.")
    if found:
        raise InvalidInput(errors=found)
    return rule


def store(row: BenchmarkVersion, content: Content) -> None:
    """Save a draft; its metrics and cases are replaced as a whole."""
    row.system_prompt, row.prompt_template = content.system_prompt, content.prompt_template
    row.generation = None if content.generation is None else {**NO_GENERATION, **content.generation}
    row.load_profile = None if content.load_profile is None else dict(content.load_profile)
    row.save()
    Metric.objects.filter(version=row).delete()
    Metric.objects.bulk_create(
        Metric(version=row, position=number, **{name: metric[name] for name in METRIC_FIELDS})
        for number, metric in enumerate(content.metrics)
    )
    Case.objects.filter(version=row).delete()
    Case.objects.bulk_create(
        (_case(row, number, case) for number, case in enumerate(content.cases)),
        batch_size=_CASES_A_STATEMENT,
    )


def _case(version: BenchmarkVersion, position: int, case: Mapping[str, Any]) -> Case:
    said = {name: case[name] for name in CASE_FIELDS} | {name: case.get(name) for name in LATER_CASE_FIELDS}
    return Case(version=version, position=position, **said)


def lock_draft(actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """A draft that the actor may change, held until the transaction ends."""
    row = lock_version(actor, version_id)
    require_draft(row)
    return row


def require_draft(row: BenchmarkVersion) -> None:
    if row.status != VersionStatus.DRAFT:
        raise VersionIsPublished


def lock_version(actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """The benchmark's row serialises what happens to its versions, so it is locked first."""
    found = selectors.get_version(actor=actor, version_id=version_id)
    selectors.get_benchmark(actor=actor, benchmark_id=found.benchmark_id, lock=True)
    row = selectors.get_version(actor=actor, version_id=version_id, lock=True)
    permissions.require_author(actor, row.benchmark)
    return row


def rule_of(row: BenchmarkVersion) -> dict[str, Any]:
    """The policy that a draft has; metrics that come later get their defaults."""
    return {name: getattr(row.policy, name) for name in policies.RULE_FIELDS}


def follow_current(row: BenchmarkVersion) -> None:
    """Make the published version the parent of a draft, which then has to say what it changes."""
    published = BenchmarkVersion.objects.filter(benchmark=row.benchmark, status=VersionStatus.PUBLISHED)
    row.parent = published.first()
    if row.parent and (found := list(_unsaid(row.parent, row))):
        raise InvalidInput(errors=found)


def _unsaid(parent: BenchmarkVersion, row: BenchmarkVersion) -> Iterator[FieldError]:
    if len(row.changelog.strip()) < SHORTEST_CHANGELOG:
        text = _("Say what changed since %(version)s, in %(low)d characters or more.")
        text %= {"version": parent.version, "low": SHORTEST_CHANGELOG}
        yield FieldError("changelog", "too_short", text)
    if is_breaking(parent.version, row.version) and len(row.migration_notes.strip()) < SHORTEST_NOTES:
        text = _(
            "A new major number breaks with %(version)s: say how to move, in %(low)d characters or more."
        )
        text %= {"version": parent.version, "low": SHORTEST_NOTES}
        yield FieldError("migration_notes", "too_short", text)


def supersede(row: BenchmarkVersion) -> None:
    """Let a draft take the place of its parent."""
    if row.parent is None:
        return
    if precedence(row.version) <= precedence(row.parent.version):
        raise VersionMustGrow(_("Version %s is published already.") % row.parent.version)
    row.parent.move_to(VersionStatus.SUPERSEDED)


def store_policy(
    row: BenchmarkVersion, rule: Mapping[str, Any], *, decided_by: str, effective_at: datetime
) -> VerificationPolicy:
    return VerificationPolicy.objects.create(
        version=row,
        number=VerificationPolicy.objects.filter(version=row).count() + 1,
        **{name: rule[name] for name in policies.RULE_FIELDS},
        decided_by=decided_by,
        effective_at=effective_at,
        digest=policies.digest(rule),
    )
