"""What a reader may do with a benchmark, and its moves: one page asks for the reason and makes the move."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import redirect, render

from benchmarks import moves, permissions, reviewing, selectors, services
from benchmarks.api import serializers as s
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.pages import form_data, page, refused_fields, signed_in, to_login, told

SHOWN_MOVES = 20


@dataclass(frozen=True, slots=True)
class Move:
    """A move as pages offer it."""

    name: str
    act: Callable[..., Any]
    form: type


MOVES = {
    move.name: move
    for move in (
        Move("submit", reviewing.submit_for_review, s.SubmitForReviewRequestSerializer),
        Move("approve", reviewing.approve_benchmark, s.ApproveBenchmarkRequestSerializer),
        Move("reject", reviewing.reject_benchmark, s.RejectBenchmarkRequestSerializer),
        Move("take-back", reviewing.take_back_from_review, s.TakeBackFromReviewRequestSerializer),
        Move("deprecate", services.deprecate_benchmark, s.DeprecateBenchmarkRequestSerializer),
        Move("reactivate", services.reactivate_benchmark, s.ReactivateBenchmarkRequestSerializer),
        Move("archive", services.archive_benchmark, s.ArchiveBenchmarkRequestSerializer),
    )
}
_DECISIONS = ("approve", "reject")
_OFFERED = {
    "draft": ("submit",),
    "under_review": ("take-back",),
    "active": ("deprecate",),
    "deprecated": ("reactivate", "archive"),
}


def lifecycle_of(request: HttpRequest, found: Any) -> dict[str, Any]:
    """For `benchmarks/_lifecycle.html`: what the reader may do with a benchmark, and where it has been."""
    actor = request.actor  # type: ignore[attr-defined]  # ActorMiddleware sets it
    submitted_by = moves.submitter_of(found) if found.status == "under_review" else None
    changes = selectors.list_status_changes(actor=actor, benchmark_id=found.pk)[:SHOWN_MOVES]
    is_open = _may(moves.require_open, found)
    return {
        "moves": (*_decisions(actor, found, submitted_by), *_offered(actor, found)),
        "may_edit": is_open and _may(permissions.require_editor, actor, found),
        "may_write": is_open and _may(permissions.require_author, actor, found),
        "needs_proposal": _may(permissions.require_steward, actor, found) and moves.was_voted_on(found),
        "changes": s.BenchmarkStatusChangeSerializer(changes, many=True).data,
    }


def _decisions(actor: Any, found: Any, submitted_by: Any) -> tuple[str, ...]:
    """What the actor may decide as a reviewer; `submitted_by` matters while it is under review."""
    waits = found.status == "under_review"
    return _DECISIONS if waits and _may(permissions.require_reviewer, actor, found, submitted_by) else ()


def _offered(actor: Any, found: Any) -> tuple[str, ...]:
    """The other moves that the actor can make now."""
    offered = _OFFERED.get(found.status, ())
    if found.status == "draft":
        ready = found.current_version and found.visibility != "private"
        may = bool(ready) and _may(permissions.require_author, actor, found)
    elif found.status == "under_review":
        may = _may(permissions.require_author, actor, found)
    else:
        may = _may(permissions.require_steward, actor, found) and not moves.was_voted_on(found)
    return offered if may else ()


def _may(require: Callable[..., None], *about: Any) -> bool:
    try:
        require(*about)
    except DomainError:
        return False
    return True


@page
def move(request, benchmark_id, name):
    """Says what the move does and asks for the reason; a POST makes it."""
    if name not in MOVES:
        raise Http404
    if not request.actor.is_authenticated:
        return to_login(request)
    found = selectors.get_benchmark(actor=request.actor, benchmark_id=benchmark_id)
    if request.method != "POST":
        return _move_page(request, found, MOVES[name])
    try:
        form = parse(MOVES[name].form, {**form_data(request), "id": benchmark_id})
        MOVES[name].act(actor=request.actor, **form)
    except DomainError as refusal:
        return _move_page(request, found, MOVES[name], refusal)
    return redirect("review-queue") if name in _DECISIONS else redirect("benchmark", slug=found.slug)


def _move_page(request, found, move, refusal=None):
    reason = move.form().fields.get("reason")
    context = {
        "benchmark": s.BenchmarkSerializer(found).data,
        "version": _current(request, found),
        "move": move.name,
        "takes_reason": reason is not None,
        "needs_reason": reason is not None and reason.required,
        "reason": request.POST.get("reason", ""),
        "expected_status": request.POST.get("expected_status") or found.status,
        "longest": moves.LONGEST_REASON,
        "errors": refused_fields(refusal) if refusal else [],
    }
    answer = render(request, "benchmarks/move.html", context, status=refusal.http if refusal else 200)
    return told(answer, refusal) if refusal else answer


def _current(request, found):
    if found.current_version_id is None:
        return None
    version = selectors.get_version(actor=request.actor, version_id=found.current_version_id)
    return s.BenchmarkVersionSerializer(version).data


@page
@signed_in
def review_queue(request):
    """What waits for reviewers, the longest first."""
    waiting = selectors.list_review_queue(actor=request.actor)[:SHOWN_MOVES]
    context = {
        "waiting": [
            {
                "benchmark": s.BenchmarkSerializer(row).data,
                "since": row.waiting_since,
                "by": row.submitted_by_name,
                "moves": _decisions(request.actor, row, row.submitted_by),
            }
            for row in waiting
        ]
    }
    return render(request, "benchmarks/review.html", context)
