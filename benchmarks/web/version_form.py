"""A version, between the editor's form and the API. A field's name is its path there.

Beside what the API has, each metric's row says whether the metric decides, and its tolerance. What the form
does not show, and what was left as it was shown, stays as it is stored.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from benchmarks.content import MOST_METRICS
from benchmarks.demo.metrics import PERFORMANCE_METRICS, QUALITY_METRICS

from . import load_fields
from .case_rows import CaseRows, read_cases
from .typed_numbers import number, numbers
from .typed_numbers import shown as shown_number

TEXTS = ("version", "changelog", "migration_notes", "system_prompt", "prompt_template")
GENERATION = ("temperature", "top_p", "max_tokens", "seed")
POLICY = ("delta", "alpha", "gamma", "sessions")
GATE = ("benchmark_version_id", "metric", "minimum")
METRIC_TEXTS = ("name", "title", "unit", "direction", "kind")
METRIC_NUMBERS = ("minimum", "maximum")
TYPED = (*METRIC_TEXTS, *METRIC_NUMBERS, "tolerance")
FLAGS = {"cases_public": "quality", load_fields.STREAMING: "performance"}
"""Boxes to tick, and the kind whose form has them."""
NAMES = (
    *TEXTS,
    *(f"generation.{name}" for name in (*GENERATION, "stop")),
    *load_fields.NAMES,
    *(f"policy.{name}" for name in POLICY),
    *(f"policy.quality_gate.{name}" for name in GATE),
    "test_cases",
    "cases_name",
    "cases_public",
)
SPARE_ROWS = 2
_METRIC = re.compile(r"metrics\[(\d+)\]")
_CASE = re.compile(r"test_cases\[(\d+)\]\.?(.*)")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
Error = dict[str, str]


@dataclass(frozen=True, slots=True)
class Typed:
    """What the form says: `values` by field, and a row for each metric."""

    values: dict[str, str]
    metrics: list[dict[str, Any]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """The metrics, and empty rows for more of them."""
        room = min(SPARE_ROWS, MOST_METRICS - len(self.metrics))
        empty: dict[str, Any] = {**dict.fromkeys(TYPED, ""), "is_primary": False, "decides": False}
        return [
            {**row, "index": index, "path": f"metrics[{index}]"}
            for index, row in enumerate([*self.metrics, *[empty] * room])
        ]


def typed_in(request: HttpRequest, shown: Typed, kind: str) -> Typed:
    """What was typed at a form that began as `shown`."""
    posted = {name: _lines(str(value)) for name, value in request.POST.items()}
    values = {name: _kept(posted.get(name), text, _lines) for name, text in shown.values.items()}
    values |= {name: posted.get(name, "") for name, has_it in FLAGS.items() if has_it == kind}
    rows = [_metric_row(posted, index, shown) for index in range(MOST_METRICS + SPARE_ROWS)]
    metrics = [row for row in rows if any(row[name] for name in ("name", "title", "unit", "minimum"))]
    return Typed(values, metrics)


def _kept(posted: str | None, shown: str, sent_as: Callable[[str], str]) -> str:
    """A text that came back as a browser sends what it was shown is the text that was shown."""
    return shown if posted is None or posted == sent_as(shown) else posted


def _lines(text: str) -> str:
    """With the line ends that everybody but browsers uses."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _one_line(text: str) -> str:
    """As a field of one line sends it."""
    return text.replace("\r", "").replace("\n", "")


def _metric_row(posted: Mapping[str, str], index: int, shown: Typed) -> dict[str, Any]:
    before = shown.metrics[index] if index < len(shown.metrics) else dict.fromkeys(TYPED, "")
    row: dict[str, Any] = {
        name: _kept(posted.get(f"metrics[{index}].{name}", ""), before[name], _one_line) for name in TYPED
    }
    row["is_primary"] = posted.get("primary") == str(index)
    return {**row, "decides": f"metrics[{index}].decides" in posted}


def blank(kind: str) -> Typed:
    """The form of a first version, with the metrics that the platform measures."""
    values = dict.fromkeys(NAMES, "")
    values |= {"version": "1.0.0", "prompt_template": "{prompt}", **load_fields.blank()}
    offered = {"quality": QUALITY_METRICS, "performance": PERFORMANCE_METRICS}.get(kind, [])
    return Typed(values, [_shown_metric(metric, {}) for metric in offered])


def typed_from(version: Mapping[str, Any], *, number: str) -> Typed:
    """The form of a version that is there (BenchmarkVersionSerializer's data). Cases stay where they are."""
    values = dict.fromkeys(NAMES, "") | {name: version[name] for name in TEXTS} | {"version": number}
    for part, names in (("generation", GENERATION), ("policy", POLICY)):
        stored = version[part] or {}
        values |= {f"{part}.{name}": shown_number(stored.get(name)) for name in names}
    gate = (version["policy"] or {}).get("quality_gate") or {}
    values |= {f"policy.quality_gate.{name}": shown_number(gate.get(name)) for name in GATE}
    values["generation.stop"] = "\n".join(map(_escaped, (version["generation"] or {}).get("stop", ())))
    values["cases_public"] = "on" if version["cases_public"] else ""
    values |= load_fields.fields_of(version["load_profile"])
    return Typed(values, [_shown_metric(metric, version["policy"] or {}) for metric in version["metrics"]])


def _shown_metric(metric: Mapping[str, Any], policy: Mapping[str, Any]) -> dict[str, Any]:
    name = metric["name"]
    shown = {each: shown_number(metric[each]) for each in (*METRIC_TEXTS, *METRIC_NUMBERS)}
    shown["tolerance"] = shown_number(policy.get("tolerances", {}).get(name))
    decides = name in policy.get("deciding_metrics", ())
    return {**shown, "is_primary": metric["is_primary"], "decides": decides}


def _escaped(stop: str) -> str:
    """A stop text on one line: its line ends as \\n and \\r, a backslash doubled."""
    return re.sub(r"[\\\n\r]", lambda found: _ESCAPES[found[0]], stop)


def _unescaped(line: str) -> str:
    written = {short: plain for plain, short in _ESCAPES.items()}
    return re.sub(r"\\[\\nr]", lambda found: written[found[0]], line)


@dataclass(frozen=True, slots=True)
class Request:
    """What the form asks of the API, and how to say at the form what is wrong with it."""

    data: dict[str, Any]
    typed: Typed
    cases: CaseRows

    def on_the_page(self, errors: list[Error]) -> list[Error]:
        return [self._at_its_field(error) for error in errors]

    def _at_its_field(self, error: Error) -> Error:
        if found := _CASE.fullmatch(error["field"]):
            return self._at_a_case(error, int(found[1]), found[2])
        path = error["field"]
        for name, part in (("policy.tolerances.", "tolerance"), ("policy.deciding_metrics[", "decides")):
            if path.startswith(name):
                path = self._row_of(path.removeprefix(name).rstrip("]"), part)
        if found := _METRIC.match(path):
            title = self.typed.metrics[int(found[1])]["name"] or _("Metric %d") % (int(found[1]) + 1)
            return {**error, "field": path, "message": f"{title}: {error['message']}"}
        path = path.partition("[")[0]
        return {**error, "field": load_fields.SHOWN_ELSEWHERE.get(path, path)}

    def _at_a_case(self, error: Error, index: int, part: str) -> Error:
        place = self.cases.at(index) if index < len(self.cases.rows) else ""
        where = ", ".join(text for text in (place, part) if text)
        message = f"{where}: {error['message']}" if where else error["message"]
        return {**error, "field": "test_cases", "message": message}

    def _row_of(self, named: str, part: str) -> str:
        """The row of a metric, by its name or by its place among those that decide."""
        rows = self.typed.metrics
        primary = [row["name"] for row in rows if row["is_primary"]]
        deciding = self.data["policy"]["deciding_metrics"] or primary
        name = deciding[int(named)] if named.isdigit() and int(named) < len(deciding) else named
        names = [row["name"] for row in rows]
        return f"metrics[{names.index(name)}].{part}" if name in names else "policy"


def request_from(typed: Typed, kind: str, stored: Mapping[str, Any] | None) -> Request:
    """What the form asks, without `version`; test cases only if there are any.

    `stored` is the version that the form began with (BenchmarkVersionSerializer's data), if there was one.

    Raises:
        InvalidInput: the test cases cannot be read.
    """
    values, stored = typed.values, stored or {}
    asks = kind == "quality" and values["test_cases"].strip()
    cases = read_cases(values["test_cases"]) if asks else CaseRows()
    data: dict[str, Any] = {name: values[name] for name in TEXTS if name != "version"}
    data |= {"cases_public": bool(values["cases_public"]), "policy": _policy(typed, stored.get("policy"))}
    data["metrics"] = [_metric(row) for row in typed.metrics]
    data |= _generation(values, stored.get("generation"))
    if kind == "performance":
        data["load_profile"] = load_fields.profile_of(values)
    return Request(data | ({"test_cases": cases.rows} if cases.rows else {}), typed, cases)


def _generation(values: Mapping[str, str], stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """A version that leaves all of it open without a word stays without one."""
    said = numbers(values, "generation", GENERATION)
    stop = [_unescaped(line) for line in values["generation.stop"].split("\n") if line]
    return {"generation": {**said, "stop": stop}} if said or stop or stored else {}


def _policy(typed: Typed, stored: Mapping[str, Any] | None) -> dict[str, Any]:
    tolerances = {row["name"]: number(row["tolerance"]) for row in typed.metrics if row["tolerance"]}
    deciding = [row["name"] for row in typed.metrics if row["decides"]]
    in_order = (stored or {}).get("deciding_metrics", [])
    return {
        **numbers(typed.values, "policy", POLICY),
        **_gate(typed.values),
        "tolerances": tolerances,
        "deciding_metrics": in_order if sorted(in_order) == sorted(deciding) else deciding,
    }


def _gate(values: Mapping[str, str]) -> dict[str, Any]:
    gate: dict[str, Any] = {name: values[f"policy.quality_gate.{name}"].strip() for name in GATE}
    gate = {name: text for name, text in gate.items() if text}
    gate |= numbers(values, "policy.quality_gate", ("minimum",))
    return {"quality_gate": gate} if gate else {}


def _metric(row: Mapping[str, Any]) -> dict[str, Any]:
    metric = {name: row[name] for name in METRIC_TEXTS if row[name]}
    metric |= {name: number(row[name]) for name in METRIC_NUMBERS if row[name].strip()}
    return {**metric, "is_primary": row["is_primary"]}
