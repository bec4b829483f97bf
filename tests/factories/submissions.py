"""Claims and verifications that are valid without arguments, made by the services."""

from exchange.core.actors import ALL_SCOPES, SYSTEM, Actor, OrganizationRole
from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.plans import Failure, RequestRecord, Side, Usage
from llm_benchmark.measure.verdict import Session
from submissions import selectors, services, verifying
from submissions.runs import leases
from submissions.runs.models import Response, Run
from tests.factories.accounts import OrganizationFactory, UserFactory
from tests.factories.benchmarks import active_benchmark, case, latency
from tests.factories.endpoints import DeploymentFactory, EndpointFactory

NAMED_MODEL = {"publisher": "acme", "name": "acme-large", "version": "1"}


def submitter_of(organization, role=OrganizationRole.MEMBER) -> Actor:
    return Actor(user_id=UserFactory().pk, organizations={organization.pk: role}, scopes=ALL_SCOPES)


def question_benchmark(count=10, **content):
    cases = [case(f"q{n}", prompt=f"What is {n} plus {n}?", reference=str(2 * n)) for n in range(count)]
    content = {"test_cases": cases, "generation": {"temperature": 0.0, "max_tokens": 16}, **content}
    return active_benchmark(**content)


def load_benchmark(**content):
    others = ("ttft_p95", "request_latency_p50")
    metrics = [latency("ttft_p50"), *(latency(name, is_primary=False) for name in others)]
    return active_benchmark(kind="performance", **{"metrics": metrics, **content})


def deployment_of(organization, **endpoint):
    return DeploymentFactory(endpoint=EndpointFactory(organization=organization, **endpoint))


def case_results(right, count=10):
    return [{"key": f"q{n}", "score": float(n < right), "answer_digest": None} for n in range(count)]


def make_submission(*, organization=None, actor=None, benchmark=None, deployment=True, **changes):
    """A claim of 8 of 10 with results for each case. `deployment=None` names a model instead."""
    organization = organization or OrganizationFactory()
    benchmark = benchmark or question_benchmark()
    if deployment is True:
        deployment = deployment_of(organization)
    named = {"deployment_id": deployment.pk} if deployment else {"model": NAMED_MODEL}
    form = {
        "organization_id": organization.pk,
        "benchmark_id": benchmark.pk,
        "claims": [{"name": "accuracy", "value": 0.8, "sample_count": None}],
        "cases": case_results(8),
        **named,
        **changes,
    }
    return services.create_submission(actor=actor or submitter_of(organization), **form)


def make_load_submission(claims=None, **changes):
    claims = claims or {"ttft_p50": 40.0, "request_latency_p50": 200.0}
    listed = [{"name": name, "value": value} for name, value in claims.items()]
    return make_submission(**{"benchmark": load_benchmark(), "claims": listed, "cases": [], **changes})


def make_verification(submission=None, **changes):
    submission = submission or make_submission()
    actor = submitter_of(submission.organization)
    bound = verifying.verification_bound(actor=actor, submission_id=submission.pk)
    return verifying.request_verification(
        actor=actor, submission_id=submission.pk, accept_bound=bound.accept_bound, **changes
    )


def start(run):
    found = leases.claim_next_run(kinds=[run.kind])
    assert found is not None
    assert found[0].pk == run.pk
    return Run.objects.get(pk=run.pk)


def answer_questions(run, right):
    cases = run.version.cases.order_by("position").values_list("key", "reference")
    Response.objects.bulk_create(
        Response(
            run=run,
            key=key,
            text=reference if n < right else "no idea",
            raw=key.encode(),
            score=float(n < right),
        )
        for n, (key, reference) in enumerate(cases)
    )


def load_session(*, ttft=40.0, latency_ms=200.0, count=20, flags=()):
    records = [
        RequestRecord(n * 10**9, ttft + n / 100, latency_ms + n / 100, 2.0, 64, 64, Usage(64, 64))
        for n in range(count)
    ]
    return formats.session(Session(records, frozenset(flags)))


def settle(verification, *, right=8, session=None, only=None):
    """Claim and end the runs of a verification as a worker would."""
    for run in selectors.list_runs(verification)[:only]:
        held = start(run)
        if run.kind == "quality":
            answer_questions(held, right)
        leases.end(held, "succeeded", session=session, bundle_sha256="a" * 64)
    return selectors.get_verification(actor=SYSTEM, verification_id=verification.pk)


def fail(run):
    failure = Failure(Side.PROVIDER, "rate_limited", "The endpoint limits the rate (429)")
    leases.end(run, "failed", failure=failure)


def decided(submission=None, **result):
    return settle(make_verification(submission), **result)
