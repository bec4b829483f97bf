"""Every service × who asks. `allowed`, or the code of the refusal."""

import inspect

import pytest

from benchmarks import services
from exchange.core.actors import ANONYMOUS, OrganizationRole, Scope
from exchange.core.errors import DomainError
from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import BenchmarkFactory, active_benchmark, content_for, draft_version

pytestmark = pytest.mark.django_db

HIDDEN = "benchmark_not_found"
HIDDEN_VERSION = "benchmark_version_not_found"
WHO = ("anonymous", "stranger", "viewer", "member", "admin", "read_only")
MATRIX = {
    "create_benchmark": (
        "unauthenticated",
        "not_your_organization",
        "not_your_organization",
        "allowed",
        "allowed",
        "scope_missing",
    ),
    "update_benchmark": (
        "unauthenticated",
        "not_your_organization",
        "not_your_organization",
        "not_your_organization",
        "allowed",
        "scope_missing",
    ),
    "update_benchmark (private draft)": (
        HIDDEN,
        HIDDEN,
        "not_your_organization",
        "allowed",
        "allowed",
        "scope_missing",
    ),
    "create_version": (
        "unauthenticated",
        "not_your_organization",
        "not_your_organization",
        "allowed",
        "allowed",
        "scope_missing",
    ),
    "update_version": (
        HIDDEN_VERSION,
        HIDDEN_VERSION,
        "not_your_organization",
        "allowed",
        "allowed",
        "scope_missing",
    ),
    "publish_version": (
        HIDDEN_VERSION,
        HIDDEN_VERSION,
        "not_your_organization",
        "allowed",
        "allowed",
        "scope_missing",
    ),
    "add_policy": (
        HIDDEN_VERSION,
        HIDDEN_VERSION,
        "not_your_organization",
        "not_your_organization",
        "allowed",
        "scope_missing",
    ),
}
FOR_OPERATORS = {"activate_benchmark", "install_demo_benchmarks"}


def act(name, benchmark, draft, actor):
    calls = {
        "create_benchmark": lambda: services.create_benchmark(
            actor=actor,
            organization_id=benchmark.organization_id,
            slug="new-one",
            name="x",
            kind="quality",
            category="accuracy",
        ),
        "update_benchmark": lambda: services.update_benchmark(
            actor=actor, benchmark_id=benchmark.pk, name="x"
        ),
        "update_benchmark (private draft)": lambda: services.update_benchmark(
            actor=actor,
            benchmark_id=BenchmarkFactory(organization=benchmark.organization, visibility="private").pk,
            name="x",
        ),
        "create_version": lambda: services.create_version(
            actor=actor, benchmark_id=benchmark.pk, version="3.0.0", **content_for("quality")
        ),
        "update_version": lambda: services.update_version(actor=actor, version_id=draft.pk, changelog="x"),
        "publish_version": lambda: services.publish_version(actor=actor, version_id=draft.pk),
        "add_policy": lambda: services.add_policy(actor=actor, version_id=draft.pk, delta=0.04),
    }
    try:
        calls[name]()
    except DomainError as refusal:
        return refusal.code
    return "allowed"


@pytest.mark.parametrize("name", MATRIX)
@pytest.mark.parametrize("who", WHO)
def test_is_for_those_whom_the_table_names(name, who, actor_of):
    benchmark = active_benchmark()
    draft = draft_version(benchmark, "2.0.0")
    actor = {
        "anonymous": lambda: ANONYMOUS,
        "stranger": lambda: actor_of(OrganizationFactory()),
        "read_only": lambda: actor_of(benchmark.organization, scopes=[Scope.BENCHMARKS_READ]),
    }.get(who, lambda: actor_of(benchmark.organization, role=OrganizationRole(who)))()

    assert act(name, benchmark, draft, actor) == MATRIX[name][WHO.index(who)]


def test_no_service_is_missing_from_the_table():
    written = {
        name
        for name, function in inspect.getmembers(services, inspect.isfunction)
        if function.__module__ == services.__name__ and not name.startswith("_")
    }

    assert written == {name.partition(" ")[0] for name in MATRIX} | FOR_OPERATORS
