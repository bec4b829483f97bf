"""How plans, answers, claims, policies and judgements are written as JSON, and read back strictly."""

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from llm_benchmark.measure.canonical import canonical_json
from llm_benchmark.measure.metrics import CaseScore, Direction, MetricKind, MetricValue
from llm_benchmark.measure.plans import (
    UNGROUPED,
    Answer,
    PerformancePlan,
    QualityPlan,
    Question,
    RequestRecord,
    Usage,
)
from llm_benchmark.measure.tallies import GroupScore
from llm_benchmark.measure.verdict import (
    Claim,
    Judgement,
    MetricRule,
    PerformancePolicy,
    QualityPolicy,
    Session,
    Verdict,
)


def lines(values: Iterable[Any]) -> bytes:
    return b"".join(map(line, values))


def line(value: Any) -> bytes:
    return canonical_json(value) + b"\n"


def parse(raw: bytes) -> Any:
    """JSON in its canonical spelling. Raises ValueError for any other spelling, duplicate keys and NaN."""
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
        canonical = canonical_json(value)
    except (RecursionError, UnicodeDecodeError, UnicodeEncodeError) as error:
        raise ValueError("not readable as JSON") from error
    if canonical != raw:
        raise ValueError("not in canonical spelling")
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def parse_line(raw: bytes) -> Any:
    if not raw.endswith(b"\n"):
        raise ValueError("the last line is cut")
    return parse(raw[:-1])


def quality_plan(plan: QualityPlan, planned: int, kinds: Mapping[str, MetricKind]) -> dict[str, Any]:
    """The public side of a plan: no prompts and no references."""
    fields = asdict(plan)
    shown = ("key", "scorer", "scorer_config", "weight", "group", "seed")
    fields["questions"] = [{name: getattr(q, name) for name in shown} for q in plan.questions]
    return {"kind": "quality", "planned": planned, "metric_kinds": dict(kinds)} | fields


def read_groups(plan: Mapping[str, Any]) -> dict[str, str]:
    """A question's key → its group."""
    return {question["key"]: question.get("group", UNGROUPED) for question in plan["questions"]}


def read_metric_kinds(plan: Mapping[str, Any]) -> dict[str, MetricKind]:
    return {name: MetricKind(kind) for name, kind in plan["metric_kinds"].items()}


def performance_plan(plan: PerformancePlan) -> dict[str, Any]:
    return {"kind": "performance"} | asdict(plan)


def answer(value: Answer) -> dict[str, Any]:
    fields = {name: _encodable(part) for name, part in asdict(value).items()}
    fields["raw_base64"] = base64.b64encode(fields.pop("raw")).decode()
    return fields


def _encodable(value: Any) -> Any:
    """A provider may send half of a surrogate pair, which UTF-8 cannot hold; the raw answer keeps it."""
    if not isinstance(value, str):
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value


def read_answer(fields: Mapping[str, Any]) -> Answer:
    rest = {name: value for name, value in fields.items() if name not in {"raw_base64", "usage"}}
    raw = base64.b64decode(fields["raw_base64"], validate=True)
    return Answer(raw=raw, usage=Usage(**fields["usage"]), **rest)


def read_question(fields: Mapping[str, Any]) -> Question:
    return Question(**fields)


def policy(value: QualityPolicy | PerformancePolicy) -> dict[str, Any]:
    kind = "quality" if isinstance(value, QualityPolicy) else "performance"
    return {"kind": kind} | asdict(value)


def read_quality_policy(fields: Mapping[str, Any]) -> QualityPolicy:
    return QualityPolicy(**{name: value for name, value in fields.items() if name != "kind"})


def read_performance_policy(fields: Mapping[str, Any]) -> PerformancePolicy:
    rules = tuple(
        MetricRule(**rule | {"direction": Direction(rule["direction"])}) for rule in fields["rules"]
    )
    rest = {name: value for name, value in fields.items() if name not in {"kind", "rules"}}
    return PerformancePolicy(rules, **rest)


def read_claim(fields: Mapping[str, Any]) -> Claim:
    return Claim(**fields)


def scores(
    cases: Sequence[CaseScore], metrics: Mapping[str, MetricValue], groups: Sequence[GroupScore] = ()
) -> dict[str, Any]:
    values = {name: asdict(value) for name, value in metrics.items()}
    parts = {"groups": [asdict(group) for group in groups]} if groups else {}
    return _plain({"cases": [asdict(case) for case in cases], "metrics": values, **parts})


def read_case_score(fields: Mapping[str, Any]) -> CaseScore:
    return CaseScore(**fields)


def verdict(value: Verdict, judgements: Sequence[Judgement]) -> dict[str, Any]:
    return _plain({"verdict": value, "judgements": [asdict(judgement) for judgement in judgements]})


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Through JSON once, so that what was written and what is computed again have the same types."""
    plain: dict[str, Any] = json.loads(canonical_json(value))
    return plain


def session(value: Session) -> dict[str, Any]:
    """Goals and levels only where there are any."""
    records = [asdict(record) for record in value.records]
    fields = {"concurrency": value.concurrency, "flags": sorted(value.flags), "records": records}
    goals = {"slo": dict(value.slo)} if value.slo else {}
    levels = {"levels": [session(level) for level in value.levels]} if value.levels else {}
    return {**fields, **goals, **levels}


def read_session(fields: Mapping[str, Any]) -> Session:
    records = [RequestRecord(**r | {"usage": Usage(**r["usage"])}) for r in fields["records"]]
    return Session(
        records,
        frozenset(fields["flags"]),
        fields["concurrency"],
        slo=fields.get("slo", {}),
        levels=[read_session(level) for level in fields.get("levels", ())],
    )
