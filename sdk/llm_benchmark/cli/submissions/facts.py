"""A claim in names and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from llm_benchmark.quantities import quantity

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.models import BenchmarkVersion, Configuration, Evidence, MetricClaim, Submission


def link_to(invocation: Invocation, submission_id: str) -> str:
    return f"{invocation.settings.api_url}/submissions/{submission_id}"


def model_of(submission: Submission) -> str:
    name = f"{submission.model_publisher}/{submission.model_name}"
    return " ".join(filter(None, [name, submission.model_version]))


def claims_in_words(submission: Submission, version: BenchmarkVersion) -> list[tuple[str, str]]:
    """Each metric's title, and its value in its unit."""
    metrics = {metric.name: metric for metric in version.metrics}
    found = [(claim, metrics.get(claim.name)) for claim in submission.claims]
    return [
        (metric.title if metric else claim.name, _value(claim, (metric.unit or "") if metric else ""))
        for claim, metric in found
    ]


def facts_of(
    submission: Submission,
    claims: Sequence[tuple[str, str]],
    files: Sequence[Evidence],
) -> list[tuple[str, Any]]:
    """What is shown of a claim, the most important first."""
    return [
        ("ID", submission.id),
        ("Benchmark", f"{submission.benchmark_slug} {submission.version}"),
        ("Model", model_of(submission)),
        ("Provider", _provider(submission)),
        ("Organization", submission.organization_name),
        ("Status", submission.status),
        ("Reason", submission.status_reason),
        ("Verdict", submission.verdict),
        ("Level", submission.level),
        ("Visibility", submission.visibility),
        *claims,
        ("Cases", submission.case_count or None),
        ("Configuration", _settings(submission.configuration)),
        ("Notes", submission.notes),
        ("Evidence", [file.name for file in files]),
        ("Submitted", submission.created_at),
    ]


def _value(claim: MetricClaim, unit: str) -> str:
    count = f" (n = {claim.sample_count:,})" if claim.sample_count else ""
    return f"{quantity(claim.value, unit)}{count}"


def _provider(submission: Submission) -> str | None:
    simulated = " (simulated)" if submission.is_simulated else ""
    return f"{submission.provider_name}{simulated}" if submission.provider_name else None


def _settings(configuration: Configuration) -> list[str]:
    stated = configuration.as_dict()
    return [f"{name} {value}" for name, value in stated.items() if value not in (None, "")]
