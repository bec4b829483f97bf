"""How claims on a version are judged: defaults, what is wrong with a rule, and its digest. Pure functions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from exchange.core.errors import FieldError
from llm_benchmark.measure.canonical import digest as digest_of
from llm_benchmark.measure.verdict import default_rule, has_ratio

from .models import BenchmarkKind

RULE_FIELDS = ("delta", "alpha", "gamma", "tolerances", "deciding_metrics", "sessions", "quality_gate")
QUALITY_METRICS = frozenset({"accuracy", "answered_accuracy", "completion_rate"})
_DECIDE_SPEED = ("ttft_p50", "request_latency_p50")
_MOST_SESSIONS = 20
_LARGEST_SHARE = 0.5
_LARGEST_TOLERANCE = 10.0


def completed(given: Mapping[str, Any], *, kind: str, metrics: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A whole rule: what the author left out gets the default of the benchmark's kind.

    Quality and external: the primary metric decides. Performance: TTFT p50 and request latency p50 decide,
    with 10 % for throughput, 15 % for p50, 20 % for p95 and 25 % for p99.
    """
    rule: dict[str, Any] = {"delta": 0.02, "alpha": 0.05, "gamma": 0.01, "sessions": 1}
    rule |= {name: value for name, value in given.items() if value is not None}
    rule["deciding_metrics"] = list(given.get("deciding_metrics") or _deciding(kind, metrics))
    rule["tolerances"] = {**_tolerances(kind, metrics), **(given.get("tolerances") or {})}
    rule["quality_gate"] = _settled(given.get("quality_gate"))
    return rule


def _settled(gate: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """As it is stored and hashed."""
    return {**gate, "benchmark_version_id": str(gate["benchmark_version_id"])} if gate else None


def _deciding(kind: str, metrics: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [metric["name"] for metric in metrics]
    speeds = [name for name in _DECIDE_SPEED if name in names]
    if kind == BenchmarkKind.PERFORMANCE and speeds:
        return speeds
    return [metric["name"] for metric in metrics if metric["is_primary"]]


def _tolerances(kind: str, metrics: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    if kind != BenchmarkKind.PERFORMANCE:
        return {}
    names = [metric["name"] for metric in metrics]
    return {name: default_rule(name).tolerance for name in names if has_ratio(name)}


def problems(
    rule: Mapping[str, Any], *, kind: str, metrics: Sequence[Mapping[str, Any]], path: str = "policy"
) -> list[FieldError]:
    return list(_problems(rule, kind, {metric["name"] for metric in metrics}, f"{path}." if path else ""))


def _problems(rule: Mapping[str, Any], kind: str, names: set[str], path: str) -> Iterator[FieldError]:
    for name in ("delta", "alpha", "gamma"):
        if not 0 < rule[name] < _LARGEST_SHARE:
            yield FieldError(path + name, "out_of_range", _("This is a number above 0 and below 0.5."))
    if not 1 <= rule["sessions"] <= _MOST_SESSIONS:
        text = _("This is a whole number from 1 to %d.") % _MOST_SESSIONS
        yield FieldError(f"{path}sessions", "out_of_range", text)
    for metric, tolerance in rule["tolerances"].items():
        if metric not in names or (kind == BenchmarkKind.PERFORMANCE and not has_ratio(metric)):
            yield _unknown(f"{path}tolerances.{metric}")
        if not 0 < tolerance <= _LARGEST_TOLERANCE:
            text = _("A tolerance is a number above 0 (0.15 is 15 %).")
            yield FieldError(f"{path}tolerances.{metric}", "out_of_range", text)
    yield from _deciding_problems(rule["deciding_metrics"], kind, names, f"{path}deciding_metrics")
    if rule["quality_gate"]:
        yield from _gate_problems(rule["quality_gate"], kind, f"{path}quality_gate")


def _gate_problems(gate: Mapping[str, Any], kind: str, path: str) -> Iterator[FieldError]:
    if kind != BenchmarkKind.PERFORMANCE:
        yield FieldError(path, "not_for_this_kind", _("This belongs to performance benchmarks alone."))
    if not 0 <= gate["minimum"] <= 1:
        yield FieldError(f"{path}.minimum", "out_of_range", _("This is a share from 0 to 1."))


def _deciding_problems(
    deciding: Sequence[str], kind: str, names: set[str], path: str
) -> Iterator[FieldError]:
    for index, name in enumerate(deciding):
        if name not in names:
            yield _unknown(f"{path}[{index}]")
        elif not _is_judged(name, kind):
            text = _("The platform does not measure this metric, so it cannot decide.")
            yield FieldError(f"{path}[{index}]", "not_measured", text)
        if name in deciding[:index]:
            yield FieldError(f"{path}[{index}]", "duplicate", _("This metric is named twice."))


def _is_judged(name: str, kind: str) -> bool:
    if kind == BenchmarkKind.QUALITY:
        return name in QUALITY_METRICS
    return kind == BenchmarkKind.EXTERNAL or has_ratio(name)


def _unknown(path: str) -> FieldError:
    return FieldError(path, "unknown_metric", _("The version has no such metric that could be judged."))


def digest(rule: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of the rule; a gate is part of it only where there is one."""
    said = {name: rule[name] for name in RULE_FIELDS}
    if said["quality_gate"] is None:
        del said["quality_gate"]
    return digest_of(said)
