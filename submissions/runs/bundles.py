"""A run's evidence as files: the whole bundle and its public part, in the evidence store."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings

from exchange.storage import StoredObject, get_store
from llm_benchmark import __version__
from llm_benchmark.measure.bundle import (
    BundleManifest,
    KeptAnswers,
    Member,
    Part,
    formats,
    performance_members,
    public_part,
    quality_members,
    write_bundle,
)
from llm_benchmark.measure.plans import PerformanceOutcome, PerformancePlan, QualityPlan
from llm_benchmark.measure.verdict import Claim

from . import selectors
from .models import Attempt, Run

_JOURNAL = (
    *("fence", "purpose", "key", "number", "status", "http_status", "error"),
    *("input_tokens", "output_tokens", "cached_tokens", "reserved_at", "sent_at", "settled_at"),
)


@dataclass(frozen=True, slots=True)
class StoredBundle:
    whole: StoredObject
    public: StoredObject


def store_quality_bundle(run: Run, plan: QualityPlan, answers: KeptAnswers) -> StoredBundle:
    basis = run.judgement_basis
    with _folder(run) as folder:
        members = quality_members(
            plan=plan,
            answers=answers,
            claim=_claim(run),
            policy=formats.read_quality_policy(basis["policy"]) if basis else None,
            are_cases_public=run.version.cases_public,
            journal=_journal(run, folder),
            kinds=selectors.declared_kinds(run),
        )
        return _store(run, members, folder, tools={})


def store_performance_bundle(run: Run, plan: PerformancePlan, outcome: PerformanceOutcome) -> StoredBundle:
    basis = run.judgement_basis
    with _folder(run) as folder:
        members = performance_members(
            plan=plan,
            sessions=[outcome.session],
            files=outcome.files,
            digests=outcome.digests,
            claim=_claim(run),
            policy=formats.read_performance_policy(basis["policy"]) if basis else None,
            are_cases_public=run.version.cases_public,
            journal=_journal(run, folder),
        )
        own = {name: _restricted(member) for name, member in members.items() if name.startswith("gateway/")}
        return _store(run, members | own, folder, tools=outcome.tools)


@contextmanager
def run_folder(run: Run) -> Iterator[Path]:
    """Where a load is measured and answers are gathered. What dead workers left of the run goes first."""
    for left in _parent().glob(f"{run.pk}-*"):
        shutil.rmtree(left, ignore_errors=True)
    with _folder(run) as folder:
        yield folder


def _parent() -> Path:
    parent = Path(settings.STATE_DIR) / "runs"
    parent.mkdir(parents=True, exist_ok=True)
    return parent


@contextmanager
def _folder(run: Run) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"{run.pk}-{run.fence}-", dir=_parent()) as folder:
        yield Path(folder)


def _store(
    run: Run, members: Mapping[str, Member], folder: Path, *, tools: Mapping[str, str]
) -> StoredBundle:
    manifest = BundleManifest(
        kind=run.kind,
        configuration=run.snapshot.get("configuration") or {},
        snapshot={**run.snapshot, "seed": run.seed, "findings": run.findings, "flags": run.flags},
        code={"name": "llm-benchmark-exchange", "version": __version__},
        tools=tools,
    )
    whole, public = folder / "bundle.zip", folder / "public.zip"
    write_bundle(whole, manifest, members)
    public_part(whole, public)
    store = get_store()
    return StoredBundle(store.put_file(whole), store.put_file(public))


def _claim(run: Run) -> Claim | None:
    return formats.read_claim(run.judgement_basis["claim"]) if run.judgement_basis else None


def _restricted(member: Member) -> Member:
    """What passed the gateway: raw answers and the times of each request."""
    return replace(member, part=Part.RESTRICTED)


def _journal(run: Run, folder: Path) -> Path:
    """The attempts, as JSON lines."""
    rows = Attempt.objects.filter(run=run).order_by("id").values(*_JOURNAL)
    path = folder / "journal.jsonl"
    with path.open("wb") as file:
        file.writelines(formats.line(_spelled(row)) for row in rows.iterator())
    return path


def _spelled(row: Mapping[str, object]) -> dict[str, object]:
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in row.items()}
