"""Two organizations' way from signing up to a row on a board that a vote opened, by every door in turn."""

from types import SimpleNamespace

import pytest

from exchange.api.pb import benchmarks_pb2 as benchmarks
from exchange.api.pb import endpoints_pb2 as endpoints
from exchange.api.pb import governance_pb2 as governance
from exchange.api.pb import leaderboards_pb2 as boards
from exchange.api.pb import submissions_pb2 as submissions
from exchange.api.pb import users_pb2 as users
from tests.browser.world import link_mailed_to
from tests.e2e.conftest import running_stack
from tests.e2e.people import KEY, PASSWORD, QUESTIONS, RIGHT, Rpc, Visitor, prompt, until
from tests.e2e.rest import Rest

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

SHORT = {
    "EXCHANGE_GOVERNANCE_VOTING_SECONDS": "1,8,60",
    "EXCHANGE_GOVERNANCE_TIMELOCK_SECONDS": "0,1,60",
    "EXCHANGE_GOVERNANCE_EXPIRY_SECONDS": "60,600,6000",
}
QUESTION = "Who has checked the questions?"
REASON = "The questions are clear, and the answers are right."
SLUG = "sums"


class Person:
    """Somebody at all three doors, once they are registered."""

    def __init__(self, stack, name):
        self.stack, self.name, self.email = stack, name, f"{name}@example.org"
        self.account = {"username": name, "email": self.email, "password": PASSWORD}
        self.rest, self.visitor = Rest(stack.base_url), Visitor(stack.base_url)
        self.rpc = Rpc(stack.grpc_address)

    def come_in(self, role=""):
        """A session at each door; `role` is what the operator grants."""
        if role:
            self.stack.manage("grant_role", self.name, role)
        self.rest.log_in(**self.account)
        session = self.rest.post("/auth/login", {"email_or_username": self.name, "password": PASSWORD})
        self.rpc.close()
        self.rpc = Rpc(self.stack.grpc_address, session["access_token"])
        assert self.visitor.log_in(self.name).status_code == 302
        return self

    def leave(self):
        self.rest.__exit__()
        self.visitor.close()
        self.rpc.close()


@pytest.fixture(scope="module")
def stack(simulator):
    with running_stack(simulator, **SHORT) as running:
        yield running


@pytest.fixture(scope="module")
def newcomer(stack):
    """`newcomer(name)`: nobody knows them yet."""
    known = []

    def come(name):
        known.append(Person(stack, name))
        return known[-1]

    yield come
    for person in known:
        person.leave()


@pytest.fixture(scope="module")
def author(stack, newcomer):
    """Signed up on the website, with an organization made there."""
    ada = newcomer("ada")
    assert ada.visitor.post("/register", on="/register", **ada.account).status_code == 302
    link = link_mailed_to(stack, ada.email, about="/confirm-email/")
    assert ada.visitor.post(link, on=link).status_code < 400
    ada.come_in()
    form = {"slug": "acme", "name": "Acme Evals", "type": "enterprise"}
    assert ada.visitor.post("/organizations", on="/organizations", **form).status_code == 302
    [ada.organization] = ada.rest.every("/organizations")
    return ada


@pytest.fixture(scope="module")
def lab(stack, newcomer):
    """Signed up over gRPC, with an organization made there."""
    lee = newcomer("lee")
    lee.rpc("Register", users.RegisterRequest(**lee.account))
    key = link_mailed_to(stack, lee.email, about="/confirm-email/").rpartition("/")[2]
    lee.rpc("ConfirmEmail", users.ConfirmEmailRequest(key=key))
    lee.come_in()
    form = {"slug": "lab", "name": "The lab", "type": users.ORGANIZATION_TYPE_RESEARCH_INSTITUTION}
    lee.organization = lee.rpc("CreateOrganization", users.CreateOrganizationRequest(**form))
    return lee


@pytest.fixture(scope="module")
def reviewer(newcomer):
    """Signed up over REST, as the voters are."""
    return _registered(newcomer("ruth")).come_in("reviewer")


@pytest.fixture(scope="module")
def voters(newcomer):
    return [_registered(newcomer(name)).come_in("contributor") for name in ("vic", "wim")]


def _registered(person):
    person.rest.post("/auth/register", person.account)
    return person


@pytest.fixture(scope="module")
def benchmark(author):
    """Made over REST, its version and its submission for review over gRPC."""
    definition = {"slug": SLUG, "name": "Sums", "kind": "quality", "category": "accuracy"}
    made = author.rest.post("/benchmarks", {"organization_id": author.organization["id"], **definition})
    cases = [
        benchmarks.TestCase(key=f"q{n}", prompt=prompt(n), reference=str(2 * n), scorer="numeric_v1")
        for n in range(QUESTIONS)
    ]
    accuracy = benchmarks.Metric(
        name="accuracy", title="Accuracy", minimum=0.0, maximum=1.0, is_primary=True,
        direction=benchmarks.METRIC_DIRECTION_HIGHER_IS_BETTER, kind=benchmarks.METRIC_KIND_PROPORTION,
    )  # fmt: skip
    request = benchmarks.CreateBenchmarkVersionRequest(
        benchmark_id=made["id"], version="1.0.0", cases_public=True, metrics=[accuracy], test_cases=cases
    )
    version = author.rpc("CreateBenchmarkVersion", request)
    author.rest.post(f"/benchmark-versions/{version.id}/publish")
    asked = benchmarks.SubmitForReviewRequest(id=made["id"])
    assert author.rpc("SubmitForReview", asked).status == benchmarks.BENCHMARK_STATUS_UNDER_REVIEW
    return made


@pytest.fixture(scope="module")
def proposal(author, reviewer, benchmark):
    """Made over REST, put to review on the website, debated and reviewed over gRPC and REST."""
    texts = {
        "title": "Endorse the sums",
        "description": "A first board.",
        "rationale": "Anybody can check it.",
    }
    action = {"kind": "activate_benchmark", "activate_benchmark": {"benchmark_id": benchmark["id"]}}
    made = author.rest.post("/proposals", {"type": "new_benchmark", **texts, "action": action})
    page = f"/proposals/{made['id']}"
    assert author.visitor.post(f"{page}/submit", on=page).status_code == 302
    asked = governance.AddProposalCommentRequest(proposal_id=made["id"], body=QUESTION)
    reviewer.rpc("AddProposalComment", asked)
    reviewer.rest.post(f"{page}/reviews", {"decision": "approve", "reason": REASON})
    return made


@pytest.fixture(scope="module")
def executed(author, reviewer, voters, lab, proposal):
    """Opened over REST, voted on at every door, counted and carried out by nobody but the platform."""
    page = f"/proposals/{proposal['id']}"
    author.rest.post(f"{page}/open-voting")
    voted = [
        voters[0].visitor.post(f"{page}/vote", on=page, choice="approve", reason=REASON).status_code,
        voters[1].rest.post(f"{page}/vote", {"choice": "reject"})["choice"],
        voters[1].rest.post(f"{page}/vote", {"choice": "approve"})["choice"],
        _vote_by_rpc(reviewer, proposal, governance.VOTE_APPROVE).choice,
        _vote_by_rpc(author, proposal, governance.VOTE_ABSTAIN).choice,
    ]
    assert voted == [302, "reject", "approve", governance.VOTE_APPROVE, governance.VOTE_ABSTAIN]
    assert lab.rest.get(page)["tally"] is None

    def look():
        found = lab.rest.get(page)
        return found if found["status"] not in {"voting", "approved", "queued"} else None

    return until(look)


def _vote_by_rpc(person, proposal, vote):
    return person.rpc("CastVote", governance.CastVoteRequest(proposal_id=proposal["id"], choice=vote))


@pytest.fixture(scope="module")
def verified(lab, simulator, benchmark, executed):
    """The lab's claim, measured again: endpoint and consent over gRPC, the claim over REST."""
    asked = endpoints.RegisterEndpointRequest(
        organization_id=lab.organization.id, name="simulated", provider_name="Simulated provider",
        base_url=simulator.base_url, api_key=KEY,
    )  # fmt: skip
    endpoint = lab.rpc("RegisterEndpoint", asked)
    lab.rest.post(f"/endpoints/{endpoint.id}/discover")
    found = lab.rest.every("/deployments", endpoint_id=endpoint.id)
    deployment = next(served["id"] for served in found if served["served_name"] == "able")
    claim = {
        "organization_id": lab.organization.id, "benchmark_id": benchmark["id"], "deployment_id": deployment,
        "claims": [{"name": "accuracy", "value": RIGHT / QUESTIONS, "sample_count": QUESTIONS}],
        "cases": [{"key": f"q{n}", "score": float(n < RIGHT)} for n in range(QUESTIONS)],
    }  # fmt: skip
    before = lab.rest.get(f"/benchmarks/{benchmark['id']}/leaderboard")["items"]
    submission = lab.rest.post("/submissions", claim)
    bound = lab.rest.get(f"/submissions/{submission['id']}/verification-bound")["accept_bound"]
    request = submissions.RequestVerificationRequest(submission_id=submission["id"], accept_bound=bound)
    verification = lab.rpc("RequestVerification", request).id

    def look():
        ended = lab.rest.get(f"/verifications/{verification}")
        return ended if ended["status"] not in {"requested", "running"} else None

    return SimpleNamespace(before=before, submission=submission, verification=until(look))


def test_who_published_becomes_a_contributor(author, benchmark):
    assert author.rest.get("/users/me")["role"] == "contributor"
    assert author.rpc("GetProfile", users.GetProfileRequest()).email_verified


def test_the_debate_is_read_at_every_door(stack, proposal):
    page = f"/proposals/{proposal['id']}"
    asked = governance.ListProposalCommentsRequest(proposal_id=proposal["id"])
    with Rest(stack.base_url) as rest:
        [comment] = rest.every(f"{page}/comments")
    rpc, visitor = Rpc(stack.grpc_address), Visitor(stack.base_url)

    assert comment["body"] == QUESTION
    assert [item.body for item in rpc("ListProposalComments", asked).items] == [QUESTION]
    assert QUESTION in visitor.get(page).text
    rpc.close()
    visitor.close()


def test_the_vote_is_counted_and_carried_out(lab, executed):
    assert executed["status"] == "executed", executed
    assert executed["electorate_size"] == 4
    assert executed["tally"] == {
        "approve": 3, "reject": 0, "abstain": 1, "ballot_count": 4, "ballots_without_proposer": 3,
    }  # fmt: skip
    request = governance.ListBallotsRequest(proposal_id=executed["id"])
    roll = {line.voter_name: line.choice for line in lab.rpc("ListBallots", request).items}
    assert roll["wim"] == governance.VOTE_APPROVE


def test_the_benchmark_is_active_and_endorsed(lab, benchmark, executed):
    asked = benchmarks.GetBenchmarkBySlugRequest(slug=SLUG)
    found = lab.rpc("GetBenchmarkBySlug", asked)

    assert (found.status, found.is_endorsed) == (benchmarks.BENCHMARK_STATUS_ACTIVE, True)
    assert lab.rest.get(f"/benchmarks/{benchmark['id']}")["is_endorsed"] is True
    assert lab.visitor.get(f"/benchmarks/{SLUG}").status_code == 200


def test_the_claim_is_measured_again_and_stands_on_the_board(author, lab, benchmark, verified):
    assert verified.before == []
    assert verified.verification["verdict"] == "consistent", verified.verification
    [row] = author.rest.get(f"/benchmarks/{benchmark['id']}/leaderboard")["items"]
    request = boards.GetLeaderboardRequest(benchmark_id=benchmark["id"])

    assert (row["rank"], row["submission_id"]) == (1, verified.submission["id"])
    assert [item.submission_id for item in author.rpc("GetLeaderboard", request).items] == [
        row["submission_id"]
    ]
    assert row["model_name"] in author.visitor.get(f"/benchmarks/{SLUG}").text


def test_the_chain_of_facts_holds(stack, verified):
    assert stack.manage("verify_audit_chain").endswith(" entries, unbroken\n")
