"""How many queries each page takes, and that it is the same number for 3 rows of everything and for 8."""

import hashlib
import re
from uuid import UUID

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks.services import activate_benchmark
from exchange.accounts.inviting import invite_member
from exchange.accounts.selectors import actor_for_user
from exchange.core import clock
from exchange.core.actors import SYSTEM
from governance.models import Ballot, Review
from submissions.campaigns.models import Campaign, CampaignEndpoint, CampaignItem
from submissions.endpoints.models import StatusChange
from submissions.services import add_evidence
from tests.factories import governance as make
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory, token_for
from tests.factories.endpoints import DeploymentFactory, EndpointFactory, PriceFactory
from tests.factories.leaderboards import measured_quality
from tests.factories.runs import question_version
from tests.factories.submissions import case_results, make_submission, question_benchmark

from .doors import page_views
from .matrix import lasting

FEW, MANY = 3, 8
CASES = 4
MOST_FILES = 20
NOBODY = UUID(int=1)
QUERIES = {
    "": 17,
    "benchmarks": 9,
    "benchmarks/<slug:slug>": 25,
    "benchmarks/<slug:slug>/edit": 12,
    "benchmarks/<slug:slug>/versions/new": 12,
    "benchmarks/new": 11,
    "campaigns/<uuid:campaign_id>": 33,
    "campaigns/<uuid:campaign_id>/progress": 15,
    "categories": 9,
    "categories/<slug:category>": 12,
    "compare": 9,
    "confirm-email/<str:key>": 8,
    "deployments/<uuid:deployment_id>": 16,
    "endpoints/<uuid:endpoint_id>": 16,
    "login": 3,
    "methodology": 3,
    "models": 10,
    "models/<uuid:model_id>": 25,
    "organizations": 14,
    "organizations/<slug:slug>": 13,
    "organizations/<slug:slug>/campaigns": 12,
    "organizations/<slug:slug>/campaigns/start": 13,
    "organizations/<slug:slug>/edit": 9,
    "organizations/<slug:slug>/endpoints": 12,
    "organizations/<slug:slug>/members": 12,
    "password/reset": 3,
    "people/<str:username>": 9,
    "profile": 17,
    "proposals": 11,
    "proposals/<uuid:proposal_id>": 16,
    "proposals/<uuid:proposal_id>/ballots": 11,
    "proposals/new": 13,
    "register": 3,
    "review": 9,
    "submissions": 10,
    "submissions/<uuid:submission_id>": 36,
    "submissions/<uuid:submission_id>/cases": 17,
    "submissions/<uuid:submission_id>/progress": 12,
    "submissions/<uuid:submission_id>/verify": 27,
    "submit": 13,
    "voting-rules": 9,
}


class Site:
    """An organization with `count` of everything; the pages are looked at by its owner."""

    def __init__(self):
        self.person = make.ReviewerFactory()
        self.organization = OrganizationFactory()
        MembershipFactory(user=self.person, organization=self.organization)
        self.actor = actor_for_user(self.person)
        self.endpoint = EndpointFactory(organization=self.organization)
        self.deployment = DeploymentFactory(endpoint=self.endpoint)
        version = question_version(CASES, organization=self.organization)
        self.benchmark = activate_benchmark(actor=SYSTEM, benchmark_id=version.benchmark_id, endorsed=False)
        self.submission = self._claim(self.benchmark, self.deployment)
        self.vote = make.closed_proposal(proposer=self.person)
        self.campaigns = [self._campaign(), self._campaign()]
        self.count = 0

    def grow(self, count):
        for _ in range(self.count, count):
            self._add_one()
        self.count = count
        return self

    def _add_one(self):
        """A board more for the first model; a row, a verdict and a file more for its first claim."""
        self._claim(question_benchmark(CASES), self.deployment)
        another = DeploymentFactory(endpoint=self.endpoint)
        self._claim(self.benchmark, another)
        measured_quality(self.submission, value=0.5)
        self._sweep(another)
        MembershipFactory(organization=self.organization, role="member")
        MembershipFactory(user=self.person)
        token_for(self.person)
        self._attach()
        self._debate()
        invite_member(
            actor=self.actor, organization_id=self.organization.pk, role="member",
            email=UserFactory.build().email,
        )  # fmt: skip

    def _campaign(self):
        """One that has ended."""
        ended = {"status": "completed", "selected_at": clock.now(), "finished_at": clock.now()}
        of = {"organization": self.organization, "mode": "full", "refresh": False, "via": "web"}
        return Campaign.objects.create(**of, **ended)

    def _sweep(self, another):
        """An endpoint and a row more in campaigns; of the first deployment a check, a state and a price."""
        endpoint = EndpointFactory(organization=self.organization)
        for campaign in self.campaigns:
            CampaignEndpoint.objects.create(campaign=campaign, endpoint=endpoint, is_open=False)
            self._check(campaign, another)
        self._check(self._campaign(), self.deployment)
        PriceFactory(deployment=self.deployment)
        PriceFactory(deployment=another)
        StatusChange.objects.create(
            deployment=self.deployment, old_status="new", new_status="active", reason="answered",
            changed_by=self.person,
        )  # fmt: skip

    def _check(self, campaign, deployment):
        CampaignItem.objects.create(
            campaign=campaign, deployment=deployment, endpoint=self.endpoint,
            position=campaign.items.count(), stage="done", outcome="active", initial_status="new",
            final_status="active", figures={"ttft_p50": 40.0},
        )  # fmt: skip

    def _debate(self):
        """Another proposal, and on the first one a review, a comment and a ballot more."""
        make.reviewed_proposal(self.person, action=make.deprecation(self.benchmark))
        make.CommentFactory(proposal=self.vote)
        people = [make.ReviewerFactory() for _ in range(2)]
        Review.objects.create(proposal=self.vote, reviewer=people[0], revision=1, created_at=clock.now())
        Ballot.objects.create(proposal=self.vote, voter=people[1], choice="approve", cast_at=clock.now())

    def _claim(self, benchmark, deployment):
        claim = make_submission(
            organization=self.organization,
            benchmark=benchmark,
            deployment=deployment,
            claims=[{"name": "accuracy", "value": 0.5, "sample_count": None}],
            cases=case_results(CASES // 2, CASES),
        )
        measured_quality(claim, value=0.5)
        return claim

    def _attach(self):
        name = f"{self.submission.evidence.count()}.csv"
        if self.submission.evidence.count() < MOST_FILES:
            content = name.encode()
            add_evidence(
                actor=self.actor, submission_id=self.submission.pk, name=name,
                content=content, sha256=hashlib.sha256(content).hexdigest(),
            )  # fmt: skip

    def address(self, pattern):
        """The page about the first of what it names."""
        named = {
            "submission_id": self.submission.pk,
            "model_id": self.deployment.model_id,
            "endpoint_id": self.endpoint.pk,
            "deployment_id": self.deployment.pk,
            "campaign_id": self.campaigns[1].pk,
            "benchmark_id": self.benchmark.pk,
            "proposal_id": self.vote.pk,
            "category": self.benchmark.category,
            "username": self.person.username,
            "number": "1.0.0",
            "slug": (self.benchmark if pattern.startswith("benchmarks/") else self.organization).slug,
        }
        return "/" + re.sub(r"<\w+:(\w+)>", lambda match: str(named.get(match[1], NOBODY)), pattern)


def counted(site):
    """Pattern → number of queries, of every page that can be looked at."""
    client = Client()
    client.force_login(site.person)
    found = {}
    for pattern, _view in page_views():
        address = site.address(pattern)
        if client.get(address).status_code == 200:
            with CaptureQueriesContext(connection) as queries:
                client.get(address)
            found[pattern] = len(queries)
    return found


def test_every_page_takes_a_fixed_number_of_queries(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        site = Site()
        few, many = counted(site.grow(FEW)), counted(site.grow(MANY))

    assert few == QUERIES
    assert many == QUERIES
