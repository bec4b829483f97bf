import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from llm_benchmark.measure.probing import Capability, Finding, State
from submissions.campaigns import services
from submissions.runs import leases, settling
from submissions.runs.models import RunStatus, Score
from tests.factories.accounts import OrganizationFactory
from tests.factories.endpoints import DeploymentFactory, EndpointFactory
from tests.factories.runs import load_version


@pytest.fixture(autouse=True)
def any_machine(settings):
    """As on a machine with cores enough."""
    settings.MEASURE_ALONE = False


@pytest.fixture
def organization(db):
    return OrganizationFactory()


@pytest.fixture
def member(organization, actor_of):
    return actor_of(organization, role="member")


@pytest.fixture
def serving(organization):
    """`serving(active="a", failed=("b", "c"))`: an endpoint with deployments that stand so."""

    def make(endpoint=None, **names):
        endpoint = endpoint or EndpointFactory(organization=organization)
        for status, served in names.items():
            for name in (served,) if isinstance(served, str) else served:
                DeploymentFactory(endpoint=endpoint, served_name=name, status=status)
        return endpoint

    return make


@pytest.fixture
def profile(organization):
    return load_version(organization=organization)


@pytest.fixture
def start(organization, member):
    """`start(endpoint, mode="full")`, without a discovery unless told."""

    def call(endpoint=None, *, actor=member, **form):
        form = {"mode": "full", "refresh": False, **form}
        return services.start_campaign(
            actor=actor,
            organization_id=organization.pk,
            endpoint_id=endpoint.pk if endpoint else None,
            **form,
        )

    return call


def finding(state="active", **changes):
    """Of a check that ended so. `state=None` with `error=` is one that failed itself."""
    facts = {
        "capability": Capability.CHAT_TEXT,
        "source": "probe",
        "confidence": 0.9,
        "protocol": "chat",
        "state": State(state) if state else None,
        "reason": "answered",
        "error": None,
        "message": "",
    }
    return Finding(**{**facts, **changes})


UNAUTHORISED = finding(
    None, reason="authentication_failed", error="authentication_failed", stops_campaign=True
)


def claimed(kind="health"):
    """The lease of the next run of this kind, and the run."""
    found = leases.claim_next_run(kinds=[kind])
    assert found is not None, f"no {kind} run is claimable"
    return found


def check_all(brought=None, default=finding()):  # noqa: B008  never changed
    """Work off every check: each deployment has the finding by its name. In which order they came."""
    order = []
    while found := leases.claim_next_run(kinds=["health"]):
        run, lease = found
        order.append(run.deployment.served_name)
        settling.settle_check(lease, (brought or {}).get(order[-1], default))
    return order


def end_load(figures=None):
    """Let the next performance run succeed with these values."""
    run, lease = claimed("performance")
    with acting_for(SYSTEM):
        held = lease.lock()
        for name, value in (figures or {"ttft_p50": 50.0, "error_rate": 0.0}).items():
            Score.objects.create(run=held, metric=name, value=value, scorer_version="test")
        leases.end(held, RunStatus.SUCCEEDED)
    return run


def asked(act):
    """How many statements it takes."""
    with CaptureQueriesContext(connection) as found:
        act()
    return len(found)
