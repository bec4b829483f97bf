"""A small exchange with something of everything, made as people and workers make it."""

import hashlib
from contextlib import contextmanager

from exchange.accounts.selectors import actor_for_user
from exchange.core import clock, idempotency
from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.campaigns.services import start_campaign
from submissions.runs import services as runs
from submissions.services import add_evidence, withdraw_submission
from tests.factories.accounts import MembershipFactory, OrganizationFactory
from tests.factories.endpoints import KEY
from tests.factories.governance import closed_proposal, deprecation, executed_proposal, voting_proposal
from tests.factories.runs import right_answers
from tests.factories.submissions import (
    case_results,
    deployment_of,
    load_benchmark,
    make_load_submission,
    make_submission,
    make_verification,
    question_benchmark,
    submitter_of,
)

COUNT = 10
LOAD = {"input_tokens": 32, "output_tokens": 8, "requests": 6, "warmup_requests": 2}


@contextmanager
def provider():
    models = {
        "able": Behaviour(answers=right_answers(8)),
        "stream": Behaviour(ttft_ms=20, itl_ms=2),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


def tried_again(verification):
    """Whether a load has to be measured once more, as on a busy machine. The pause is not waited for."""
    queued = verification.runs.filter(status="queued", failed_attempts__gt=0)
    return queued.update(not_before=clock.now())


class World:
    """An organization whose claims were confirmed, refuted, withdrawn and left open; a sweep; votes.

    With `measures_speed`, a load is measured too, which takes some ten seconds.
    """

    def __init__(self, simulator, *, measures_speed=False):
        self.organization = OrganizationFactory()
        self.actor = submitter_of(self.organization)
        self.able = self._deployment(simulator, "able")
        self.absent = self._deployment(simulator, "absent")
        benchmark = question_benchmark(COUNT)
        self.right = self._claim(benchmark, self.able, right=8)
        self._measure(self.right)
        self._measure(self._claim(question_benchmark(COUNT), self.able, right=10))
        self._measure(self._claim(benchmark, self.absent, right=8))
        withdrawn = self._claim(question_benchmark(COUNT), self.able, right=8)
        self._measure(withdrawn)
        withdraw_submission(actor=self.actor, submission_id=withdrawn.pk, reason="A typing error.")
        if measures_speed:
            self._measure(self._load_claim(simulator), kind="performance")
        self.waiting = make_verification(self._claim(benchmark, self.able, right=7))
        self._sweep()
        self._vote()
        with acting_for(SYSTEM):
            idempotency.once(actor=self.actor, key="once", request=b"{}", act=lambda: {"kept": True})

    def _deployment(self, simulator, served_name):
        deployment = deployment_of(self.organization, base_url=simulator.base_url, key=KEY)
        deployment.served_name = served_name
        deployment.save()
        return deployment

    def _claim(self, benchmark, deployment, *, right):
        claim = make_submission(
            organization=self.organization, actor=self.actor, benchmark=benchmark, deployment=deployment,
            claims=[{"name": "accuracy", "value": right / COUNT, "sample_count": None}],
            cases=case_results(right, COUNT),
        )  # fmt: skip
        log = f"a,b\n{right},{claim.pk}\n".encode()
        add_evidence(
            actor=self.actor, submission_id=claim.pk, name="log.csv", content=log,
            sha256=hashlib.sha256(log).hexdigest(),
        )  # fmt: skip
        return claim

    def _load_claim(self, simulator):
        return make_load_submission(
            organization=self.organization, actor=self.actor,
            deployment=self._deployment(simulator, "stream"),
            benchmark=load_benchmark(load_profile=LOAD | {"concurrency": 2, "streaming": True}),
        )  # fmt: skip

    def _measure(self, claim, *, kind="quality"):
        verification = make_verification(claim)
        while runs.work_once(kind) or (kind == "performance" and tried_again(verification)):
            pass
        verification.refresh_from_db()
        assert kind != "performance" or verification.verdict, verification.runs.values("status", "fault_code")
        return verification

    def _sweep(self):
        person = actor_for_user(MembershipFactory(organization=self.organization).user)
        where = {"organization_id": self.organization.pk, "endpoint_id": self.able.endpoint_id}
        self.campaign = start_campaign(actor=person, mode="full", refresh=False, **where)
        while runs.work_once("health"):
            pass

    def _vote(self):
        self.executed = executed_proposal("approve", "approve", "reject", "approve", "approve", "approve")
        closed_proposal("reject", "reject", "reject", action=deprecation())
        self.open = voting_proposal()
