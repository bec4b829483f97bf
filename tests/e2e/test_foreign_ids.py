"""Every id of another organization, at every route, RPC and page there is: as if it did not exist.

The routes are read from the URL conf and the servicers, so that a new one is covered when it appears.
"""

import json

import pytest
from django.test import Client

from exchange.api.convert import to_message
from exchange.api.interceptors import around
from exchange.servicers import message_classes
from tests.e2e import worlds
from tests.e2e.worlds import HUSH, PUBLIC_KINDS, Nowhere, filled, ids_of, own
from tests.rpc import Context, RpcFailed

pytestmark = pytest.mark.usefixtures("undone")

ROUTES = [route for route in worlds.routes() if ids_of(route.form)]
CALLS = [call for call in worlds.calls() if ids_of(call.form)]
PAGES = list(worlds.pages())
CLASSES = {path.rpartition("/")[2]: classes for path, classes in message_classes().items()}
FORMS = {
    "verify": {"accept_bound": "x"},
    "withdraw": {"reason": "because it is not mine"},
    "endpoints": {"name": "x", "provider_name": "x", "base_url": "https://api.example.org/v1"},
}
PUBLIC_READS = {"GetOrganization", "GetModel", "GetPerson"}
PUBLIC_PEOPLE = {"/api/v1/users/<id>"}
FOR_OTHER_ROLES = {"not_a_reviewer", "operators_only", "only_by_the_system", "reviewer_is_author"}


def placed(form, field, mine, foreign):
    """A request of mine in which one id is foreign."""
    where = {name: foreign if name == field else mine for name in ids_of(form)}
    return filled(form, where)


def nothing_to_see(kind, status, items):
    """A filter finds nothing; of what is public one may know, but not touch it."""
    return status == "NOT_FOUND" or items == [] or (kind in PUBLIC_KINDS and status == "PERMISSION_DENIED")


def each_id(doors):
    """A case for every id that a request to one of these doors has."""
    found = [(door, field) for door in doors for field in ids_of(door.form)]
    return pytest.mark.parametrize(("door", "field"), found, ids=[f"{door} {field}" for door, field in found])


def ask(door, data, token):
    """(status, the refusal's code, the answer's items if it is a list, everything that was said)"""
    asked, answered = CLASSES[door.name]
    message = to_message(asked, {key: value for key, value in data.items() if key != "content"})
    if "content" in data:
        message.content = data["content"]
    metadata = [("authorization", f"Bearer {token}")] if token else []
    try:
        answer = around(door.served, answer_class=answered)(message, Context(metadata))
    except RpcFailed as failed:
        return failed.grpc, failed.code, None, str(failed.status)
    return "OK", "", _held(answer), str(answer)


def _held(answer):
    if hasattr(answer, "media_type"):  # an export: what follows the names of its columns
        return answer.content.splitlines()[1:]
    return list(answer.items) if hasattr(answer, "items") else None


def body_of(answer):
    said = b"".join(answer)
    for close in answer._resource_closers:  # answer.close() would close the test's connection too
        close()
    return said


def told(answer, said):
    """(status, the refusal's code)"""
    is_refusal = answer["Content-Type"] == "application/problem+json"
    return answer.status_code, json.loads(said)["code"] if is_refusal else ""


def items_of(answer, said):
    """What a list holds; None where the answer is no list."""
    if answer.status_code != 200 or not said:
        return None
    if answer["Content-Type"].startswith("text/csv"):
        return said.decode().splitlines()[1:]
    is_json = answer["Content-Type"] == "application/json"
    return json.loads(said).get("items") if is_json else None


class TestWhatIsCovered:
    def test_is_every_app_and_every_kind(self, mine):
        kinds = {kind for route in ROUTES for kind in ids_of(route.form).values()}

        assert len(ROUTES) > 30
        assert len(CALLS) > 25
        assert len(PAGES) > 8
        assert kinds == set(mine.ids)

    def test_is_every_route_that_names_something(self):
        assert worlds.named_routes() <= {(route.method, route.pattern) for route in ROUTES}

    def test_is_every_rpc_that_names_something(self):
        assert set(worlds.named_calls()) <= {call.name for call in CALLS}


@each_id(ROUTES)
class TestRest:
    def test_hides_what_is_foreign(self, client, mine, foreign, door, field):
        kind, before = ids_of(door.form)[field], foreign.fingerprint()

        answer = door.send(client, placed(door.form, field, mine, foreign))
        said = body_of(answer)

        is_public = answer.status_code == 200 and (kind in PUBLIC_KINDS or door.pattern in PUBLIC_PEOPLE)
        if not (door.method == "get" and is_public):
            status = {404: "NOT_FOUND", 403: "PERMISSION_DENIED"}.get(answer.status_code)
            unknown = door.send(client, placed(door.form, field, mine, Nowhere()))
            as_nothing = told(answer, said) == told(unknown, body_of(unknown)) and answer.status_code >= 400
            assert as_nothing or nothing_to_see(kind, status, items_of(answer, said)), said
        assert HUSH.encode() not in said
        assert foreign.fingerprint() == before

    def test_hides_it_from_nobody_in_particular(self, api, mine, foreign, door, field):
        answer = door.send(api, placed(door.form, field, mine, foreign))

        said = body_of(answer)
        assert answer.status_code in {401, 404} or (door.method == "get" and answer.status_code == 200)
        assert HUSH.encode() not in said

    def test_finds_what_is_mine(self, client, mine, door, field):
        """So that the refusals above are about whose it is."""
        answer = door.send(client, own(door.form, mine))

        said = body_of(answer)
        assert answer.status_code not in {401, 404, 500}, said
        assert answer.status_code != 403 or told(answer, said)[1] in FOR_OTHER_ROLES, said


@each_id(CALLS)
class TestRpc:
    def test_hides_what_is_foreign(self, mine, foreign, door, field):
        kind, before = ids_of(door.form)[field], foreign.fingerprint()

        status, code, items, said = ask(door, placed(door.form, field, mine, foreign), mine.secret)

        if door.name not in PUBLIC_READS and not (door.name == "ListSubmissions" and kind == "model"):
            unknown = ask(door, placed(door.form, field, mine, Nowhere()), mine.secret)
            as_nothing = status != "OK" and (status, code) == unknown[:2]
            assert as_nothing or nothing_to_see(kind, status, items), (status, said)
        assert HUSH not in said
        assert foreign.fingerprint() == before

    def test_hides_it_from_nobody_in_particular(self, mine, foreign, door, field):
        status, _code, items, said = ask(door, placed(door.form, field, mine, foreign), "")

        assert status in {"NOT_FOUND", "UNAUTHENTICATED"} or items == [] or door.name in PUBLIC_READS
        assert HUSH not in said


class TestActionOfAProposal:
    """Its ids stand deeper in the request."""

    ACTIONS = {
        "activate_benchmark": ("new_benchmark", {}),
        "update_benchmark": ("update_benchmark", {"changes": {"name": "x"}}),
        "deprecate_benchmark": ("deprecate_benchmark", {"reason": "because it is not mine"}),
        "set_verification_policy": ("policy_change", {"delta": 0.03}),
    }

    @pytest.mark.parametrize("kind", ACTIONS)
    def test_knows_nothing_foreign(self, client, foreign, kind):
        answer, unknown = self._propose(client, kind, foreign), self._propose(client, kind, Nowhere())

        assert answer.status_code in {400, 404, 409}
        assert told(answer, answer.content) == told(unknown, unknown.content)
        assert HUSH.encode() not in answer.content

    def _propose(self, client, kind, world):
        type_, fields = self.ACTIONS[kind]
        named = "version" if kind == "set_verification_policy" else "benchmark"
        action = {"kind": kind, kind: {**fields, f"{named}_id": str(world.ids[named])}}
        texts = dict.fromkeys(("title", "description", "rationale"), "A proposal")
        return client.post("/api/v1/proposals", {"type": type_, **texts, "action": action})


@pytest.mark.parametrize("page", PAGES)
class TestPage:
    @pytest.mark.parametrize("method", ["get", "post"])
    @pytest.mark.parametrize("who", ["a stranger", "nobody"])
    def test_hides_what_is_foreign(self, two_worlds, page, method, who):
        (mine, foreign), client = two_worlds, Client()
        kinds, path = worlds.page_of(foreign, page)
        before = foreign.fingerprint()
        if who == "a stranger":
            client.force_login(mine.person)

        form = FORMS.get(path.rpartition("/")[2], {})
        answer = getattr(client, method)(path, form)

        _kinds, nowhere = worlds.page_of(Nowhere(beside=foreign), page)
        as_nothing = answer.status_code == getattr(client, method)(nowhere, form).status_code != 200
        assert as_nothing or (PUBLIC_KINDS.issuperset(kinds) and answer.status_code < 500)
        assert HUSH not in answer.content.decode()
        assert foreign.fingerprint() == before
