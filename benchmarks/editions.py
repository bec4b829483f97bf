"""How an edition of a benchmark is checked and stored. Callers have decided who may."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from exchange.core.actors import Actor
from exchange.core.errors import FieldError, InvalidInput

from . import content as contents
from . import permissions, policies, selectors
from .content import CASE_FIELDS, METRIC_FIELDS, Content
from .errors import VersionIsPublished, VersionMustGrow
from .models import Benchmark, BenchmarkVersion, Case, Metric, VerificationPolicy, VersionStatus
from .semver import is_semver, precedence

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


def checked(content: Content, policy: Mapping[str, Any]) -> dict[str, Any]:
    """The whole policy, or InvalidInput naming everything that is wrong with it and the content."""
    found = contents.problems(content)
    rule = policies.completed(policy, kind=content.kind, metrics=content.metrics)
    found += policies.problems(rule, kind=content.kind, metrics=content.metrics)
    if found:
        raise InvalidInput(errors=found)
    return rule


def store(row: BenchmarkVersion, content: Content) -> None:
    """Save a draft; its metrics and cases are replaced as a whole."""
    row.system_prompt, row.prompt_template = content.system_prompt, content.prompt_template
    row.generation = None if content.generation is None else dict(content.generation)
    row.load_profile = None if content.load_profile is None else dict(content.load_profile)
    row.save()
    Metric.objects.filter(version=row).delete()
    Metric.objects.bulk_create(
        Metric(version=row, position=number, **{name: metric[name] for name in METRIC_FIELDS})
        for number, metric in enumerate(content.metrics)
    )
    Case.objects.filter(version=row).delete()
    Case.objects.bulk_create(
        (
            Case(version=row, position=number, **{name: case[name] for name in CASE_FIELDS})
            for number, case in enumerate(content.cases)
        ),
        batch_size=_CASES_A_STATEMENT,
    )


def lock_draft(actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """A draft that the actor may change, held until the transaction ends."""
    row = lock_version(actor, version_id)
    if row.status != VersionStatus.DRAFT:
        raise VersionIsPublished
    return row


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


def supersede(benchmark: Benchmark, *, by: BenchmarkVersion) -> None:
    published = BenchmarkVersion.objects.filter(benchmark=benchmark, status=VersionStatus.PUBLISHED).first()
    if published is None:
        return
    if precedence(by.version) <= precedence(published.version):
        raise VersionMustGrow(_("Version %s is published already.") % published.version)
    published.move_to(VersionStatus.SUPERSEDED)


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
