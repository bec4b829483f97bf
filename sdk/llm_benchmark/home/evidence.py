"""What a kept bundle shows, read only while it is the file that was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llm_benchmark.measure.bundle import BundleProblem, Report, check, formats, sessions_in
from llm_benchmark.measure.metrics import CaseScore
from llm_benchmark.measure.verdict import Session

from .errors import RunAltered
from .folder import BUNDLE, KeptRun, finished

INTACT = "Intact: nothing was changed, and the scores follow from the evidence."
INTACT_PUBLIC = (
    "Intact, as far as this public part goes: answers are left out of it, so they were not scored again."
)


@dataclass(frozen=True)
class Evidence:
    """A complete run, and what its bundle came to when it was computed again."""

    run: KeptRun
    bundle: Path
    report: Report

    @property
    def metrics(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = (self.report.scores or {})["metrics"]
        return found

    @property
    def cases(self) -> list[CaseScore]:
        return [formats.read_case_score(case) for case in (self.report.scores or {})["cases"]]

    @property
    def sessions(self) -> list[Session]:
        return sessions_in(self.bundle)


def evidence_of(directory: Path) -> Evidence:
    """A run's evidence, checked byte by byte and scored again.

    Raises:
        RunUnfinished: there is no complete run.
        RunAltered: the bundle is no longer what was written.
    """
    run = finished(directory)
    bundle = directory / BUNDLE
    report = check(bundle, sha256=run.bundle_sha256)
    if not report.ok:
        raise RunAltered(
            f"{bundle} is no longer what was measured: {said(report.problems[0])} Measure again."
        )
    return Evidence(run, bundle, report)


def said(problem: BundleProblem) -> str:
    return f"{problem.member}: {problem.message}" if problem.member else problem.message


def summary_of(report: Report) -> str:
    """What a check came to, in a sentence or two."""
    if report.ok:
        return INTACT_PUBLIC if report.is_public_part else INTACT
    count = len(report.problems)
    found = "One thing does not add up." if count == 1 else f"{count} things do not add up."
    return f"Not intact: {found} Do not rely on it; ask whoever gave it to you for the published file."
