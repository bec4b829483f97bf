"""Each operation of the REST API is reached by one method of the client, with all that it takes."""

import inspect
import json
import types
import typing
from collections import Counter
from pathlib import Path
from types import NoneType

import httpx
import msgspec
import pytest

from llm_benchmark import Client
from llm_benchmark.paging import Pages
from llm_benchmark.services import base

from . import document

SERVICES = (
    "account", "benchmarks", "campaigns", "endpoints", "governance", "leaderboards", "organizations",
    "submissions", "verifications",
)  # fmt: skip
# They say what another method says, in a handier way.
CONVENIENCES = {
    "campaigns.wait",
    "governance.reply",
    "leaderboards.entries",
    "leaderboards.rank_of",
    "leaderboards.top",
    "verifications.wait",
}
# Taken by the client itself: it pages, and reads files.
PAGING = {"page_size", "page_token"}
ID = document.EXAMPLES["uuid"]
RENAMED = {"benchmark": "benchmark_id"}
CLIENT = Client("http://127.0.0.1:1")
METHODS = [
    f"{service}.{name}"
    for service in SERVICES
    for name, _function in inspect.getmembers(getattr(CLIENT, service), inspect.ismethod)
    if not name.startswith("_") and f"{service}.{name}" not in CONVENIENCES
]


def is_another_path(operation_id):
    """The older exchange's paths and PUT do what the ones that the client uses do."""
    return "_at_" in operation_id or operation_id.endswith("_by_put")


class Exchange:
    """Answers what the document says, and remembers what it was asked."""

    def __init__(self):
        self.asked = []
        self.client = Client("http://127.0.0.1:1", http=httpx.MockTransport(self.answer))

    def answer(self, request):
        said = document.operation_at(request.method, request.url.path)
        assert said, f"there is no {request.method} {request.url.path}"
        self.asked.append((said, request))
        status, media, schema = document.answer_of(said)
        if media == "application/json" and schema:
            return httpx.Response(status, json={**document.example(schema), "next_page_token": ""})
        return httpx.Response(status, content=b"")

    def ask(self, method, tmp_path, **changed):
        """Call a method with everything that it takes. The operation and the request that came of it."""
        function = function_of(method, self.client)
        arguments = {name: argument(name, kind, tmp_path) for name, kind in parameters(function).items()}
        given = function(**{**arguments, **changed})
        if isinstance(given, Pages):
            list(given)
        return self.asked[-1]


def function_of(method, client=CLIENT):
    service, name = method.split(".")
    return getattr(getattr(client, service), name)


def parameters(function):
    """What a method takes, and what each value may be."""
    hints = typing.get_type_hints(function, vars(inspect.getmodule(function)), {"list": list})
    return {name: kinds(hint) for name, hint in hints.items() if name not in {"return", "progress", "accept"}}


def kinds(hint):
    """The parts of a union, without `UNSET`."""
    parts = typing.get_args(hint) if typing.get_origin(hint) in {typing.Union, types.UnionType} else (hint,)
    return [part for part in parts if part is not base.Unset]


def argument(name, kinds, tmp_path):
    kind = kinds[0]
    if name == "path":
        (tmp_path / "result.json").write_text("{}")
        return tmp_path / "result.json"
    if name == "to":
        return tmp_path / "answer"
    if name.endswith("_id") or name in {"benchmark", "model", "id_or_slug", "id_or_username"}:
        return ID
    return value_of(kind)


def value_of(kind):
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return typing.get_args(kind)[0]
    if origin is not None:
        return {} if "Mapping" in str(origin) or origin is dict else [value_of(typing.get_args(kind)[0])]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {}
    return {str: "words", int: 3, float: 0.5, bool: True, Path: Path("x")}.get(kind, {})


def literals(kinds):
    """The values that type checkers let through, of an argument or of its items."""
    kind = kinds[0]
    if typing.get_origin(kind) is not typing.Literal and typing.get_args(kind):
        kind = typing.get_args(kind)[0]
    return set(typing.get_args(kind)) if typing.get_origin(kind) is typing.Literal else set()


def enum_of(schema):
    schema = document.resolved(schema)
    return set(document.resolved(schema.get("items", schema)).get("enum", ())) - {""}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """By method, the operation and the request that came of calling it with all that it takes."""
    exchange = Exchange()
    folder = tmp_path_factory.mktemp("files")
    return {method: exchange.ask(method, folder) for method in METHODS}


def form_fields(said):
    return set(document.form_of(said).get("properties", {}))


class TestTheClient:
    def test_reaches_each_operation_with_one_method(self, asked, tmp_path):
        by_name = Exchange()
        by_name.ask("benchmarks.get", tmp_path, id_or_slug="some-slug")
        by_name.ask("account.person", tmp_path, id_or_username="somebody")

        reached = Counter(said["operationId"] for said, _request in [*asked.values(), *by_name.asked])
        assert set(reached) == {name for name in document.operations() if not is_another_path(name)}
        assert [name for name, count in reached.items() if count > 1] == []

    def test_offers_these_services(self):
        offered = {name for name, value in vars(CLIENT).items() if isinstance(value, base.Service)}

        assert offered == set(SERVICES)


class TestItsMethods:
    def test_say_all_that_the_form_has(self, asked):
        for method, (said, request) in asked.items():
            body = json.loads(request.content) if form_fields(said) else {}
            assert set(body) == form_fields(said), method

    def test_ask_by_all_that_the_query_has(self, asked):
        for method, (said, request) in asked.items():
            assert set(request.url.params) - PAGING == set(document.queries_of(said)) - PAGING, method

    def test_ask_for_pages_that_are_small_enough(self, asked):
        for method, (said, request) in asked.items():
            most = document.queries_of(said).get("page_size", {}).get("maximum", 100)
            assert int(request.url.params.get("page_size", 1)) <= most, method

    def test_need_what_the_form_needs(self, asked):
        for method, (said, _request) in asked.items():
            signature = inspect.signature(function_of(method)).parameters.values()
            needed = {RENAMED.get(p.name, p.name) for p in signature if p.default is p.empty}
            assert needed & form_fields(said) == set(document.form_of(said).get("required", ())), method

    def test_take_the_values_that_the_document_lists(self, asked):
        for method, (said, _request) in asked.items():
            listed = {**document.form_of(said).get("properties", {}), **document.queries_of(said)}
            taken = {RENAMED.get(n, n): kinds for n, kinds in parameters(function_of(method)).items()}
            for name in taken.keys() & listed.keys():
                assert literals(taken[name]) == enum_of(listed[name]), (method, name)
                assert NoneType in taken[name] or not listed[name].get("nullable"), (method, name)

    def test_have_a_key_where_one_is_taken(self, asked):
        for method, (said, request) in asked.items():
            headers = {given["name"] for given in said.get("parameters", ()) if given["in"] == "header"}
            assert ("Idempotency-Key" in request.headers) == ("Idempotency-Key" in headers), method
