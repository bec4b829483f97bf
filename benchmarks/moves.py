"""How a benchmark moves from one state to another. Callers have decided who may."""

from uuid import UUID

from django.utils.translation import gettext as _

from exchange.core.actors import Actor
from exchange.core.errors import InvalidInput
from exchange.core.models import IllegalTransition

from . import facts
from .errors import BenchmarkIsArchived, NeedsAProposal, NoPublishedVersion, StatusChanged
from .models import Benchmark, BenchmarkStatus, StatusChange, VersionStatus

SHORTEST_REASON, LONGEST_REASON = 10, 1000
_S = BenchmarkStatus
MOVES = {
    "benchmark.submitted_for_review": ({_S.DRAFT}, _S.UNDER_REVIEW),
    "benchmark.approved": ({_S.UNDER_REVIEW}, _S.ACTIVE),
    "benchmark.rejected": ({_S.UNDER_REVIEW}, _S.DRAFT),
    "benchmark.taken_back": ({_S.UNDER_REVIEW}, _S.DRAFT),
    "benchmark.activated": ({_S.DRAFT, _S.UNDER_REVIEW, _S.DEPRECATED}, _S.ACTIVE),
    "benchmark.deprecated": ({_S.ACTIVE}, _S.DEPRECATED),
    "benchmark.reactivated": ({_S.DEPRECATED}, _S.ACTIVE),
    "benchmark.archived": ({_S.DEPRECATED}, _S.ARCHIVED),
}
"""The fact that tells of a move → from which states, to which."""


def move(
    kind: str, benchmark: Benchmark, actor: Actor, expected_status: str | None, reason: str = ""
) -> Benchmark:
    """Make the move that `kind` tells of, and keep it for the public to read."""
    before, (origins, status) = benchmark.status, MOVES[kind]
    if expected_status and expected_status != before:
        raise StatusChanged
    if before not in origins:
        told = {"current": benchmark.get_status_display(), "wanted": status.label}
        raise IllegalTransition(_("It is “%(current)s” and cannot become “%(wanted)s” this way.") % told)
    benchmark.move_to(status)
    StatusChange.objects.create(
        benchmark=benchmark, from_status=before, to_status=status, changed_by=actor.user_id, reason=reason
    )
    told = {"slug": benchmark.slug, "from_status": before, "to_status": status, "reason": reason}
    facts.publish(kind, actor, benchmark, **told)
    return benchmark


def checked_reason(reason: str) -> str:
    """Those concerned read it, so it has to say something."""
    reason = reason.strip()
    if not SHORTEST_REASON <= len(reason) <= LONGEST_REASON:
        text = _("Give a reason of %(low)d to %(high)d characters.")
        text %= {"low": SHORTEST_REASON, "high": LONGEST_REASON}
        raise InvalidInput.of("reason", "length", text)
    return reason


def require_published(benchmark: Benchmark) -> None:
    if not benchmark.versions.filter(status=VersionStatus.PUBLISHED).exists():
        raise NoPublishedVersion


def require_no_vote_against(benchmark: Benchmark, actor: Actor) -> None:
    """What the community endorsed or retired by a vote is not undone by one person."""
    if not actor.is_system and was_voted_on(benchmark):
        raise NeedsAProposal


def require_no_hiding(benchmark: Benchmark, actor: Actor) -> None:
    """Everybody goes on reading what a vote decided on: to hide it would be to retire it."""
    if not actor.is_system and was_voted_on(benchmark):
        text = _(
            "A vote decided on this benchmark, so everybody goes on reading it. Propose to deprecate it."
        )
        raise NeedsAProposal(text)


def was_voted_on(benchmark: Benchmark) -> bool:
    """Whether a vote endorsed it, or made it as deprecated as it is."""
    return benchmark.is_endorsed or (benchmark.status == _S.DEPRECATED and _was_retired_by_nobody(benchmark))


def _was_retired_by_nobody(benchmark: Benchmark) -> bool:
    """A deprecation without a person's name is the system's, for a proposal that passed."""
    retired = StatusChange.objects.filter(benchmark=benchmark, to_status=_S.DEPRECATED)
    last = retired.order_by("-created_at").first()
    return last is not None and last.changed_by is None


def require_open(benchmark: Benchmark) -> None:
    """An archived benchmark is read, and nothing else."""
    if benchmark.status == _S.ARCHIVED:
        raise BenchmarkIsArchived


def submitter_of(benchmark: Benchmark) -> UUID | None:
    """Who submitted it for review last."""
    submitted = StatusChange.objects.filter(benchmark=benchmark, to_status=BenchmarkStatus.UNDER_REVIEW)
    return submitted.order_by("-created_at").values_list("changed_by", flat=True).first()
