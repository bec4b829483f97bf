"""Rows of one board, pair by pair: by how much they differ, and whether that may be chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from benchmarks import selectors as benchmarks
from benchmarks.models import Benchmark, BenchmarkKind, BenchmarkVersion, Metric
from exchange.core.actors import Actor
from exchange.core.errors import FieldError, InvalidInput
from llm_benchmark.measure.metrics import CaseScore, MetricKind
from submissions.models import Verification
from submissions.runs.models import Run

from . import differences, selectors, sessions, wording
from .cases import stored_cases
from .differences import Difference, Reading
from .errors import NotComparable
from .models import Entry
from .selectors import Board, Row

FEWEST, MOST = 2, 10
CASES_LISTED = 200
ASKED_ALIKE = (
    "temperature",
    "top_p",
    "max_tokens",
    "system_prompt",
    "tools",
    "reasoning_effort",
    "concurrency",
    "streaming",
)
"""How the subject is asked or loaded, where the submitter chose: another choice is another measurement."""

OF_THE_SUBJECT = ("precision", "chat_template", "dialect")
"""What belongs to the subject as it is served. It may differ, and is said."""

_BAD_FLAGS = ("not_comparable", "saturated")
_SHOWN_LENGTH = 60
_HIDDEN = "–"


@dataclass(frozen=True, slots=True)
class Pair:
    """The upper row of the board first."""

    first: Row
    second: Row
    metric: Metric
    difference: Difference
    summary: str

    @property
    def better(self) -> Row | None:
        """The row that is surely better; None while they cannot be told apart."""
        sign = self.difference.sign if selectors.is_higher_better(self.metric) else -self.difference.sign
        return {1: self.first, -1: self.second}.get(sign)


@dataclass(frozen=True, slots=True)
class ComparedCase:
    """A question on which the rows differ; scores in the order of the rows."""

    key: str
    scores: Sequence[float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows in board order. `differing_cases` is None where cases are not public or not all stored."""

    board: Board
    rows: Sequence[Row]
    names: Sequence[str]
    pairs: Sequence[Pair]
    other_pairs: Sequence[Pair]
    subject_differences: Mapping[str, Sequence[str]]
    differing_cases: Sequence[ComparedCase] | None
    summary: str


@dataclass(frozen=True, slots=True)
class _Evidence:
    runs: Sequence[Run]
    means: Mapping[str, Sequence[CaseScore]]


def compare_models(
    *,
    actor: Actor,
    benchmark_id: UUID,
    version: str = "",
    entry_ids: Sequence[UUID] = (),
    submission_ids: Sequence[UUID] = (),
    model_ids: Sequence[UUID] = (),
) -> Comparison:
    """Compare 2 to 10 measured rows of one version.

    They are named by themselves and by the submissions they stand for, or by models, for their best rows.

    Raises:
        EntryNotFound: a row is not there, or is not for the actor.
        NotComparable: they were not measured alike; `errors` names each field that differs.
    """
    benchmark = benchmarks.get_benchmark(actor=actor, benchmark_id=benchmark_id)
    if model_ids:
        _refuse_rows_beside_models(entry_ids, submission_ids)
        entries = selectors.list_best_entries(
            actor=actor, benchmark_id=benchmark_id, version=version, model_ids=model_ids
        )
    else:
        entries = selectors.list_named_entries(
            actor=actor, entry_ids=entry_ids, submission_ids=submission_ids
        )
    _check_number(entries, "models" if model_ids else "entry_ids")
    evidence = _evidence_of(entries)
    names = wording.names_of(entries)
    _refuse([*_other_versions(entries, benchmark, version, names), *_unlike(entries, names)])
    _refuse(list(_flagged(entries, evidence, names)))
    edition = entries[0].version
    board = selectors.board_of(edition)
    chosen = {entry.pk for entry in entries}
    rows = [row for row in board.whole if row.key in chosen]
    pairs = partial(_pairs, rows, evidence, names, is_speed=_is_speed(edition))
    primary = pairs(board.metric)
    others = [m for m in benchmarks.list_metrics(edition) if m.pk != board.metric.pk]
    return Comparison(
        board=board,
        rows=rows,
        names=[names[row.key] for row in rows],
        pairs=primary,
        other_pairs=[
            pair for metric in others for pair in pairs(metric) if pair.difference.difference is not None
        ],
        subject_differences=_subject_differences(rows),
        differing_cases=_differing(edition, rows, evidence),
        summary=wording.summary(
            [pair.summary for pair in primary], sum(pair.better is not None for pair in primary)
        ),
    )


def _refuse_rows_beside_models(entry_ids: Sequence[UUID], submission_ids: Sequence[UUID]) -> None:
    if entry_ids or submission_ids:
        message = _("Name models, or rows by their entries and submissions, but not both.")
        raise InvalidInput.of("models", "beside_rows", message)


def _check_number(entries: Sequence[Entry], field: str) -> None:
    if not FEWEST <= len(entries) <= MOST:
        message = _("Name %(fewest)d to %(most)d different rows of a board, or as many models.")
        raise InvalidInput.of(field, "wrong_number", message % {"fewest": FEWEST, "most": MOST})


def _refuse(errors: Sequence[FieldError]) -> None:
    if errors:
        raise NotComparable(errors=errors)


def _other_versions(
    entries: Sequence[Entry], benchmark: Benchmark, version: str, names: Mapping[UUID, str]
) -> Iterator[FieldError]:
    number = version or entries[0].version.version
    for entry in entries:
        found = entry.version
        if found.benchmark_id != benchmark.pk:
            message = _("%(row)s is a row of %(found)s, not of %(wanted)s.")
            values = {"row": names[entry.pk], "found": found.benchmark.name, "wanted": benchmark.name}
            yield FieldError("benchmark_id", "differs", message % values)
        elif found.version != number:
            message = _("%(row)s was measured on version %(found)s, not on %(wanted)s.")
            values = {"row": names[entry.pk], "found": found.version, "wanted": number}
            yield FieldError("version", "differs", message % values)


def _unlike(entries: Sequence[Entry], names: Mapping[UUID, str]) -> Iterator[FieldError]:
    """Against the first of them."""
    first, *others = entries
    for other in others:
        for name in ASKED_ALIKE:
            ours, theirs = (row.submission.configuration.get(name) for row in (first, other))
            if ours != theirs:
                message = _("%(name)s: %(ours)s for %(first)s, %(theirs)s for %(other)s.")
                values = {
                    "name": name,
                    "ours": _spelled(ours),
                    "theirs": _spelled(theirs),
                    "first": names[first.pk],
                    "other": names[other.pk],
                }
                yield FieldError(f"configuration.{name}", "differs", message % values)


def _flagged(
    entries: Sequence[Entry], evidence: Mapping[UUID, _Evidence], names: Mapping[UUID, str]
) -> Iterator[FieldError]:
    messages = {
        "not_comparable": _("%(row)s answered at another length than was asked for."),
        "saturated": _("The measuring side was saturated when %(row)s was measured."),
    }
    for entry in entries:
        flags = {flag for run in evidence[entry.pk].runs for flag in run.flags}
        for flag in _BAD_FLAGS:
            if flag in flags:
                yield FieldError("flags", flag, messages[flag] % {"row": names[entry.pk]})


def _spelled(value: Any) -> str:
    if value is None or value == "":
        return _("not set")
    text = str(value)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def _subject_differences(rows: Sequence[Row]) -> dict[str, Sequence[str]]:
    """What differs and may: name -> the value of each row."""
    found: dict[str, Sequence[str]] = {}
    for name in OF_THE_SUBJECT:
        values = [row.submission.configuration.get(name) for row in rows]
        if any(value != values[0] for value in values):
            found[name] = [_spelled(value) for value in values]
    return found


def _is_speed(version: BenchmarkVersion) -> bool:
    return version.benchmark.kind == BenchmarkKind.PERFORMANCE


def _evidence_of(entries: Sequence[Entry]) -> dict[UUID, _Evidence]:
    rows = Verification.objects.filter(pk__in=[entry.verification_id for entry in entries])
    found = {
        row.pk: list(row.runs.all())
        for row in rows.prefetch_related("runs__scores", "runs__version__metrics")
    }
    stored = stored_cases(
        [run for runs in found.values() for run in runs if run.kind == BenchmarkKind.QUALITY]
    )
    return {entry.pk: _evidence(found[entry.verification_id], stored) for entry in entries}


def _evidence(runs: Sequence[Run], stored: Mapping[UUID, list[CaseScore]]) -> _Evidence:
    asked = [stored[run.pk] for run in runs if run.pk in stored]
    return _Evidence(runs, sessions.case_means(asked) if asked and len(asked) == len(runs) else {})


def _pairs(
    rows: Sequence[Row],
    evidence: Mapping[UUID, _Evidence],
    names: Mapping[UUID, str],
    metric: Metric,
    *,
    is_speed: bool,
) -> list[Pair]:
    readings = {row.key: _reading(row, metric, evidence[row.key]) for row in rows}
    both = list(combinations(rows, 2))
    found = differences.adjusted(
        [differences.between(readings[a.key], readings[b.key], is_speed=is_speed) for a, b in both]
    )
    say = partial(wording.sentence, metric=metric, higher_is_better=selectors.is_higher_better(metric))
    return [
        Pair(a, b, metric, difference, say(names[a.key], names[b.key], difference))
        for (a, b), difference in zip(both, found, strict=True)
    ]


def _reading(row: Row, metric: Metric, evidence: _Evidence) -> Reading:
    stored: Mapping[str, Any] = next(
        (known for known in (row.entry.metrics if row.entry else ()) if known["name"] == metric.name), {}
    )
    means = evidence.means.get(metric.name)
    values = [sessions.session_values(run).get(metric.name) for run in evidence.runs]
    return Reading(
        value=stored.get("value"),
        low=stored.get("low"),
        high=stored.get("high"),
        count=stored.get("sample_count"),
        kind=MetricKind(metric.kind),
        sessions=[found.value for found in values if found and found.value is not None],
        cases=None if means is None else {case.key: case.score for case in means},
        weights=None if means is None else {case.key: case.weight for case in means},
    )


def _differing(
    version: BenchmarkVersion, rows: Sequence[Row], evidence: Mapping[UUID, _Evidence]
) -> list[ComparedCase] | None:
    means = [evidence[row.key].means.get("accuracy") for row in rows]
    if not version.cases_public or any(mean is None for mean in means):
        return None
    asked = zip(*[mean for mean in means if mean is not None], strict=True)
    cases = [ComparedCase(case[0].key, [one.score for one in case]) for case in asked]
    return [case for case in cases if len(set(case.scores)) > 1]
