"""From a kept run to a submission: the claims are what the evidence gives, computed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llm_benchmark.measure.bundle import check
from llm_benchmark.models import BenchmarkVersion

from .errors import NotTheFullSet, OtherRun, RunAltered
from .evidence import Evidence, evidence_of
from .folder import BUNDLE, PUBLIC_BUNDLE, KeptRun


@dataclass(frozen=True)
class RunClaim:
    """What a submission takes from a run; the submitter adds organization, and model or deployment.

    Args:
        body: `benchmark_id`, `version`, `claims`, `cases` and `configuration`, as the API takes them.
        evidence: the file to send along.
    """

    run: KeptRun
    body: Mapping[str, Any]
    evidence: Path


def claims_of(directory: Path, *, version: BenchmarkVersion | None = None) -> RunClaim:
    """The claim that a kept run bears out.

    Args:
        version: what is going to be claimed about; None: whatever was measured.

    Raises:
        RunUnfinished: there is no complete run.
        NotTheFullSet: only a part of the questions was asked.
        RunAltered: the bundle, or the file to send, is no longer what was written.
        OtherRun: another version was measured.
    """
    found = evidence_of(directory)
    if version is not None:
        _check_version(found.run, version)
    if found.report.manifest["snapshot"].get("is_full_set") is False:
        raise NotTheFullSet(found.run.limit)
    body = {
        "benchmark_id": found.run.benchmark_id,
        "version": found.run.version,
        "claims": _claims(found),
        "cases": _cases(found),
        "configuration": found.report.manifest["configuration"],
    }
    return RunClaim(found.run, body, _file_to_send(directory, found))


def _file_to_send(directory: Path, found: Evidence) -> Path:
    """A folder of somebody else may name any file of this machine; only a part of the bundle leaves it."""
    path = directory / found.run.evidence
    is_ours = found.run.evidence in {BUNDLE, PUBLIC_BUNDLE} and not path.is_symlink()
    if not is_ours or check(path).manifest != found.report.manifest:
        raise RunAltered(f"{path} is no part of what was measured, and is not sent. Measure again.")
    return path


def _check_version(run: KeptRun, version: BenchmarkVersion) -> None:
    for name in ("benchmark_id", "version", "content_hash"):
        measured, wanted = getattr(run, name), getattr(version, name)
        if measured != wanted:
            raise OtherRun(name, measured, wanted)


def _claims(found: Evidence) -> list[dict[str, Any]]:
    """A percentile of too few requests is measured and not claimed."""
    metrics = {metric.name: found.metrics[metric.name] for metric in found.run.metrics}
    return [
        {"name": name, "value": metric["value"], "sample_count": metric["sample_count"]}
        for name, metric in metrics.items()
        if metric["value"] is not None and metric["is_stated"] and metric["sample_count"]
    ]


def _cases(found: Evidence) -> list[dict[str, Any]]:
    return [
        {"key": case.key, "score": case.score, "answer_digest": case.answer_sha256} for case in found.cases
    ]
