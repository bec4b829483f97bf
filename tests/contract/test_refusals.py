"""A refusal has one code, and every door says the same about the same request."""

import importlib
import math
import pkgutil
import re
from unittest.mock import Mock

import grpc
import pytest
from django.apps import apps
from google.rpc.error_details_pb2 import BadRequest
from grpc_status import rpc_status
from rest_framework import serializers

from benchmarks.api.serializers import CreateBenchmarkVersionRequestSerializer
from exchange.api import refusals
from exchange.api.forms import parse
from exchange.api.pb import benchmarks_pb2 as benchmarks
from exchange.api.pb import users_pb2 as users
from exchange.core.errors import MOST_NAMED, DomainError, FieldError, InvalidInput
from exchange.servicers import SERVICES
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory, token_for
from tests.factories.benchmarks import BenchmarkFactory, draft_version, published_version
from tests.rpc import RpcFailed, call

NOWHERE = "5f6c1b1e-0000-4000-8000-000000000000"
FROM_THE_CLIENT = range(400, 500)


def all_refusals():
    """Every subclass of DomainError in our code, each app's `errors` included."""
    roots = [importlib.import_module(app.name) for app in apps.get_app_configs() if not foreign(app)]
    for root in roots:
        for module in pkgutil.iter_modules(root.__path__, f"{root.__name__}."):
            if module.name.endswith((".errors", ".models", ".authentication", ".refusals")):
                importlib.import_module(module.name)
    found, waiting = [], [DomainError]
    while waiting:
        cls = waiting.pop()
        found.append(cls)
        waiting += cls.__subclasses__()
    return sorted({cls for cls in found if not cls.__module__.startswith("tests.")}, key=str)


def foreign(app):
    return "site-packages" in app.path


@pytest.mark.parametrize("refusal", all_refusals(), ids=lambda cls: cls.__name__)
class TestEveryRefusal:
    def test_has_a_code_of_its_own_in_lower_snake(self, refusal):
        same = [cls for cls in all_refusals() if cls.code == refusal.code]

        assert same == [refusal]
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", refusal.code)

    def test_says_what_to_do_in_a_sentence(self, refusal):
        assert re.search(r"\.\Z", (refusal.__doc__ or "").strip())

    def test_has_an_answer_for_each_door(self, refusal):
        assert 400 <= refusal.http < 600
        assert refusal.grpc in grpc.StatusCode.__members__
        assert 0 < refusal.exit < 64

    def test_reads_the_same_as_a_problem(self, refusal):
        shown = refusals.problem(refusal())

        assert (shown["code"], shown["status"]) == (refusal.code, refusal.http)
        assert shown["detail"]


def served(service, method):
    servicer = next(servicer for _pb, _stubs, name, servicer in SERVICES if name == service)
    return getattr(servicer(), method)


@pytest.fixture
def member(db):
    user, organization = UserFactory(), OrganizationFactory()
    MembershipFactory(user=user, organization=organization)
    return user, organization


def both(api, user, rest, rpc):
    """What REST and gRPC answer to the same wrong request: ((status, code, fields), (grpc, code, fields))."""
    (method, path, body), (service, name, message) = rest, rpc
    response = getattr(api, method)(f"/api/v1/{path}", body)
    problem = response.json()
    assert response["Content-Type"] == "application/problem+json"
    with pytest.raises(RpcFailed) as failed:
        call(served(service, name), message, token=token_for(user) if user else None)
    error = failed.value
    fields = sorted(item["field"] for item in problem["errors"])
    return (response.status_code, problem["code"], fields), (error.grpc, error.code, sorted(error.fields))


class TestBothDoors:
    def test_name_the_same_fields_of_a_bad_form(self, api_as, member):
        user, organization = member
        body = {"organization_id": str(organization.pk), "slug": "Bad Slug", "name": "x", "kind": "quality"}
        rest, rpc = both(
            api_as(user),
            user,
            ("post", "benchmarks", body),
            (
                "BenchmarkService",
                "CreateBenchmark",
                benchmarks.CreateBenchmarkRequest(
                    organization_id=str(organization.pk),
                    slug="Bad Slug",
                    name="x",
                    kind="BENCHMARK_KIND_QUALITY",
                ),
            ),
        )

        assert rest == (400, "invalid_input", ["category", "slug"])
        assert rpc == ("INVALID_ARGUMENT", "invalid_input", ["category", "slug"])

    def test_name_the_same_nested_field(self, api_as, member):
        user, organization = member
        benchmark = BenchmarkFactory(organization=organization)
        metric = {"name": "accuracy", "title": "Accuracy", "kind": "proportion", "is_primary": True}
        rest, rpc = both(
            api_as(user),
            user,
            ("post", f"benchmarks/{benchmark.pk}/versions", {"version": "1.0.0", "metrics": [metric]}),
            (
                "BenchmarkService",
                "CreateBenchmarkVersion",
                benchmarks.CreateBenchmarkVersionRequest(
                    benchmark_id=str(benchmark.pk),
                    version="1.0.0",
                    metrics=[{**metric, "kind": "METRIC_KIND_PROPORTION"}],
                ),
            ),
        )

        assert rest == (400, "invalid_input", ["metrics[0].direction"])
        assert rpc == ("INVALID_ARGUMENT", "invalid_input", ["metrics[0].direction"])

    def test_hide_alike_what_is_private(self, api_as, member):
        user, _organization = member
        hidden = BenchmarkFactory(visibility="private")
        rest, rpc = both(
            api_as(user),
            user,
            ("get", f"benchmarks/{hidden.pk}", None),
            ("BenchmarkService", "GetBenchmark", benchmarks.GetBenchmarkRequest(id=str(hidden.pk))),
        )

        assert rest == (404, "benchmark_not_found", [])
        assert rpc == ("NOT_FOUND", "benchmark_not_found", [])

    def test_forbid_alike(self, api_as, member):
        user, _organization = member
        theirs = OrganizationFactory()
        rest, rpc = both(
            api_as(user),
            user,
            ("patch", f"organizations/{theirs.pk}", {"name": "Mine"}),
            (
                "OrganizationService",
                "UpdateOrganization",
                users.UpdateOrganizationRequest(id=str(theirs.pk), name="Mine"),
            ),
        )

        assert rest == (403, "not_your_organization", [])
        assert rpc == ("PERMISSION_DENIED", "not_your_organization", [])

    def test_ask_alike_for_a_log_in(self, api, db):
        rest, rpc = both(
            api,
            None,
            ("get", "users/me", None),
            ("UserService", "GetProfile", users.GetProfileRequest()),
        )

        assert rest == (401, "unauthenticated", [])
        assert rpc == ("UNAUTHENTICATED", "unauthenticated", [])

    def test_give_the_same_reason_when_the_state_forbids(self, api_as, member):
        user, organization = member
        version = published_version(BenchmarkFactory(organization=organization))
        rest, rpc = both(
            api_as(user),
            user,
            ("post", f"benchmark-versions/{version.pk}/publish", {}),
            (
                "BenchmarkService",
                "PublishBenchmarkVersion",
                benchmarks.PublishBenchmarkVersionRequest(id=str(version.pk)),
            ),
        )

        assert rest == (409, "version_is_published", [])
        assert rpc == ("FAILED_PRECONDITION", "version_is_published", [])


class TestARefusedChoice:
    def test_names_those_that_there_are_however_deep_it_lies(self):
        class Inner(serializers.Serializer):
            kind = serializers.ChoiceField(["chat", "rerank"])

        class Form(serializers.Serializer):
            mode = serializers.ChoiceField([("", "None"), ("full", "Full"), ("new", "New")])
            names = serializers.ListField(child=serializers.ChoiceField(["a", "b"]))
            inner = Inner(many=True)

        with pytest.raises(InvalidInput) as refused:
            parse(Form, {"mode": "FULL", "names": ["a", "c"], "inner": [{"kind": "chat"}, {"kind": "x"}]})

        assert [(error.field, error.message) for error in refused.value.errors] == [
            ("mode", '"FULL" is not a valid choice. Choose from: full, new.'),
            ("names[1]", '"c" is not a valid choice. Choose from: a, b.'),
            ("inner[1].kind", '"x" is not a valid choice. Choose from: chat, rerank.'),
        ]


class TestManyWrongFields:
    def test_are_named_up_to_a_number_that_somebody_reads(self):
        errors = [FieldError(f"cases[{number}]", "invalid", "No.") for number in range(1000)]
        assert len(InvalidInput(errors=errors).errors) == MOST_NAMED

    def test_are_not_gathered_without_end(self):
        with pytest.raises(InvalidInput) as refused:
            parse(serializers.Serializer, {"numbers": [math.nan] * 1000})
        assert len(refused.value.errors) == MOST_NAMED

    def test_of_a_list_that_is_too_long_are_counted_before_they_are_read(self):
        data = {
            "benchmark_id": NOWHERE,
            "version": "1.0.0",
            "metrics": [{}] * 51,
            "test_cases": [{}] * 20_001,
        }
        with pytest.raises(InvalidInput) as refused:
            parse(CreateBenchmarkVersionRequestSerializer, data)
        found = [(error.field, error.code) for error in refused.value.errors]
        assert found == [("metrics", "max_length"), ("test_cases", "max_length")]

    @pytest.mark.parametrize("field", ["cases[7].score", "x" * 10_000])
    def test_fit_into_what_a_client_of_grpc_takes(self, field):
        errors = [FieldError(field, "invalid", "This is no number.")] * MOST_NAMED
        context = Mock()
        refusals.abort(context, InvalidInput(errors=errors))

        (code, details), [trailing] = (
            context.abort.call_args.args,
            context.set_trailing_metadata.call_args.args,
        )
        assert sum(len(value) for _name, value in trailing) < 7 * 1024
        told = rpc_status.from_call(Mock(**answered(code, details, trailing))).details
        [named] = [part for part in told if part.Is(BadRequest.DESCRIPTOR)]
        assert named.value


def answered(code, details, trailing):
    """As a client's call holds it."""
    return {
        "code.return_value": code,
        "details.return_value": details,
        "trailing_metadata.return_value": trailing,
    }


class TestNothingIsStored:
    @pytest.mark.parametrize(
        "change",
        [
            {"metrics": [{"name": "a", "title": "A", "kind": "proportion", "is_primary": True}]},
            {"unknown": 1},
            {"version": "one"},
            {"test_cases": "none"},
            {"metrics": [{"minimum": "NaN"}]},
            [],
            "text",
        ],
        ids=str,
    )
    def test_by_a_version_with_bad_input(self, api_as, member, change):
        user, organization = member
        version = draft_version(BenchmarkFactory(organization=organization))
        body = {"version": "2.0.0", **change} if isinstance(change, dict) else change

        response = api_as(user).post(f"/api/v1/benchmarks/{version.benchmark_id}/versions", body)

        assert response.status_code in FROM_THE_CLIENT
        assert response.json()["code"]
        assert version.benchmark.versions.count() == 1
