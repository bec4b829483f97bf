"""Governance over REST: from a proposal to its effect, and one refusal a door."""

import pytest

from exchange.accounts.models import User
from governance import services
from tests.factories import governance as make
from tests.factories.accounts import UserFactory
from tests.factories.benchmarks import active_benchmark

pytestmark = pytest.mark.django_db
PROPOSALS = "/api/v1/proposals"
QUERIES = 6  # the transaction with its tenant takes five, the page one


@pytest.fixture
def people(api_as):
    """A proposer's, a reviewer's and three voters' clients."""
    voters = [api_as(person) for person in make.ContributorFactory.create_batch(3)]
    return api_as(make.ContributorFactory()), api_as(make.ReviewerFactory()), voters


def form(benchmark):
    return {
        "type": "deprecate_benchmark",
        "title": "Retire it",
        "description": "Every model knows it by heart.",
        "rationale": "It tells models apart no more.",
        "action": {
            "kind": "deprecate_benchmark",
            "deprecate_benchmark": {"benchmark_id": str(benchmark.pk), "reason": make.REASON},
        },
    }


def sent(response, status=200):
    assert response.status_code == status, response.json()
    return response.json()


class TestJourney:
    def test_goes_from_a_draft_to_its_effect(self, people, api):
        proposer, reviewer, voters = people
        benchmark = active_benchmark()
        made = sent(proposer.post(PROPOSALS, form(benchmark)), 201)
        path = f"{PROPOSALS}/{made['id']}"
        assert (made["status"], made["benchmark_slug"]) == ("draft", benchmark.slug)
        assert api.get(path).json()["code"] == "proposal_not_found"

        sent(proposer.patch(path, {"title": "Retire it now"}))
        sent(proposer.post(f"{path}/submit-for-review"))
        review = {"decision": "request_changes", "reason": "Say more of the reasons."}
        sent(reviewer.post(f"{path}/reviews", review), 201)
        sent(proposer.post(f"{path}/submit-for-review"))
        sent(reviewer.post(f"{path}/reviews", {"decision": "approve"}), 201)
        asked = sent(voters[0].post(f"{path}/comments", {"body": "Why?", "kind": "question"}), 201)
        sent(proposer.post(f"{path}/comments", {"body": "So.", "parent_id": asked["id"]}), 201)
        answered = sent(proposer.post(f"{path}/comments/{asked['id']}/resolve"))
        assert answered["resolved_by_name"] == made["proposer_name"]

        opened = sent(reviewer.post(f"{path}/open-voting"))
        assert (opened["status"], opened["revision"], opened["electorate_size"]) == ("voting", 2, 5)
        for voter in voters:
            cast = sent(voter.post(f"{path}/vote", {"choice": "approve", "reason": "Agreed."}))
            assert set(cast) == {"proposal_id", "choice", "reason", "cast_at"}
        assert sent(voters[0].get(f"{path}/ballot"))["choice"] == "approve"
        assert api.get(f"{path}/ballots").json()["code"] == "ballots_are_secret"

        make.move_end(make.models.Proposal.objects.get(pk=made["id"]))
        services.finalise_due()
        make.end_timelock(make.models.Proposal.objects.get(pk=made["id"]))
        services.finalise_due()

        after = sent(api.get(path))
        assert (after["status"], after["title"]) == ("executed", "Retire it now")
        assert after["effect"] == [{"name": "status", "before": "active", "after": "deprecated"}]
        assert len(sent(api.get(f"{path}/ballots"))["items"]) == 5
        assert len(sent(api.get(f"{path}/ballots?cast_only=true"))["items"]) == 3
        assert len(sent(api.get(f"{path}/reviews"))["items"]) == 2
        assert len(sent(api.get(f"{path}/comments"))["items"]) == 2

    def test_ends_early_by_withdrawal(self, people):
        proposer, _reviewer, _voters = people
        made = sent(proposer.post(PROPOSALS, form(active_benchmark())), 201)

        assert sent(proposer.post(f"{PROPOSALS}/{made['id']}/withdraw"))["status"] == "withdrawn"


class TestList:
    def test_is_narrowed_by_type_status_benchmark_and_text(self, api):
        first = make.reviewed_proposal(title="Retire the old one")
        second = make.voting_proposal(kind="activate_benchmark")

        def found(query):
            return [item["id"] for item in api.get(f"{PROPOSALS}?{query}").json()["items"]]

        assert found("") == [str(second.pk), str(first.pk)]
        assert found("type=new_benchmark") == [str(second.pk)]
        assert found("status=under_review") == [str(first.pk)]
        assert found(f"benchmark_id={first.benchmark_id}") == [str(first.pk)]
        assert found("query=OLD") == [str(first.pk)]

    def test_refuses_unknown_filters(self, api):
        refused = api.get(f"{PROPOSALS}?status=open&benchmark_id=1&voters=all").json()

        assert {error["field"] for error in refused["errors"]} == {"status", "benchmark_id", "voters"}

    def test_takes_the_same_number_of_queries_for_any_length(self, api, django_assert_num_queries):
        make.reviewed_proposal()
        with django_assert_num_queries(QUERIES):
            api.get(PROPOSALS)
        for _ in range(3):
            make.reviewed_proposal(approved=True)
        with django_assert_num_queries(QUERIES):
            api.get(PROPOSALS)


class TestVote:
    @pytest.mark.parametrize(
        "body",
        [
            {"choice": 99},
            {"choice": "1 "},
            {"choice": True},
            {"choice": None},
            {"choice": [1, 1]},
            {"choice": "APPROVE"},
            {"choice": "approve", "weight": 10},
            {"choice": "approve", "voter_id": "5f6c1b1e-0000-4000-8000-000000000000"},
            {"choice": "approve", "reason": "x" * 1001},
            {},
            [],
        ],
        ids=str,
    )
    def test_refuses_what_is_no_choice(self, api_as, body):
        proposal = make.voting_proposal()
        voter = User.objects.get(pk=make.voters_of(proposal)[0].user_id)
        refused = api_as(voter).post(f"{PROPOSALS}/{proposal.pk}/vote", body)

        assert refused.status_code == 400
        assert not make.models.Ballot.objects.filter(choice__isnull=False).exists()

    def test_asks_for_a_log_in_a_scope_and_the_roll(self, api, api_as):
        proposal = make.voting_proposal()
        voter = User.objects.get(pk=make.voters_of(proposal)[0].user_id)
        path, body = f"{PROPOSALS}/{proposal.pk}/vote", {"choice": "approve"}

        assert api.post(path, body).status_code == 401
        assert api_as(voter, "governance:read").post(path, body).json()["code"] == "scope_missing"
        assert api_as(UserFactory()).post(path, body).json()["code"] == "not_on_the_roll"


class TestVotingRules:
    def test_are_listed_by_type_newest_first(self, api):
        make.executed_proposal(kind="set_voting_rules")
        every = sent(api.get("/api/v1/voting-rules"))["items"]
        of_updates = sent(api.get("/api/v1/voting-rules?type=update_benchmark"))["items"]

        assert len(every) == 5
        assert [(rules["number"], rules["decided_by"]) for rules in of_updates] == [
            (2, "proposal"),
            (1, "default"),
        ]


class TestRetry:
    def test_refuses_what_has_not_failed(self, api_as):
        proposal = make.closed_proposal()
        proposer = api_as(proposal.proposer)

        refused = proposer.post(f"{PROPOSALS}/{proposal.pk}/retry-execution")
        assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_retry")
