"""Benchmarks and versions that are valid without arguments. `case()` and `metric()` are API shapes."""

import factory
from factory.django import DjangoModelFactory

from benchmarks import models, services
from exchange.core.actors import SYSTEM, Actor, OrganizationRole, Scope
from tests.factories.accounts import OrganizationFactory


class BenchmarkFactory(DjangoModelFactory):
    """`active=True` and `published=True` have a version 1.0.0 (see `published_version`)."""

    class Meta:
        model = models.Benchmark
        skip_postgeneration_save = True

    organization = factory.SubFactory(OrganizationFactory)
    slug = factory.Sequence(lambda n: f"benchmark-{n}")
    name = factory.Sequence(lambda n: f"Benchmark {n}")
    kind = "quality"
    category = "accuracy"

    @factory.post_generation
    def published(self, create, extracted, **kwargs):
        if extracted:
            published_version(self)

    @factory.post_generation
    def active(self, create, extracted, **kwargs):
        if extracted:
            if not self.versions.exists():
                published_version(self)
            services.activate_benchmark(actor=SYSTEM, benchmark_id=self.pk, endorsed=False)
            self.refresh_from_db()


def writer_of(organization, role=OrganizationRole.OWNER) -> Actor:
    """Somebody who may write in the organization's name; no row of a user."""
    scopes = frozenset({Scope.BENCHMARKS_READ, Scope.BENCHMARKS_WRITE})
    return Actor(user_id=organization.pk, organizations={organization.pk: role}, scopes=scopes)


def metric(name="accuracy", **changes):
    shape = {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "unit": "",
        "direction": "higher_is_better",
        "kind": "proportion",
        "minimum": 0.0,
        "maximum": 1.0,
        "is_primary": True,
    }
    return {**shape, **changes}


def latency(name="ttft_p50", **changes):
    shape = {"unit": "ms", "direction": "lower_is_better", "kind": "percentile", "maximum": None}
    return metric(name, **{**shape, **changes})


def case(key="q1", **changes):
    shape = {
        "key": key,
        "prompt": "What is 2 + 3?",
        "reference": "5",
        "scorer": "numeric_v1",
        "scorer_config": {},
        "choices": {},
        "weight": 1.0,
        "tags": [],
        "group": None,
    }
    return {**shape, **changes}


LOAD_PROFILE = {
    "input_tokens": 64,
    "output_tokens": 64,
    "requests": 20,
    "warmup_requests": 2,
    "concurrency": 1,
    "streaming": True,
}


def content_for(kind):
    """The least that a version of this kind says."""
    if kind == "quality":
        return {"metrics": [metric()], "test_cases": [case("q1"), case("q2")]}
    if kind == "performance":
        return {"metrics": [latency()], "load_profile": LOAD_PROFILE}
    return {"metrics": [metric("score")]}


def draft_version(benchmark=None, version="1.0.0", **content):
    benchmark = benchmark or BenchmarkFactory()
    actor = writer_of(benchmark.organization)
    said = {"changelog": "More of the same.", "migration_notes": "Measure again with the new cases."}
    content = {**content_for(benchmark.kind), **said, **content}
    return services.create_version(actor=actor, benchmark_id=benchmark.pk, version=version, **content)


def published_version(benchmark=None, version="1.0.0", **content):
    draft = draft_version(benchmark, version, **content)
    actor = writer_of(draft.benchmark.organization)
    return services.publish_version(actor=actor, version_id=draft.pk)


def active_benchmark(kind="quality", **content):
    """An active public benchmark with version 1.0.0."""
    benchmark = BenchmarkFactory(kind=kind)
    published_version(benchmark, **content)
    return services.activate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, endorsed=False)
