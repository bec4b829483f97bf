"""Which files a run's bundle has, made from what the engine gives back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from llm_benchmark.measure.canonical import canonical_json, canonical_parts
from llm_benchmark.measure.metrics import (
    CaseScore,
    MetricKind,
    across_sessions,
    quality_metrics,
    score_answers,
)
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.plans import Answer, PerformancePlan, QualityPlan, Question, Session
from llm_benchmark.measure.tallies import scores_by_group
from llm_benchmark.measure.verdict import (
    Claim,
    PerformancePolicy,
    QualityPolicy,
    combine,
    judge_scores,
    judge_sessions,
)

from . import formats
from .archive import LARGEST_MEMBER, content_digest
from .shown import is_shown, shown_exports

_ORIGINALS = "aiperf/original/"


class Part(StrEnum):
    PUBLIC = "public"
    RESTRICTED = "restricted"


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a bundle: its bytes, or where they lie on disk."""

    content: Path | bytes
    part: Part = Part.PUBLIC


class TooLarge(ValueError):
    """The answers of a run are more than a bundle can have."""

    code = "answers_too_large"


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """What a run's questions brought, as `answers.jsonl`, and the score of every planned one."""

    content: Path | bytes
    cases: Sequence[CaseScore]


def keep_answers(path: Path, questions: Sequence[Question], answers: Iterable[Answer]) -> KeptAnswers:
    """Write and score answers as they come, one in memory at a time: together they may be larger.

    Raises:
        TooLarge: the file would be.
    """
    with path.open("wb") as file:
        return KeptAnswers(path, score_answers(questions, _written(file, answers)))


def _written(file: BinaryIO, answers: Iterable[Answer]) -> Iterator[Answer]:
    for answer in answers:
        file.writelines(canonical_parts(formats.answer(answer)))
        file.write(b"\n")
        if file.tell() > LARGEST_MEMBER:
            raise TooLarge("The answers are together larger than a bundle may be.")
        yield answer


def quality_members(
    *,
    plan: QualityPlan,
    answers: KeptAnswers,
    planned: int | None = None,
    claim: Claim | None = None,
    policy: QualityPolicy | None = None,
    kinds: Mapping[str, MetricKind] | None = None,
    are_cases_public: bool = False,
    journal: Path | bytes | None = None,
) -> dict[str, Member]:
    """The members of a quality run's bundle; verdict.json only with a claim and a policy.

    Args:
        planned: cases of the benchmark version, when the plan is a sample of them.
        kinds: what the benchmark version declares of the metrics, see `quality_metrics`.
        are_cases_public: prompts, references and raw answers are for everyone.
        journal: the attempts, as JSON lines.
    """
    total = len(plan.questions) if planned is None else planned
    cases = answers.cases
    groups = scores_by_group({question.key: question.group for question in plan.questions}, cases)
    values = quality_metrics(cases, kinds=kinds)
    hidden = Part.PUBLIC if are_cases_public else Part.RESTRICTED
    members = {
        "plan.json": Member(canonical_json(formats.quality_plan(plan, total, kinds or {}))),
        "scores.json": Member(canonical_json(formats.scores(cases, values, groups))),
        "cases.jsonl": Member(formats.lines(asdict(question) for question in plan.questions), hidden),
        "answers.jsonl": Member(answers.content, hidden),
    }
    if claim and policy:
        judged = quality_verdict(policy, claim, cases, planned=total, kinds=kinds or {})
        members |= _verdict_members(claim, policy, judged)
    return members | _journal(journal)


def quality_verdict(
    policy: QualityPolicy,
    claim: Claim,
    cases: Sequence[CaseScore],
    *,
    planned: int,
    kinds: Mapping[str, MetricKind],
) -> dict[str, object]:
    kind = kinds.get("accuracy", MetricKind.PROPORTION)
    judgement = judge_scores(policy, claim, cases, planned=planned, kind=kind)
    return formats.verdict(combine([judgement]), [judgement])


def performance_members(
    *,
    plan: PerformancePlan,
    sessions: Sequence[Session],
    files: Mapping[str, Path | bytes],
    digests: Mapping[str, str] | None = None,
    claim: Claim | None = None,
    policy: PerformancePolicy | None = None,
    are_cases_public: bool = False,
    journal: Path | bytes | None = None,
) -> dict[str, Member]:
    """The members of a performance run's bundle; verdict.json only with a claim and a policy.

    AIPerf's summary and records are public without our addresses and a provider's words; where that changes
    them, the files as written are restricted, in `aiperf/original/`.

    Args:
        files: AIPerf's exports by name (`aiperf/` is put before a bare name).
        are_cases_public: prompts, raw answers and logs are for everyone. Journals never are.
        digests: SHA-256 of the files before they were parsed, by the same names.

    Raises:
        ValueError: a file is no longer what was parsed.
    """
    _check_digests(files, digests or {})
    metrics = across_sessions([session_metrics(session) for session in sessions])
    members = {
        "plan.json": Member(canonical_json(formats.performance_plan(plan))),
        "records.json": Member(canonical_json({"sessions": [formats.session(s) for s in sessions]})),
        "scores.json": Member(canonical_json(formats.scores((), metrics))),
    }
    members |= _file_members(files, are_cases_public=are_cases_public)
    if claim and policy:
        members |= _verdict_members(claim, policy, performance_verdict(policy, claim, sessions))
    return members | _journal(journal)


def performance_verdict(
    policy: PerformancePolicy, claim: Claim, sessions: Sequence[Session]
) -> dict[str, object]:
    judgements = judge_sessions(policy, claim.metrics, sessions)
    return formats.verdict(combine(judgements), judgements)


def _verdict_members(
    claim: Claim, policy: QualityPolicy | PerformancePolicy, judged: Mapping[str, object]
) -> dict[str, Member]:
    return {
        "claim.json": Member(canonical_json(asdict(claim))),
        "policy.json": Member(canonical_json(formats.policy(policy))),
        "verdict.json": Member(canonical_json(judged)),
    }


def _journal(content: Path | bytes | None) -> dict[str, Member]:
    return {} if content is None else {"journal.jsonl": Member(content, Part.RESTRICTED)}


def _file_name(name: str) -> str:
    return name if "/" in name or name.startswith("journal") else f"aiperf/{name}"


def _file_members(files: Mapping[str, Path | bytes], *, are_cases_public: bool) -> dict[str, Member]:
    named = {_file_name(name): content for name, content in files.items()}
    copies = shown_exports(named)
    members = {
        name: Member(content, _file_part(name, are_cases_public=are_cases_public))
        for name, content in named.items()
        if name not in copies
    }
    members |= {name: Member(copy) for name, copy in copies.items()}
    originals = {_ORIGINALS + name.removeprefix("aiperf/"): named[name] for name in copies}
    return members | {name: Member(content, Part.RESTRICTED) for name, content in originals.items()}


def _file_part(name: str, *, are_cases_public: bool) -> Part:
    if name.rpartition("/")[2].startswith("journal"):
        return Part.RESTRICTED
    return Part.PUBLIC if are_cases_public or is_shown(name) else Part.RESTRICTED


def _check_digests(files: Mapping[str, Path | bytes], digests: Mapping[str, str]) -> None:
    changed = [
        name for name, known in digests.items() if name in files and content_digest(files[name])[0] != known
    ]
    if changed:
        raise ValueError(f"changed since it was parsed: {', '.join(changed)}")
