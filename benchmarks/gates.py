"""Whether a quality gate names what can be measured: a metric that decides on a published quality version."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from exchange.core import clock
from exchange.core.actors import Actor
from exchange.core.errors import FieldError

from . import selectors
from .errors import VersionNotFound
from .models import Benchmark, BenchmarkKind, BenchmarkVersion, VersionStatus, Visibility


def problems(
    gate: Mapping[str, Any] | None, *, actor: Actor, benchmark: Benchmark, path: str = ""
) -> list[FieldError]:
    """What is wrong with a gate that the actor writes into a policy of `benchmark`."""
    if gate is None:
        return []
    field = f"{path}quality_gate"
    try:
        version = selectors.get_version(actor=actor, version_id=UUID(gate["benchmark_version_id"]))
    except VersionNotFound as unknown:
        return [FieldError(f"{field}.benchmark_version_id", "unknown_version", str(unknown))]
    return list(_problems(version, gate["metric"], benchmark, field))


def _problems(
    version: BenchmarkVersion, metric: str, benchmark: Benchmark, field: str
) -> Iterator[FieldError]:
    path = f"{field}.benchmark_version_id"
    if version.benchmark.kind != BenchmarkKind.QUALITY:
        yield FieldError(path, "not_quality", _("A gate is a version of a quality benchmark."))
        return
    if version.status != VersionStatus.PUBLISHED:
        yield FieldError(path, "not_published", _("Claims are made on published versions only."))
    if _is_private(version.benchmark) and not _is_private(benchmark):
        text = _("Others cannot claim on a private benchmark, so it is no gate of one that they see.")
        yield FieldError(path, "not_public", text)
    if metric not in selectors.get_policy_in_force(version, clock.now()).deciding_metrics:
        text = _("This metric does not decide on that version.")
        yield FieldError(f"{field}.metric", "unknown_metric", text)


def _is_private(benchmark: Benchmark) -> bool:
    return benchmark.visibility == Visibility.PRIVATE
