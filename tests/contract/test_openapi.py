"""The API's document is valid, complete and as readable as the code it is drawn from."""

import re

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from exchange.api.openapi import Generator
from exchange.api.schema import PROBLEM
from tests.contract.doors import actions, deed, rpcs, serializers
from tests.e2e import worlds

METHODS = {"get", "post", "put", "patch", "delete"}
ACTIONS = list(actions())
action = pytest.mark.parametrize(
    "served",
    [function for *_where, function in ACTIONS],
    ids=[f"{cls.__name__}.{name}" for cls, name, _ in ACTIONS],
)


def operations(document):
    """(method, path, operation)"""
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            yield method, path, said


@pytest.fixture(scope="module")
def document():
    return Generator().get_schema(public=True)


@pytest.fixture(scope="module")
def every(document):
    return list(operations(document))


class TestTheDocument:
    def test_is_valid_and_drawn_without_a_warning(self):
        document = Generator().get_schema(public=True)

        validate_schema(document)
        assert not GENERATOR_STATS

    def test_is_served(self, client):
        answer = client.get("/api/schema")

        assert answer.status_code == 200
        assert b"operationId: submit_results\n" in answer.content

    def test_is_drawn_once_for_all_who_ask(self, client, monkeypatch):
        first = client.get("/api/schema")
        monkeypatch.setattr(Generator, "get_schema", lambda *_args, **_options: pytest.fail("drawn again"))

        assert client.get("/api/schema?lang=de&version=2").content == first.content

    def test_is_served_as_json_too(self, client, document):
        answer = client.get("/api/schema", headers={"Accept": "application/json"})

        assert set(answer.json()["paths"]) == set(document["paths"])

    def test_has_the_paths_as_they_are_documented(self, every):
        paths = {path for _method, path, _said in every}

        assert "/api/v1/submissions/{submission_id}/evidence" in paths
        assert not [path for path in paths if path.endswith("/") or "{pk}" in path]

    def test_has_every_route(self, every):
        routes = {(route.method, re.sub(r"<\w+>", "{}", route.pattern)) for route in worlds.routes()}

        assert routes <= {(method, re.sub(r"{\w+}", "{}", path)) for method, path, _said in every}

    def test_calls_resources_as_serializers_do(self, document):
        names = document["components"]["schemas"]
        shown = {"Benchmark", "BenchmarkVersion", "Submission", "Evidence", "Verification", "Run", "Proposal"}

        assert shown <= set(names)
        for name in shown:
            assert set(names[name]["properties"]) == set(serializers()[f"{name}Serializer"]().fields)

    def test_has_no_field_in_a_request_that_its_path_says(self, document, every):
        for _method, path, said in every:
            body = said.get("requestBody", {"content": {}})["content"].get("application/json")
            if body:
                form = document["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
                assert not set(re.findall(r"{(\w+)}", path)) & set(form["properties"])
                assert form["additionalProperties"] is False


class TestEveryOperation:
    def test_is_called_after_its_rpc(self, every):
        names = [said["operationId"] for _method, _path, said in every]
        verbs = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method.name).lower() for _s, method, _f in rpcs()}

        assert len(names) == len(set(names))
        assert {re.sub("_at_.*|_by_put$", "", name) for name in names} == verbs

    def test_is_filed_under_its_service(self, every):
        services = {service for service, _method, _served in rpcs()}

        assert {tag for _method, _path, said in every for tag in said["tags"]} == services

    def test_says_its_refusals_as_problems(self, every):
        for _method, _path, said in every:
            refusals = {status: shown for status, shown in said["responses"].items() if status > "4"}
            assert {"400", "401", "403", "503"} <= set(refusals)
            assert all(list(shown["content"]) == [PROBLEM] for shown in refusals.values())

    def test_says_one_answer(self, every):
        for _method, _path, said in every:
            assert len([status for status in said["responses"] if status < "3"]) == 1

    def test_names_each_part_of_its_path(self, every):
        for _method, path, said in every:
            named = {given["name"] for given in said.get("parameters", ()) if given["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))

    @action
    def test_says_the_form_that_it_parses(self, served):
        assert served.operation.form is deed(served).form or deed(served).form is None


@pytest.mark.django_db
@pytest.mark.parametrize("route", list(worlds.routes()), ids=str)
class TestWhetherOneMustLogIn:
    def test_is_true(self, api, every, route):
        """What does not exist is not there for nobody in particular either: it may answer 404."""
        answer = route.send(api, worlds.own(route.form, worlds.Nowhere()))

        told = answer.json()["code"] if answer.status_code >= 400 else ""
        if {} in the(every, route)["security"]:
            assert told != "unauthenticated"
        else:
            assert told == "unauthenticated" or told.endswith("_not_found") or answer.status_code == 400


def the(every, route):
    shape = re.sub(r"<\w+>", "{}", route.pattern)
    return next(s for m, p, s in every if (m, re.sub(r"{\w+}", "{}", p)) == (route.method, shape))
