"""What schemathesis loads beside the document: ids that lead somewhere, and tokens that stay.

A generated id finds nothing, so most of those that stand where a thing is named are changed for one that
exists. Which one follows from the generated id, so a seed gives the same requests again.
"""

import os
import re
from pathlib import Path
from uuid import UUID

import httpx
import schemathesis
from schemathesis.openapi.checks import IgnoredAuth
from schemathesis.specs.openapi.checks import ignored_auth

from tests.fuzz import known

WORLD = known.read(Path(os.environ["FUZZ_WORLD"]))
WHO = os.environ["FUZZ_WHO"]
KINDS = {"benchmark-version": "version"}
ID = re.compile(rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
SEEN = set(WORLD.kept)
FOUND_IN_TEN = 8


@schemathesis.hook
def before_call(_context, case, **_options):
    case.freeze_metadata()  # good data stays good and bad data bad; finding that out again costs much
    for part in ("path_parameters", "query", "body"):
        generated = getattr(case, part)
        named = _named(generated, case, (part,))
        if named != generated:
            setattr(case, part, named)
    _keep_our_tokens(case)


@schemathesis.hook
def after_call(_context, _case, response):
    """What an answer names exists, and may be asked for next."""
    SEEN.update(found.decode() for found in ID.findall(response.content))


@schemathesis.check
def auth_is_asked_for(ctx, response, case):
    """Schemathesis's check, but where a thing is hidden: then it is not there (404), logged in or not."""
    try:
        return ignored_auth(ctx, response, case)
    except IgnoredAuth as failure:
        if "got `404 " in failure.message:
            return None
        raise


def _named(value, case, where):
    if isinstance(value, dict):
        return {key: _named(item, case, (*where, str(key))) for key, item in value.items()}
    if isinstance(value, list):
        return [_named(item, case, where) for item in value]
    if not isinstance(value, str) or value in SEEN:
        return value
    choices = _ids(where[-1], case) if _is_id(value) else _words(where, case)
    number = int.from_bytes(value.encode("utf-8", "replace")[-8:])
    return choices[number % len(choices)] if choices and number % 10 < FOUND_IN_TEN else value


def _ids(name, case):
    """For `submission_ids`, for `submission_id`, or for `id` after `/submissions/`."""
    kind = known.kind_of(name)
    if name == "id":
        folder = case.path.partition("/{id}")[0].rpartition("/")[2].removesuffix("s")
        kind = KINDS.get(folder, folder)
    return WORLD.found(kind, case.operation.definition.raw["operationId"])


def _words(where, case):
    """A wrong value stays wrong."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return ()
    return WORLD.words.get(".".join(where[-2:]), WORLD.words.get(where[-1], ()))


def _is_id(value):
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


def _keep_our_tokens(case):
    """A token that a list has shown would be revoked sooner or later, and all that follows be 401."""
    if (case.path_parameters or {}).get("id") in WORLD.kept:
        answer = httpx.post(
            f"{WORLD.base_url}/api/v1/tokens",
            json={"name": "short-lived", "scopes": ["profile:read"]},
            headers={"Authorization": f"Bearer {WORLD.tokens[WHO]}"},
        )
        case.path_parameters["id"] = answer.json()["token"]["id"]
