from uuid import uuid4

import factory
from factory.django import DjangoModelFactory

from llm_benchmark.measure.fingerprint import fingerprint
from submissions.runs import models
from tests.factories.benchmarks import LOAD_PROFILE, BenchmarkFactory, case, published_version
from tests.factories.endpoints import KEY, DeploymentFactory

LEASE_SECONDS = 60


def question_version(count=5, *, organization=None, groups=(), **generation):
    """A published version with `count` questions: what is n plus n? Their groups take turns."""
    benchmark = BenchmarkFactory(**({"organization": organization} if organization else {}))
    cases = [case(f"q{n}", prompt=f"What is {n} plus {n}?", reference=str(2 * n)) for n in range(count)]
    for number in range(count if groups else 0):
        cases[number]["group"] = groups[number % len(groups)]
    settings = {"temperature": 0.0, "max_tokens": 16, **generation}
    return published_version(benchmark, test_cases=cases, generation=settings)


def load_version(*, organization=None, **profile):
    benchmark = BenchmarkFactory(
        kind="performance", **({"organization": organization} if organization else {})
    )
    return published_version(benchmark, load_profile={**LOAD_PROFILE, **profile})


def right_answers(count):
    """For the simulator: everything right."""
    return {f"What is {n} plus {n}?": str(2 * n) for n in range(count)}


class RunFactory(DjangoModelFactory):
    """A queued quality run of 5 questions. `status="running"` is leased for a minute."""

    class Meta:
        model = models.Run

    deployment = factory.SubFactory(DeploymentFactory)
    endpoint = factory.SelfAttribute("deployment.endpoint")
    organization = factory.SelfAttribute("deployment.organization")
    version = factory.LazyAttribute(lambda o: question_version(organization=o.organization))
    kind = factory.LazyAttribute(lambda o: o.version.benchmark.kind)
    seed = 7
    snapshot = factory.LazyFunction(lambda: {"configuration": {}})
    fingerprint = fingerprint({})
    request_bound = 16
    token_bound = 10_000
    planned_count = factory.LazyAttribute(lambda o: o.version.cases.count())

    @factory.lazy_attribute
    def lease_until(self):
        from datetime import timedelta

        from exchange.core import clock

        return clock.now() + timedelta(seconds=LEASE_SECONDS) if self.status == "running" else None

    status = "queued"

    @factory.lazy_attribute
    def fault_side(self):
        return "platform" if self.status in {"failed", "dead"} else ""


class CheckFactory(RunFactory):
    """A queued check of how a deployment stands. `kind="discovery", deployment=None, endpoint=…` is one."""

    version = None
    kind = "health"
    planned_count = 0
    snapshot = factory.LazyFunction(lambda: {"campaign_id": str(uuid4())})


def run_at(simulator, model, **fields):
    """Of what a simulated provider with KEY serves under that name."""
    return RunFactory(
        deployment__endpoint__base_url=simulator.base_url,
        deployment__endpoint__key=KEY,
        deployment__served_name=model,
        **fields,
    )
