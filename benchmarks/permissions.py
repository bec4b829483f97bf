"""Who may do what to benchmarks. Pure functions: no queries, no state rules."""

from exchange.accounts.permissions import require_admin, require_worker
from exchange.core.actors import Actor, Scope

from .models import Benchmark, BenchmarkStatus, BenchmarkVersion


def may_read_for_organizations(actor: Actor) -> bool:
    """Whether the actor sees more than the public does."""
    return actor.has_scope(Scope.BENCHMARKS_READ)


def can_see_cases(actor: Actor, version: BenchmarkVersion) -> bool:
    if version.cases_public or actor.is_system:
        return True
    return may_read_for_organizations(actor) and actor.belongs_to(version.benchmark.organization_id)


def require_editor(actor: Actor, benchmark: Benchmark) -> None:
    """Members edit a draft; what the public has seen is for admins and owners."""
    check = require_worker if benchmark.status == BenchmarkStatus.DRAFT else require_admin
    check(actor, benchmark.organization_id, Scope.BENCHMARKS_WRITE)


def require_author(actor: Actor, benchmark: Benchmark) -> None:
    """Raise unless the actor may write versions of this benchmark."""
    require_worker(actor, benchmark.organization_id, Scope.BENCHMARKS_WRITE)


def require_rule_maker(actor: Actor, benchmark: Benchmark) -> None:
    """Raise unless the actor may change how claims on a version are judged."""
    require_admin(actor, benchmark.organization_id, Scope.BENCHMARKS_WRITE)
