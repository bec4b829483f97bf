"""Who may do what to benchmarks. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.accounts.errors import NotYourOrganization
from exchange.accounts.permissions import require, require_admin, require_worker
from exchange.core.actors import Actor, Scope, SiteRole

from .errors import NotAReviewer, OnlyByTheSystem, ReviewerIsAuthor
from .models import Benchmark, BenchmarkStatus, BenchmarkVersion, PolicyDecision


def may_read_for_organizations(actor: Actor) -> bool:
    """Whether the actor sees more than the public does."""
    return actor.has_scope(Scope.BENCHMARKS_READ)


def can_see_cases(actor: Actor, version: BenchmarkVersion) -> bool:
    if version.cases_public or actor.is_system:
        return True
    return may_read_for_organizations(actor) and actor.belongs_to(version.benchmark.organization_id)


def is_reviewer(actor: Actor) -> bool:
    return actor.site_role >= SiteRole.REVIEWER


def is_author(actor: Actor, benchmark: Benchmark, submitted_by: UUID | None) -> bool:
    """Whether the actor has a part in what is reviewed."""
    own = actor.user_id is not None and actor.user_id in {submitted_by, benchmark.created_by}
    return own or actor.belongs_to(benchmark.organization_id)


def require_editor(actor: Actor, benchmark: Benchmark) -> None:
    """Members edit a draft; what the public has seen is for admins and owners."""
    if actor.is_system:
        return
    check = require_worker if benchmark.status == BenchmarkStatus.DRAFT else require_admin
    check(actor, benchmark.organization_id, Scope.BENCHMARKS_WRITE)


def require_author(actor: Actor, benchmark: Benchmark) -> None:
    """Raise unless the actor may write versions of this benchmark."""
    if not actor.is_system:
        require_worker(actor, benchmark.organization_id, Scope.BENCHMARKS_WRITE)


def require_rule_maker(actor: Actor, benchmark: Benchmark, decided_by: str) -> None:
    """Raise unless the actor may change how claims on a version are judged."""
    if actor.is_system:
        return
    require_admin(actor, benchmark.organization_id, Scope.BENCHMARKS_WRITE)
    if decided_by != PolicyDecision.AUTHOR:
        raise OnlyByTheSystem


def require_reviewer(actor: Actor, benchmark: Benchmark, submitted_by: UUID | None) -> None:
    """Raise unless the actor may decide on what was submitted for review."""
    if actor.is_system:
        return
    require(actor, Scope.BENCHMARKS_WRITE)
    if not is_reviewer(actor):
        raise NotAReviewer
    if is_author(actor, benchmark, submitted_by):
        raise ReviewerIsAuthor


def require_review_reader(actor: Actor) -> None:
    """Raise unless the actor may read what waits for a review."""
    require(actor, Scope.BENCHMARKS_READ)
    if not is_reviewer(actor):
        raise NotAReviewer


def require_steward(actor: Actor, benchmark: Benchmark) -> None:
    """Raise unless the actor may retire a benchmark: its admins and owners, and reviewers."""
    if actor.is_system:
        return
    require(actor, Scope.BENCHMARKS_WRITE)
    if not (is_reviewer(actor) or actor.administers(benchmark.organization_id)):
        raise NotYourOrganization


def require_system(actor: Actor) -> None:
    if not actor.is_system:
        raise OnlyByTheSystem
