"""Check a bundle: every byte, every digest, and everything that can be computed again."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from llm_benchmark.measure.canonical import canonical_json, digest
from llm_benchmark.measure.metrics import (
    CaseScore,
    across_sessions,
    quality_metrics,
    score_answers,
)
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.plans import Answer
from llm_benchmark.measure.tallies import scores_by_group

from . import formats
from .archive import (
    MANIFEST,
    Entry,
    Malformed,
    file_digest,
    is_safe_name,
    member_lines,
    read_archive,
    read_member,
)
from .members import Part, performance_verdict, quality_verdict

SCHEMA = "llm-benchmark-bundle-v1"
TOLERANCE = 1e-9
MOST_DIFFERENCES = 20

_REQUIRED = {
    "quality": {"plan.json", "scores.json", "snapshot.json", "cases.jsonl", "answers.jsonl"},
    "performance": {"plan.json", "scores.json", "snapshot.json", "records.json"},
}
_VERDICT = {"claim.json", "policy.json", "verdict.json"}
_FOREIGN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class BundleProblem:
    """What is wrong with a member; `member` is empty when the whole archive is meant."""

    member: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    Args:
        scores, verdict: as computed again from the evidence (JSON); None where they could not be.
        is_public_part: the restricted members are left out, so answers were not scored again.
    """

    ok: bool
    problems: tuple[BundleProblem, ...]
    sha256: str | None = None
    kind: str | None = None
    is_public_part: bool = False
    manifest: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Any] | None = None
    verdict: Mapping[str, Any] | None = None


def check(path: Path, *, sha256: str | None = None) -> Report:
    """Re-hash every member, score and judge again, and compare with what the bundle says (to 1e-9).

    Args:
        sha256: the digest that was published for this file. Without it a bundle can only be shown to be
            consistent with itself.
    """
    try:
        entries = read_archive(path)
        found = file_digest(path)
        manifest = _manifest(path, entries)
    except Malformed as malformed:
        problem = BundleProblem(malformed.member, malformed.code, malformed.message)
        return Report(ok=False, problems=(problem,))
    checker = _Checker(path, entries, manifest)
    checker.run()
    if sha256 is not None and sha256 != found:
        checker.complain("", "digest", "This is not the file whose digest was published.")
    return Report(
        ok=not checker.problems,
        problems=tuple(checker.problems),
        sha256=found,
        kind=manifest["kind"],
        is_public_part=bool(checker.absent),
        manifest=manifest,
        scores=checker.scores,
        verdict=checker.verdict,
    )


def _manifest(path: Path, entries: Mapping[str, Entry]) -> dict[str, Any]:
    if MANIFEST not in entries:
        raise Malformed(MANIFEST, "missing", "There is no manifest.")
    try:
        manifest = formats.parse(read_member(path, entries[MANIFEST]))
        well_formed = manifest["schema"] == SCHEMA and manifest["kind"] in _REQUIRED
        well_formed = well_formed and all(_is_listing(*item) for item in manifest["members"].items())
        well_formed = well_formed and all(
            name in manifest for name in ("configuration", "fingerprint", "snapshot")
        )
    except _FOREIGN as error:
        raise Malformed(MANIFEST, "malformed", f"The manifest cannot be read: {error}.") from error
    if not well_formed:
        raise Malformed(MANIFEST, "malformed", f"The manifest is not one of {SCHEMA}.")
    return dict(manifest)


def _is_listing(name: str, listing: Mapping[str, Any]) -> bool:
    sized = isinstance(listing["size"], int) and isinstance(listing["sha256"], str)
    known = listing.keys() == {"part", "sha256", "size"} and listing["part"] in set(Part)
    return is_safe_name(name) and sized and known


class _Checker:
    """One check in progress: what was found wrong, and what was computed."""

    def __init__(self, path: Path, entries: Mapping[str, Entry], manifest: Mapping[str, Any]) -> None:
        self.path, self.entries, self.manifest = path, entries, manifest
        self.listed: Mapping[str, Any] = manifest["members"]
        self.absent = [name for name in self.listed if name not in entries and self._is_restricted(name)]
        self.problems: list[BundleProblem] = []
        self.scores: dict[str, Any] | None = None
        self.verdict: dict[str, Any] | None = None

    def run(self) -> None:
        self.check_members()
        self.check_manifest()
        if self.problems:
            return
        step = self.check_quality if self.manifest["kind"] == "quality" else self.check_performance
        try:
            step()
        except _FOREIGN as error:
            self.complain("", "malformed", f"The evidence cannot be computed again: {error!r:.200}.")

    def complain(self, member: str, code: str, message: str) -> None:
        self.problems.append(BundleProblem(member, code, message))

    def _is_restricted(self, name: str) -> bool:
        return bool(self.listed[name]["part"] == Part.RESTRICTED)

    def check_members(self) -> None:
        for name in self.entries.keys() - self.listed.keys() - {MANIFEST}:
            self.complain(name, "unlisted", "The manifest does not name this member.")
        for name, listing in self.listed.items():
            entry = self.entries.get(name)
            if entry and (entry.sha256, entry.size) != (listing["sha256"], listing["size"]):
                self.complain(name, "digest", "The member is not the one the manifest names.")
            if entry is None and name not in self.absent:
                self.complain(name, "missing", "The member is missing.")
        restricted = [name for name in self.listed if self._is_restricted(name)]
        if self.absent and len(self.absent) < len(restricted):
            self.complain("", "partly_restricted", "Some restricted members are here and some are not.")

    def check_manifest(self) -> None:
        for name in _REQUIRED[self.manifest["kind"]] - self.listed.keys():
            self.complain(name, "missing", "Every bundle of this kind has this member.")
        if _VERDICT & self.listed.keys() not in (set(), _VERDICT):
            self.complain("", "verdict_incomplete", "Claim, policy and verdict come together.")
        if digest(self.manifest["configuration"]) != self.manifest["fingerprint"]:
            self.complain(MANIFEST, "fingerprint", "The fingerprint is not that of the configuration.")
        entry = self.entries.get("snapshot.json")
        if entry and read_member(self.path, entry) != canonical_json(self.manifest["snapshot"]):
            self.complain("snapshot.json", "snapshot", "The snapshot differs from the manifest's.")

    def read(self, name: str) -> Any:
        try:
            return formats.parse(read_member(self.path, self.entries[name]))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error

    def read_lines(self, name: str) -> Iterator[Any]:
        return map(formats.parse_line, member_lines(self.path, self.entries[name]))

    def check_quality(self) -> None:
        stored, plan = self.read("scores.json"), self.read("plan.json")
        cases = [formats.read_case_score(case) for case in stored["cases"]]
        planned_keys = [question["key"] for question in plan["questions"]]
        if [case.key for case in cases] != planned_keys or len(set(planned_keys)) < len(planned_keys):
            self.complain("scores.json", "cases", "The scored cases are not the planned ones.")
            return
        if "answers.jsonl" in self.entries:
            cases = self.score_again(plan)
        kinds = formats.read_metric_kinds(plan)
        groups = scores_by_group(formats.read_groups(plan), cases)
        self.scores = formats.scores(cases, quality_metrics(cases, kinds=kinds), groups)
        self.compare("scores.json", stored, self.scores)
        if "verdict.json" in self.entries:
            policy = formats.read_quality_policy(self.read("policy.json"))
            claim = formats.read_claim(self.read("claim.json"))
            self.verdict = quality_verdict(policy, claim, cases, planned=plan["planned"], kinds=kinds)
            self.compare("verdict.json", self.read("verdict.json"), self.verdict)

    def score_again(self, plan: Mapping[str, Any]) -> list[CaseScore]:
        questions = [formats.read_question(line) for line in self.read_lines("cases.jsonl")]
        shown = [
            {name: asdict(q)[name] for name in listed}
            for q, listed in zip(questions, plan["questions"], strict=True)
        ]
        self.compare("plan.json", plan["questions"], shown)
        counts: Counter[str] = Counter()
        cases = score_answers(questions, self.read_answers(counts))
        if counts.total() > len(counts):
            self.complain("answers.jsonl", "duplicate", "A case is answered twice.")
        if counts.keys() - {question.key for question in questions}:
            self.complain("answers.jsonl", "unplanned", "An answer belongs to no planned case.")
        return cases

    def read_answers(self, counts: Counter[str]) -> Iterator[Answer]:
        """One in memory at a time: together they may be larger."""
        for fields in self.read_lines("answers.jsonl"):
            answer = formats.read_answer(fields)
            counts[answer.key] += 1
            yield answer

    def check_performance(self) -> None:
        sessions = [formats.read_session(fields) for fields in self.read("records.json")["sessions"]]
        metrics = [session_metrics(session) for session in sessions]
        self.scores = formats.scores((), across_sessions(metrics))
        self.compare("scores.json", self.read("scores.json"), self.scores)
        if "verdict.json" in self.entries:
            policy = formats.read_performance_policy(self.read("policy.json"))
            claim = formats.read_claim(self.read("claim.json"))
            self.verdict = performance_verdict(policy, claim, sessions)
            self.compare("verdict.json", self.read("verdict.json"), self.verdict)

    def compare(self, member: str, stored: Any, computed: Any) -> None:
        for number, place in enumerate(differences(stored, computed)):
            if number == MOST_DIFFERENCES:
                break
            self.complain(member, "differs", f"{place or 'The whole'} is not what the evidence gives.")


def differences(stored: Any, computed: Any, place: str = "") -> Iterator[str]:
    """Where two JSON values differ; numbers may by 1e-9, relative or absolute."""
    if isinstance(stored, Mapping) and isinstance(computed, Mapping):
        for name in sorted(stored.keys() | computed.keys()):
            if name in stored and name in computed:
                yield from differences(stored[name], computed[name], f"{place}.{name}".lstrip("."))
            else:
                yield f"{place}.{name}".lstrip(".")
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        for index, pair in enumerate(zip(stored, computed, strict=True)):
            yield from differences(*pair, f"{place}[{index}]")
    elif _is_number(stored) and _is_number(computed):
        if not math.isclose(stored, computed, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield place
    elif type(stored) is not type(computed) or stored != computed:
        yield place


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
