"""A measurement at home: begun, or gone on with."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from llm_benchmark.measure.plans import Dialect, Target

from . import endpoints, settings
from .editions import Edition
from .folder import KeptRun, check_same, now, opened
from .measurement import Measurement
from .progress import Phase, Progress, Watch, unwatched


def measure(
    edition: Edition,
    target: Target,
    directory: Path,
    *,
    exchange: str = "",
    choices: Mapping[str, Any] | None = None,
    dialect: Dialect | None = None,
    limit: int | None = None,
    seed: int | None = None,
    watch: Watch = unwatched,
    cancel: threading.Event | None = None,
) -> KeptRun:
    """Measure with the platform's engine and keep the evidence; blocks, for minutes.

    In a folder where the same run was begun and broke off, only what is missing is asked; where it is
    complete, nothing is. Neither the endpoint's address nor its key gets into a bundle.

    Args:
        edition: from `edition`.
        target: from `target`; its dialect is found by probing unless `dialect` is given.
        directory: the run's own; made if missing.
        exchange: address of the exchange that published the version, for the record.
        choices: what the version leaves open, by the names of a claim's configuration.
        limit: ask only so many questions. Such a run is a look, and cannot be claimed.
        seed: of the questions' order and choice; drawn anew where it is None.
        watch: called in this thread.
        cancel: set it to break off.

    Raises:
        InvalidInput: a choice that the version fixes, or that means nothing here.
        OtherRun, RunInUse: the folder holds another run, or is in use.
        NotMeasured: the endpoint could not be measured; the same call goes on later.
        Cancelled: `cancel` was set.
    """
    settings.check_choices(edition, choices or {})
    settings.check_limit(edition, limit)
    with opened(directory) as folder:
        kept = folder.read()
        spoken = dialect or (Dialect(**kept.dialect) if kept else _probed(target, watch))
        run = _planned(edition, replace(target, dialect=spoken), exchange, choices or {})
        run = structs.replace(run, limit=_limit(edition, limit), seed=run.seed if seed is None else seed)
        if kept is None:
            folder.write(run)
        else:
            check_same(kept, run if seed is not None else structs.replace(run, seed=kept.seed))
            run = kept
        if run.finished_at is not None:
            return run
        served = replace(target, dialect=Dialect(**run.dialect))
        measurement = Measurement(folder, edition, served, run, watch, cancel or threading.Event())
        return measurement.measure()


def _probed(target: Target, watch: Watch) -> Dialect:
    watch(Progress(0, 0, Phase.PROBING))
    return endpoints.dialect_of(target)


def _limit(edition: Edition, limit: int | None) -> int | None:
    """As many as there are is no limit."""
    return None if limit is None or limit >= len(edition.cases) else limit


def _planned(edition: Edition, target: Target, exchange: str, choices: Mapping[str, Any]) -> KeptRun:
    version = edition.version
    return KeptRun(
        exchange=exchange,
        benchmark=edition.benchmark,
        benchmark_id=version.benchmark_id,
        kind=version.kind,
        version_id=version.id,
        version=version.version,
        content_hash=str(version.content_hash),
        model=target.model,
        endpoint=endpoints.digest_of(target),
        dialect=asdict(target.dialect),
        choices=dict(choices),
        configuration=settings.configuration(edition, choices, dialect=target.dialect.name),
        seed=secrets.randbits(31),
        started_at=now(),
    )
