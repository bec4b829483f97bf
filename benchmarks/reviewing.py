"""What authors ask of reviewers, and what reviewers decide."""

from uuid import UUID

from django.db import transaction

from exchange.core.actors import Actor

from . import moves, permissions, selectors
from .errors import PrivateIsNotReviewed
from .models import Benchmark, Visibility


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


@transaction.atomic
def take_back_from_review(
    *, actor: Actor, benchmark_id: UUID, reason: str = "", expected_status: str | None = None
) -> Benchmark:
    """Make it a draft again while no reviewer has decided. Whoever may submit it may take it back."""
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_author(actor, benchmark)
    return moves.move("benchmark.taken_back", benchmark, actor, expected_status, reason)


def _lock_for_review(actor: Actor, benchmark_id: UUID) -> Benchmark:
    benchmark = selectors.get_benchmark(actor=actor, benchmark_id=benchmark_id, lock=True)
    permissions.require_reviewer(actor, benchmark, moves.submitter_of(benchmark))
    return benchmark
