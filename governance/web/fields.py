"""A proposal's form: its names are the paths of the API's fields, so that a refusal finds its field."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from governance.actions import CHANGEABLE, KINDS

LISTS = {"action.set_verification_policy.deciding_metrics"}
WORDS = {"action.update_benchmark.changes.tags"}
_POLICY = "action.set_verification_policy."
NUMBERS = (
    f"{_POLICY}delta",
    f"{_POLICY}alpha",
    f"{_POLICY}gamma",
    f"{_POLICY}tolerances.",
    f"{_POLICY}quality_gate.minimum",
)
TYPES = {str(name): str(kind.type) for name, kind in KINDS.items()}


def typed(form: QueryDict) -> dict[str, Any]:
    """A posted form in the shape of a request: `action.kind=x` is {"action": {"kind": "x"}}.

    Empty fields were not filled in.
    """
    data: dict[str, Any] = {}
    for name in form:
        value = _value(form, name)
        if value not in ("", []) and name != "csrfmiddlewaretoken":
            _place(data, name.split("."), value)
    return data


def _value(form: QueryDict, name: str) -> Any:
    if name in LISTS:
        return form.getlist(name)
    value = str(form[name]).replace("\r\n", "\n").strip()
    if name in WORDS:
        return [tag for tag in map(str.strip, value.split(",")) if tag]
    return _number(value) if value and name.startswith(NUMBERS) else value


def _number(value: str) -> float | str:
    """A number, or what was typed instead of one: the API says what is wrong with it."""
    try:
        return float(value)
    except ValueError:
        return value


def _place(data: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        data = inner
    data[path[-1]] = value


def only_changes(data: dict[str, Any], benchmark: Mapping[str, Any] | None) -> dict[str, Any]:
    """The request without those of its changes that say what the benchmark says already."""
    update = _inside(data, "action", "update_benchmark")
    if benchmark is None or not isinstance(update.get("changes"), dict):
        return data
    kept = {name: value for name, value in update["changes"].items() if value != benchmark.get(name)}
    bare = {name: value for name, value in update.items() if name != "changes"}
    action = {**data["action"], "update_benchmark": bare | ({"changes": kept} if kept else {})}
    return {**data, "action": action}


def _inside(data: Mapping[str, Any], *path: str) -> dict[str, Any]:
    """The part of what was typed that lies there; empty when something else does."""
    found: Any = data
    for part in path:
        found = found.get(part) if isinstance(found, Mapping) else None
    return found if isinstance(found, dict) else {}


def beginning(kind: str, *, benchmark: Any, version: Any, rules: Any) -> dict[str, Any]:
    """What a new form is filled in with: the present state of what it is about."""
    if kind == "update_benchmark" and benchmark:
        return _action(kind, {"changes": {name: benchmark[name] for name in CHANGEABLE}})
    if kind == "set_verification_policy" and version and version["policy"]:
        return _action(kind, version["policy"])
    return _action(kind, rules or {})


def blank(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with all that each form looks for."""
    return {"title": "", "description": "", "rationale": "", **values}


def editing(proposal: Mapping[str, Any], beginning: Mapping[str, Any]) -> dict[str, Any]:
    """What the form of a draft is filled in with: its own words over the present state."""
    kind = proposal["action"]["kind"]
    own, present = proposal["action"][kind], beginning["action"][kind]
    shown = {**present, **{name: value for name, value in own.items() if value is not None}}
    if "changes" in present:
        changes = own["changes"] or {}
        shown["changes"] = present["changes"] | {name: value for name, value in changes.items() if value}
    return {**proposal, **_action(kind, shown)}


def _action(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"action": {"kind": kind, kind: dict(fields)}}


def tolerances(version: Mapping[str, Any], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """[{field, title, value}]: a field for each metric that a tolerance can be set for."""
    typed_ones = _inside(values, "action", "set_verification_policy", "tolerances")
    known = (version["policy"] or {}).get("tolerances", {})
    return [
        {
            "field": f"action.set_verification_policy.tolerances.{metric['name']}",
            "title": metric["title"],
            "value": typed_ones.get(metric["name"], ""),
        }
        for metric in version["metrics"]
        if metric["name"] in known
    ]
