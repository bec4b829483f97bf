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
from exchange.core import clock
from exchange.core.actors import SYSTEM, Actor, Scope
from exchange.core.errors import FieldError, InvalidInput

from . import content as contents
from . import demo, editions, moves, permissions, policies, selectors
from .content import Content
from .errors import (
    IsUnderReview,
    NeedsAProposal,
    PrivateIsNotReviewed,
    SlugTaken,
)
from .facts import publish
from .models import (
    Benchmark,
    BenchmarkStatus,
    BenchmarkVersion,
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
        created_by=actor.user_id,
    )
    _save_new(benchmark)
    publish("benchmark.created", actor, benchmark, slug=slug, benchmark_kind=kind)
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
    if actor.is_system and all(getattr(benchmark, field) == value for field, value in given.items()):
        return benchmark
    for field, value in given.items():
        setattr(benchmark, field, value)
    benchmark.save(update_fields=[*given, "updated_at"])
    publish("benchmark.updated", actor, benchmark, fields=sorted(given))
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
    editions.check_number(benchmark, version)
    content = Content(
        kind=benchmark.kind,
        system_prompt=system_prompt,
        prompt_template=prompt_template,
        generation=generation,
        load_profile=load_profile,
        metrics=metrics,
        cases=test_cases,
    )
    rule = editions.checked(content, policy or {})
    row = BenchmarkVersion(benchmark=benchmark, version=version, changelog=changelog)
    row.cases_public = cases_public
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
    rule = editions.checked(content, editions.rule_of(row) if policy is None else policy)
    row.changelog = row.changelog if changelog is None else changelog
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
    row = editions.lock_draft(actor, version_id)
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=row.benchmark_id, lock=True)
    if benchmark.status == BenchmarkStatus.UNDER_REVIEW:
        raise IsUnderReview
    content = selectors.content_of(row)
    editions.checked(content, editions.rule_of(row))
    editions.supersede(benchmark, by=row)
    row.move_to(VersionStatus.PUBLISHED, content_hash=contents.digest(content), published_at=clock.now())
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
    effective_at: datetime | None = None,
) -> VerificationPolicy:
    """The next rule for a version, at once or later. Verdicts given by earlier ones keep theirs.

    What a proposal decided, an author does not change. For the system, the rule that is the newest already
    stays as it is.
    """
    row = selectors.get_version(actor=actor, version_id=version_id, lock=True)
    permissions.require_rule_maker(actor, row.benchmark, decided_by)
    given = {
        "delta": delta,
        "alpha": alpha,
        "gamma": gamma,
        "tolerances": tolerances,
        "deciding_metrics": deciding_metrics,
        "sessions": sessions,
    }
    rule = _checked_rule(row, given)
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


def _checked_rule(row: BenchmarkVersion, given: Mapping[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = {"kind": row.benchmark.kind, "metrics": selectors.content_of(row).metrics}
    rule = policies.completed(given, **about)
    if found := policies.problems(rule, **about, path=""):
        raise InvalidInput(errors=found)
    return rule


def _from(effective_at: datetime | None) -> datetime:
    now = clock.now()
    if effective_at is not None and effective_at < now:
        raise InvalidInput.of("effective_at", "in_the_past", _("A rule never holds for what was before it."))
    return effective_at or now


@transaction.atomic
def submit_for_review(*, actor: Actor, benchmark_id: UUID, expected_status: str | None = None) -> Benchmark:
    """Ask reviewers to let a draft take submissions. The public sees it from now on."""
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_author(actor, benchmark)
    if benchmark.visibility == Visibility.PRIVATE:
        raise PrivateIsNotReviewed
    moves.require_published(benchmark)
    return moves.move("benchmark.submitted_for_review", benchmark, actor, expected_status)


@transaction.atomic
def approve_benchmark(
    *, actor: Actor, benchmark_id: UUID, reason: str = "", expected_status: str | None = None
) -> Benchmark:
    """A reviewer's yes: the benchmark takes submissions."""
    benchmark = _lock_for_review(actor, benchmark_id)
    moves.require_published(benchmark)
    return moves.move("benchmark.approved", benchmark, actor, expected_status, reason)


@transaction.atomic
def reject_benchmark(
    *, actor: Actor, benchmark_id: UUID, reason: str, expected_status: str | None = None
) -> Benchmark:
    """A reviewer's no: the benchmark is a draft again, and its authors read why."""
    benchmark = _lock_for_review(actor, benchmark_id)
    reason = moves.checked_reason(reason)
    return moves.move("benchmark.rejected", benchmark, actor, expected_status, reason)


def _lock_for_review(actor: Actor, benchmark_id: UUID) -> Benchmark:
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_reviewer(actor, benchmark, moves.submitter_of(benchmark))
    return benchmark


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
        activate_benchmark(actor=SYSTEM, benchmark_id=draft.pk, endorsed=False)
    return selectors.get_benchmark_by_slug(actor=SYSTEM, slug=slug)
