"""What a proposal does, from options or a file: names instead of ids, and only what shall change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from llm_benchmark.cli.frame.documents import read_document
from llm_benchmark.cli.submissions.claims import version_of
from llm_benchmark.errors import FieldError, InvalidInput
from llm_benchmark.models.choices import ProposalType

if TYPE_CHECKING:
    from llm_benchmark.client import Client

TYPES = get_args(ProposalType)
TEXTS = ("title", "description", "rationale")
FIELDS = ("type", *TEXTS, "benchmark", "benchmark_version", "reason", "rules_of", "set", "action")
_RULES = (
    "quorum_percent", "quorum_minimum", "threshold_numerator", "threshold_denominator", "voting_seconds",
    "timelock_seconds", "expiry_seconds",
)  # fmt: skip
_POLICY = ("delta", "alpha", "gamma", "tolerances", "deciding_metrics", "sessions", "quality_gate")

EXAMPLE = """\
# llm-benchmark proposal create --file proposal.toml
type = "new_benchmark"           # or update_benchmark, deprecate_benchmark, policy_change
title = "Endorse MMLU"
description = "What is proposed, in full."
rationale = "Why."
benchmark = "mmlu"               # the benchmark that it is about

# deprecate_benchmark also wants:
# reason = "Its questions have leaked."

# update_benchmark publishes a draft, or changes what the benchmark says of itself, or both:
# benchmark_version = "1.1.0"
# [set]
# name = "MMLU, revised"
# tags = ["knowledge"]

# policy_change of a benchmark sets when claims on it hold; what is left out stays as it is in force:
# [set]
# delta = 0.03

# policy_change without a benchmark sets the voting rules of a type of proposals:
# rules_of = "new_benchmark"
# [set]
# quorum_percent = 20
"""


def read_proposal(path: Path) -> dict[str, Any]:
    """What a file says, by the names in FIELDS. Raises InvalidInput naming each unknown field."""
    found = read_document(path)
    if unknown := sorted({*found} - {*FIELDS}):
        message = f"A proposal has no such field. It has: {', '.join(FIELDS)}."
        errors = [FieldError(name, "unknown_field", message) for name in unknown]
        raise InvalidInput(f"{path} has unknown fields.", code="unknown_field", errors=errors)
    return found


def proposal_from(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `governance.create`.

    Raises:
        InvalidInput: something that this type of proposal needs is not said.
    """
    missing = [name for name in ("type", *TEXTS) if not given.get(name)]
    if missing:
        options = ", ".join(f"--{name}" for name in missing)
        errors = [FieldError(name, "required", "This is needed.") for name in missing]
        raise InvalidInput(f"Say {options}, or name a --file that does.", code="required", errors=errors)
    texts = {name: given[name] for name in ("type", *TEXTS)}
    return {**texts, "action": given.get("action") or _action(client, given)}


def _action(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    kind = _kind(given)
    return {"kind": kind, kind: _BUILT[kind](client, given)}


def _kind(given: Mapping[str, Any]) -> str:
    kinds = {
        "new_benchmark": "activate_benchmark",
        "update_benchmark": "update_benchmark",
        "deprecate_benchmark": "deprecate_benchmark",
        "policy_change": "set_voting_rules" if given.get("rules_of") else "set_verification_policy",
    }
    if given["type"] not in kinds:
        message = f"{given['type']!r} is no type of proposals. There are: {', '.join(TYPES)}."
        raise InvalidInput.of("type", "unknown_type", message)
    return kinds[given["type"]]


def _benchmark(given: Mapping[str, Any]) -> str:
    if not given.get("benchmark"):
        why = " With --rules-of TYPE it is about voting rules." if given["type"] == "policy_change" else ""
        message = f"Say which benchmark it is about: --benchmark SLUG.{why}"
        raise InvalidInput.of("benchmark", "required", message)
    return str(given["benchmark"])


def _activation(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"benchmark_id": client.benchmarks.get(_benchmark(given)).id}


def _update(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    benchmark = client.benchmarks.get(_benchmark(given))
    action: dict[str, Any] = {"benchmark_id": benchmark.id}
    if number := given.get("benchmark_version"):
        action["version_id"] = version_of(client, benchmark.slug, str(number)).id
    if changes := given.get("set"):
        action["changes"] = changes
    if len(action) == 1:
        message = "Say what changes: --set NAME=VALUE, or --benchmark-version V of a draft to publish."
        raise InvalidInput.of("set", "required", message)
    return action


def _deprecation(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    benchmark = client.benchmarks.get(_benchmark(given))
    if not given.get("reason"):
        raise InvalidInput.of("reason", "required", "Say why it is deprecated: --reason TEXT.")
    return {"benchmark_id": benchmark.id, "reason": given["reason"]}


def _policy(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    """The policy in force with what shall be different."""
    version = version_of(client, _benchmark(given), str(given.get("benchmark_version") or ""))
    changes = _changes(given, _POLICY)
    in_force = version.policy.as_dict() if version.policy else {}
    return {
        "version_id": version.id,
        **{name: in_force[name] for name in _POLICY if name in in_force},
        **changes,
    }


def _voting_rules(client: Client, given: Mapping[str, Any]) -> dict[str, Any]:
    """The rules in force with what shall be different."""
    changes = _changes(given, _RULES)
    in_force = client.governance.voting_rules(type=given["rules_of"]).first(1)
    before = in_force[0].as_dict() if in_force else {}
    return {"proposal_type": given["rules_of"], **{name: before.get(name) for name in _RULES}, **changes}


def _changes(given: Mapping[str, Any], known: tuple[str, ...]) -> Mapping[str, Any]:
    changes: Mapping[str, Any] = given.get("set") or {}
    unknown = sorted({*changes} - {*known})
    if not changes or unknown:
        said = f"{', '.join(unknown)} cannot be set here." if unknown else "Say what shall be different."
        message = f"{said} --set NAME=VALUE takes: {', '.join(known)}."
        raise InvalidInput.of("set", "unknown_field" if unknown else "required", message)
    return changes


_BUILT: Mapping[str, Callable[[Client, Mapping[str, Any]], dict[str, Any]]] = {
    "activate_benchmark": _activation,
    "update_benchmark": _update,
    "deprecate_benchmark": _deprecation,
    "set_verification_policy": _policy,
    "set_voting_rules": _voting_rules,
}
