"""Every write to benchmarks. Doors call these; nothing else saves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from exchange.accounts.models import Organization, OrganizationType
from exchange.accounts.selectors import get_organization
from exchange.core import clock, events
from exchange.core.actors import SYSTEM, Actor, Scope
from exchange.core.errors import FieldError, InvalidInput

from . import content as contents
from . import demo, permissions, policies, selectors
from .content import CASE_FIELDS, METRIC_FIELDS, Content
from .errors import (
    BenchmarkNotFound,
    NoPublishedVersion,
    SlugTaken,
    VersionIsPublished,
    VersionMustGrow,
)
from .models import (
    Benchmark,
    BenchmarkStatus,
    BenchmarkVersion,
    Case,
    Metric,
    VerificationPolicy,
    VersionStatus,
    Visibility,
)
from .semver import is_semver, precedence

RESERVED_SLUGS = frozenset({"new", "search", "slug"})
_CASES_A_STATEMENT = 1000


@transaction.atomic
def create_benchmark(
    *,
    actor: Actor,
    organization_id: UUID,
    slug: str,
    name: str,
    kind: str,
    category: str,
    description: str = "",
    visibility: str = Visibility.PUBLIC,
    tags: Sequence[str] = (),
    license: str = "",
) -> Benchmark:
    """A draft in the organization's name. Its slug and kind stay as they are."""
    organization = get_organization(actor=actor, organization_id=organization_id)
    permissions.require_worker(actor, organization_id, Scope.BENCHMARKS_WRITE)
    if slug in RESERVED_SLUGS:
        raise InvalidInput.of("slug", "reserved", _("This short name is reserved. Choose another one."))
    benchmark = Benchmark(
        organization=organization,
        slug=slug,
        name=name,
        kind=kind,
        category=category,
        description=description,
        visibility=visibility,
        tags=_tags(tags),
        license=license,
        is_demo=organization.is_demo,
    )
    _save_new(benchmark)
    _publish("benchmark.created", actor, benchmark, slug=slug, benchmark_kind=kind)
    return selectors.get_benchmark(actor=actor, benchmark_id=benchmark.pk)


def _tags(tags: Iterable[str]) -> list[str]:
    """Lower case, each once, in the author's order."""
    return list(dict.fromkeys(tag.strip().lower() for tag in tags if tag.strip()))


def _save_new(benchmark: Benchmark) -> None:
    """Slugs are unique over all organizations; of two at the same time the database lets one through."""
    try:
        with transaction.atomic():
            benchmark.save(force_insert=True)
    except IntegrityError as error:
        raise SlugTaken(errors=[FieldError("slug", "taken", str(SlugTaken()))]) from error


@transaction.atomic
def update_benchmark(
    *,
    actor: Actor,
    benchmark_id: UUID,
    name: str | None = None,
    description: str | None = None,
    category: str | None = None,
    visibility: str | None = None,
    tags: Sequence[str] | None = None,
    license: str | None = None,
) -> Benchmark:
    """What is not given stays."""
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_editor(actor, benchmark)
    changes = {
        "name": name,
        "description": description,
        "category": category,
        "visibility": visibility,
        "tags": None if tags is None else _tags(tags),
        "license": license,
    }
    given = {field: value for field, value in changes.items() if value is not None}
    for field, value in given.items():
        setattr(benchmark, field, value)
    benchmark.save(update_fields=[*given, "updated_at"])
    _publish("benchmark.updated", actor, benchmark, fields=sorted(given))
    return benchmark


@transaction.atomic
def create_version(
    *,
    actor: Actor,
    benchmark_id: UUID,
    version: str,
    changelog: str = "",
    system_prompt: str = "",
    prompt_template: str = "{prompt}",
    cases_public: bool = False,
    generation: Mapping[str, Any] | None = None,
    load_profile: Mapping[str, Any] | None = None,
    metrics: Sequence[Mapping[str, Any]] = (),
    test_cases: Sequence[Mapping[str, Any]] = (),
    policy: Mapping[str, Any] | None = None,
) -> BenchmarkVersion:
    """A draft of the next edition, with the author's policy (number 1)."""
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_author(actor, benchmark)
    _check_number(benchmark, version)
    content = Content(
        kind=benchmark.kind,
        system_prompt=system_prompt,
        prompt_template=prompt_template,
        generation=generation,
        load_profile=load_profile,
        metrics=metrics,
        cases=test_cases,
    )
    rule = _checked(content, policy or {})
    row = BenchmarkVersion(benchmark=benchmark, version=version, changelog=changelog)
    row.cases_public = cases_public
    _store(row, content)
    _add_policy(row, rule, decided_by="author", effective_at=clock.now())
    _publish("benchmark_version.created", actor, benchmark, row, version=version)
    return selectors.get_version(actor=actor, version_id=row.pk)


def _check_number(benchmark: Benchmark, number: str) -> None:
    if not is_semver(number):
        text = _("Use a version number such as 1.0.0 or 2.1.0-beta.1 (semver.org, no build metadata).")
        raise InvalidInput.of("version", "not_semver", text)
    earlier = BenchmarkVersion.objects.filter(benchmark=benchmark).values_list("version", flat=True)
    newest = max(earlier, key=precedence, default=None)
    if newest and precedence(number) <= precedence(newest):
        text = _("The newest version is %s; this number must be above it.") % newest
        raise VersionMustGrow(text, errors=[FieldError("version", "must_grow", text)])


def _checked(content: Content, policy: Mapping[str, Any]) -> dict[str, Any]:
    """The whole policy, or InvalidInput naming everything that is wrong with it and the content."""
    found = contents.problems(content)
    rule = policies.completed(policy, kind=content.kind, metrics=content.metrics)
    found += policies.problems(rule, kind=content.kind, metrics=content.metrics)
    if found:
        raise InvalidInput(errors=found)
    return rule


def _store(row: BenchmarkVersion, content: Content) -> None:
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


@transaction.atomic
def update_version(
    *,
    actor: Actor,
    version_id: UUID,
    changelog: str | None = None,
    system_prompt: str | None = None,
    prompt_template: str | None = None,
    cases_public: bool | None = None,
    generation: Mapping[str, Any] | None = None,
    load_profile: Mapping[str, Any] | None = None,
    metrics: Sequence[Mapping[str, Any]] | None = None,
    test_cases: Sequence[Mapping[str, Any]] | None = None,
    policy: Mapping[str, Any] | None = None,
) -> BenchmarkVersion:
    """Change a draft. What is not given stays; metrics and test cases are replaced as a whole."""
    row = _lock_draft(actor, version_id)
    changes: dict[str, Any] = {
        "system_prompt": system_prompt,
        "prompt_template": prompt_template,
        "generation": generation,
        "load_profile": load_profile,
        "metrics": metrics,
        "cases": test_cases,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    content = replace(selectors.content_of(row), **given)
    rule = _checked(content, _rule_of(row) if policy is None else policy)
    row.changelog = row.changelog if changelog is None else changelog
    row.cases_public = row.cases_public if cases_public is None else cases_public
    _store(row, content)
    if policies.digest(rule) != policies.digest(_rule_of(row)):
        _add_policy(row, rule, decided_by="author", effective_at=clock.now())
    _publish("benchmark_version.updated", actor, row.benchmark, row, fields=sorted(given))
    return selectors.get_version(actor=actor, version_id=row.pk)


def _lock_draft(actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """The benchmark's row serialises what happens to its versions, so it is locked first."""
    found = selectors.get_version(actor=actor, version_id=version_id)
    selectors.get_benchmark(actor=actor, benchmark_id=found.benchmark_id, lock=True)
    row = selectors.get_version(actor=actor, version_id=version_id, lock=True)
    permissions.require_author(actor, row.benchmark)
    if row.status != VersionStatus.DRAFT:
        raise VersionIsPublished
    return row


def _rule_of(row: BenchmarkVersion) -> dict[str, Any]:
    """The policy that a draft has; metrics that come later get their defaults."""
    return {name: getattr(row.policy, name) for name in policies.RULE_FIELDS}


@transaction.atomic
def publish_version(*, actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """Make a draft the current edition: checked once more, hashed, never to be changed again."""
    row = _lock_draft(actor, version_id)
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=row.benchmark_id, lock=True)
    content = selectors.content_of(row)
    _checked(content, _rule_of(row))
    _supersede(benchmark, by=row)
    row.move_to(VersionStatus.PUBLISHED, content_hash=contents.digest(content), published_at=clock.now())
    facts = {"version": row.version, "content_hash": row.content_hash}
    _publish("benchmark_version.published", actor, benchmark, row, **facts)
    return selectors.get_version(actor=actor, version_id=row.pk)


def _supersede(benchmark: Benchmark, *, by: BenchmarkVersion) -> None:
    published = BenchmarkVersion.objects.filter(benchmark=benchmark, status=VersionStatus.PUBLISHED).first()
    if published is None:
        return
    if precedence(by.version) <= precedence(published.version):
        raise VersionMustGrow(_("Version %s is published already.") % published.version)
    published.move_to(VersionStatus.SUPERSEDED)


@transaction.atomic
def add_policy(
    *,
    actor: Actor,
    version_id: UUID,
    delta: float | None = None,
    alpha: float | None = None,
    gamma: float | None = None,
    tolerances: Mapping[str, float] | None = None,
    deciding_metrics: Sequence[str] | None = None,
    sessions: int | None = None,
    effective_at: datetime | None = None,
) -> VerificationPolicy:
    """The next rule for a version, at once or later. Verdicts given by earlier ones keep theirs."""
    row = selectors.get_version(actor=actor, version_id=version_id, lock=True)
    permissions.require_rule_maker(actor, row.benchmark)
    given = {
        "delta": delta,
        "alpha": alpha,
        "gamma": gamma,
        "tolerances": tolerances,
        "deciding_metrics": deciding_metrics,
        "sessions": sessions,
    }
    about: dict[str, Any] = {"kind": row.benchmark.kind, "metrics": selectors.content_of(row).metrics}
    rule = policies.completed(given, **about)
    if found := policies.problems(rule, **about, path=""):
        raise InvalidInput(errors=found)
    now = clock.now()
    if effective_at is not None and effective_at < now:
        raise InvalidInput.of("effective_at", "in_the_past", _("A rule never holds for what was before it."))
    policy = _add_policy(row, rule, decided_by="author", effective_at=effective_at or now)
    facts = {"number": policy.number, "digest": policy.digest}
    _publish("verification_policy.added", actor, row.benchmark, row, **facts)
    return policy


def _add_policy(
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


@transaction.atomic
def activate_benchmark(*, slug: str) -> Benchmark:
    """For operators: let a benchmark take submissions. It needs a published version."""
    benchmark = Benchmark.objects.select_for_update(no_key=True).filter(slug=slug).first()
    if benchmark is None:
        raise BenchmarkNotFound
    if not benchmark.versions.filter(status=VersionStatus.PUBLISHED).exists():
        raise NoPublishedVersion
    benchmark.move_to(BenchmarkStatus.ACTIVE)
    _publish("benchmark.activated", SYSTEM, benchmark, slug=slug)
    return selectors.get_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk)


@transaction.atomic
def install_demo_benchmarks() -> list[Benchmark]:
    """The shipped benchmarks, published and active; those that are there already stay as they are."""
    organization, _new = Organization.objects.get_or_create(
        slug=demo.ORGANIZATION_SLUG,
        defaults={"name": "Exchange demo", "type": OrganizationType.OPEN_SOURCE, "is_demo": True},
    )
    return [_installed(organization, shipped) for shipped in demo.shipped()]


def _installed(organization: Organization, shipped: demo.Shipped) -> Benchmark:
    slug = shipped.benchmark["slug"]
    if not Benchmark.objects.filter(slug=slug).exists():
        actor = demo.actor_for(organization.pk)
        draft = create_benchmark(actor=actor, organization_id=organization.pk, **shipped.benchmark)
        version = create_version(actor=actor, benchmark_id=draft.pk, **shipped.version)
        publish_version(actor=actor, version_id=version.pk)
        activate_benchmark(slug=slug)
    return selectors.get_benchmark_by_slug(actor=SYSTEM, slug=slug)


def _publish(
    kind: str, actor: Actor, benchmark: Benchmark, row: BenchmarkVersion | None = None, /, **facts: Any
) -> None:
    """A fact about a version, or about the benchmark itself."""
    if row is not None:
        facts["benchmark_id"] = str(benchmark.pk)
    events.publish(
        kind,
        actor=actor,
        subject_id=(row or benchmark).pk,
        organization_id=benchmark.organization_id,
        **facts,
    )
