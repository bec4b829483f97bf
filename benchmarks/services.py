"""Every write to benchmarks. Doors call these; nothing else saves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from exchange.accounts.selectors import get_organization
from exchange.core import clock
from exchange.core.actors import Actor, Scope
from exchange.core.errors import FieldError, InvalidInput

from . import content as contents
from . import editions, gates, loads, metadata, moves, people, permissions, policies, selectors
from .content import Content
from .errors import (
    IsUnderReview,
    NeedsAProposal,
    SlugTaken,
)
from .facts import publish
from .models import (
    Benchmark,
    BenchmarkStatus,
    BenchmarkVersion,
    LicenseType,
    PolicyDecision,
    VerificationPolicy,
    VersionStatus,
    Visibility,
)

RESERVED_SLUGS = frozenset({"new", "search", "slug"})


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
    long_description: str = "",
    visibility: str = Visibility.PUBLIC,
    tags: Sequence[str] = (),
    license: str | None = None,
    custom_license: str = "",
    citation: Mapping[str, Any] | None = None,
    documentation_url: str = "",
    source_url: str = "",
    maintainers: Sequence[str] = (),
) -> Benchmark:
    """A draft in the organization's name, maintained by whoever makes it unless it says by whom.

    Its slug and kind stay as they are.
    """
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
        long_description=long_description,
        visibility=visibility,
        tags=metadata.tidy_tags(tags),
        license=license,
        custom_license=custom_license,
        citation=citation and metadata.tidy_citation(citation),
        documentation_url=documentation_url,
        source_url=source_url,
        is_demo=organization.is_demo,
        created_by=actor.user_id,
    )
    metadata.require_sound(vars(benchmark), this_year=clock.now().year)
    chosen = people.members(benchmark, maintainers) if maintainers else people.maker(actor)
    _save_new(benchmark)
    benchmark.maintained_by.set(chosen)
    publish("benchmark.created", actor, benchmark, slug=slug, benchmark_kind=kind)
    return selectors.get_benchmark(actor=actor, benchmark_id=benchmark.pk)


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
    long_description: str | None = None,
    category: str | None = None,
    visibility: str | None = None,
    tags: Sequence[str] | None = None,
    license: str | None = None,
    custom_license: str | None = None,
    citation: Mapping[str, Any] | None = None,
    documentation_url: str | None = None,
    source_url: str | None = None,
    maintainers: Sequence[str] | None = None,
) -> Benchmark:
    """What is not given stays; a citation without a word takes the old one away.

    For the system, what is as it should be already stays untouched and untold.
    """
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_editor(actor, benchmark)
    moves.require_open(benchmark)
    if visibility not in {None, benchmark.visibility}:
        moves.require_no_hiding(benchmark, actor)
    if custom_license is None and license not in {None, LicenseType.CUSTOM}:
        custom_license = ""
    changes = {
        "name": name,
        "description": description,
        "long_description": long_description,
        "category": category,
        "visibility": visibility,
        "tags": None if tags is None else metadata.tidy_tags(tags),
        "license": license,
        "custom_license": custom_license,
        "documentation_url": documentation_url,
        "source_url": source_url,
    }
    given: dict[str, Any] = {field: value for field, value in changes.items() if value is not None}
    if citation is not None:
        given["citation"] = metadata.tidy_citation(citation)
    told = sorted(given if maintainers is None else {*given, "maintainers"})
    if actor.is_system and not _differs(benchmark, given, maintainers):
        return benchmark
    for field, value in given.items():
        setattr(benchmark, field, value)
    metadata.require_sound(vars(benchmark), this_year=clock.now().year)
    benchmark.save(update_fields=[*given, "updated_at"])
    if maintainers is not None:
        benchmark.maintained_by.set(people.members(benchmark, maintainers))
    publish("benchmark.updated", actor, benchmark, fields=told)
    return selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id)


def _differs(benchmark: Benchmark, given: Mapping[str, Any], maintainers: Sequence[str] | None) -> bool:
    others = maintainers is not None and set(maintainers) != set(benchmark.maintainers)
    return others or any(getattr(benchmark, field) != value for field, value in given.items())


@transaction.atomic
def create_version(
    *,
    actor: Actor,
    benchmark_id: UUID,
    version: str,
    changelog: str = "",
    migration_notes: str = "",
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
    moves.require_open(benchmark)
    editions.check_number(benchmark, version)
    content = Content(
        kind=benchmark.kind,
        system_prompt=system_prompt,
        prompt_template=prompt_template,
        generation=generation,
        load_profile=load_profile and loads.settled(load_profile),
        metrics=metrics,
        cases=test_cases,
    )
    rule = editions.checked(content, policy or {}, actor=actor, benchmark=benchmark)
    row = BenchmarkVersion(benchmark=benchmark, version=version, cases_public=cases_public)
    row.changelog, row.migration_notes = changelog, migration_notes
    editions.follow_current(row)
    editions.store(row, content)
    editions.store_policy(row, rule, decided_by=PolicyDecision.AUTHOR, effective_at=clock.now())
    publish("benchmark_version.created", actor, benchmark, row, version=version)
    return selectors.get_version(actor=actor, version_id=row.pk)


@transaction.atomic
def update_version(
    *,
    actor: Actor,
    version_id: UUID,
    changelog: str | None = None,
    migration_notes: str | None = None,
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
    row = editions.lock_draft(actor, version_id)
    moves.require_open(row.benchmark)
    changes: dict[str, Any] = {
        "system_prompt": system_prompt,
        "prompt_template": prompt_template,
        "generation": generation,
        "load_profile": load_profile and loads.settled(load_profile),
        "metrics": metrics,
        "cases": test_cases,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    content = replace(selectors.content_of(row), **given)
    said = editions.rule_of(row) if policy is None else policy
    rule = editions.checked(content, said, actor=actor, benchmark=row.benchmark)
    row.changelog = row.changelog if changelog is None else changelog
    row.migration_notes = row.migration_notes if migration_notes is None else migration_notes
    editions.follow_current(row)
    row.cases_public = row.cases_public if cases_public is None else cases_public
    editions.store(row, content)
    if policies.digest(rule) != policies.digest(editions.rule_of(row)):
        editions.store_policy(row, rule, decided_by=PolicyDecision.AUTHOR, effective_at=clock.now())
    publish("benchmark_version.updated", actor, row.benchmark, row, fields=sorted(given))
    return selectors.get_version(actor=actor, version_id=row.pk)


@transaction.atomic
def publish_version(*, actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """Make a draft the current edition: checked once more, hashed, never to be changed again.

    For the system, a version that is published already stays as it is.
    """
    row = editions.lock_version(actor, version_id)
    if actor.is_system and row.status == VersionStatus.PUBLISHED:
        return row
    editions.require_draft(row)
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=row.benchmark_id, lock=True)
    moves.require_open(benchmark)
    if benchmark.status == BenchmarkStatus.UNDER_REVIEW:
        raise IsUnderReview
    content = selectors.content_of(row)
    editions.checked(content, editions.rule_of(row), actor=actor, benchmark=benchmark)
    editions.follow_current(row)
    editions.supersede(row)
    row.move_to(
        VersionStatus.PUBLISHED,
        content_hash=contents.digest(content),
        published_at=clock.now(),
        parent=row.parent,
    )
    told = {"version": row.version, "content_hash": row.content_hash}
    publish("benchmark_version.published", actor, benchmark, row, **told)
    return selectors.get_version(actor=actor, version_id=row.pk)


@transaction.atomic
def add_policy(
    *,
    actor: Actor,
    version_id: UUID,
    decided_by: str = PolicyDecision.AUTHOR,
    delta: float | None = None,
    alpha: float | None = None,
    gamma: float | None = None,
    tolerances: Mapping[str, float] | None = None,
    deciding_metrics: Sequence[str] | None = None,
    sessions: int | None = None,
    quality_gate: Mapping[str, Any] | None = None,
    effective_at: datetime | None = None,
) -> VerificationPolicy:
    """The next rule for a version, at once or later. Verdicts given by earlier ones keep theirs.

    What a proposal decided, an author does not change. For the system, the rule that is the newest already
    stays as it is.
    """
    row = selectors.get_version(actor=actor, version_id=version_id, lock=True)
    permissions.require_rule_maker(actor, row.benchmark, decided_by)
    moves.require_open(row.benchmark)
    given = {
        "delta": delta,
        "alpha": alpha,
        "gamma": gamma,
        "tolerances": tolerances,
        "deciding_metrics": deciding_metrics,
        "sessions": sessions,
        "quality_gate": quality_gate,
    }
    rule = _checked_rule(actor, row, given)
    newest = VerificationPolicy.objects.filter(version=row).order_by("-number").first()
    if newest and newest.decided_by == PolicyDecision.PROPOSAL:
        if not actor.is_system:
            raise NeedsAProposal
        if newest.digest == policies.digest(rule):
            return newest
    policy = editions.store_policy(row, rule, decided_by=decided_by, effective_at=_from(effective_at))
    told = {"number": policy.number, "digest": policy.digest, "decided_by": decided_by}
    publish("verification_policy.added", actor, row.benchmark, row, **told)
    return policy


def _checked_rule(actor: Actor, row: BenchmarkVersion, given: Mapping[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = {"kind": row.benchmark.kind, "metrics": selectors.content_of(row).metrics}
    rule = policies.completed(given, **about)
    found = policies.problems(rule, **about, path="")
    found += gates.problems(rule["quality_gate"], actor=actor, benchmark=row.benchmark)
    if found:
        raise InvalidInput(errors=found)
    return rule


def _from(effective_at: datetime | None) -> datetime:
    now = clock.now()
    if effective_at is not None and effective_at < now:
        raise InvalidInput.of("effective_at", "in_the_past", _("A rule never holds for what was before it."))
    return effective_at or now


@transaction.atomic
def activate_benchmark(
    *,
    actor: Actor,
    benchmark_id: UUID,
    endorsed: bool = True,
    expected_status: str | None = None,
    reason: str = "",
) -> Benchmark:
    """For proposals that passed, and operators: let a benchmark take submissions from whatever state.

    Done already, it changes nothing and tells nothing.
    """
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_system(actor)
    if benchmark.status != BenchmarkStatus.ACTIVE:
        moves.require_published(benchmark)
        moves.move("benchmark.activated", benchmark, actor, expected_status, reason)
    if endorsed and not benchmark.is_endorsed:
        benchmark.is_endorsed = True
        benchmark.save(update_fields=["is_endorsed", "updated_at"])
        publish("benchmark.endorsed", actor, benchmark, slug=benchmark.slug)
    return benchmark


@transaction.atomic
def show_draft(*, actor: Actor, version_id: UUID) -> BenchmarkVersion:
    """For proposals under review: from now on everybody may read this draft. Its cases stay as it says."""
    row = selectors.get_version(actor=actor, version_id=version_id, lock=True)
    permissions.require_system(actor)
    if not row.is_proposed:
        row.is_proposed = True
        row.save(update_fields=["is_proposed", "updated_at"])
        publish("benchmark_version.proposed", actor, row.benchmark, row, version=row.version)
    return row


@transaction.atomic
def deprecate_benchmark(
    *, actor: Actor, benchmark_id: UUID, reason: str, expected_status: str | None = None
) -> Benchmark:
    """Close a benchmark to new submissions; its board stays. An endorsed one needs a proposal.

    For the system, one that is deprecated already stays as it is.
    """
    benchmark = _lock_for_steward(actor, benchmark_id)
    if actor.is_system and benchmark.status == BenchmarkStatus.DEPRECATED:
        return benchmark
    reason = moves.checked_reason(reason)
    return moves.move("benchmark.deprecated", benchmark, actor, expected_status, reason)


@transaction.atomic
def reactivate_benchmark(
    *, actor: Actor, benchmark_id: UUID, reason: str = "", expected_status: str | None = None
) -> Benchmark:
    """Let a deprecated benchmark take submissions again. What a proposal retired, a proposal brings back."""
    benchmark = _lock_for_steward(actor, benchmark_id)
    return moves.move("benchmark.reactivated", benchmark, actor, expected_status, reason)


@transaction.atomic
def archive_benchmark(
    *, actor: Actor, benchmark_id: UUID, reason: str = "", expected_status: str | None = None
) -> Benchmark:
    """The end of a deprecated benchmark: it can still be read, and nothing else."""
    benchmark = _lock_for_steward(actor, benchmark_id)
    return moves.move("benchmark.archived", benchmark, actor, expected_status, reason)


def _lock_for_steward(actor: Actor, benchmark_id: UUID) -> Benchmark:
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_steward(actor, benchmark)
    moves.require_no_vote_against(benchmark, actor)
    return benchmark
