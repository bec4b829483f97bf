from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from llm_benchmark.cli.governance.words import does, length, next_steps, standing

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
TALLY = SimpleNamespace(approve=3, reject=1, abstain=0, ballot_count=4, ballots_without_proposer=3)
ACTIONS = ("activate_benchmark", "update_benchmark", "deprecate_benchmark", "set_verification_policy")


def proposal(status, **changes):
    found = {
        "id": "p", "status": status, "tally": None, "review_status": "pending", "approval_count": 0,
        "objection_count": 0, "ballots_needed": 3, "voting_closes_at": None, "execute_after": None,
        "executed_at": None, "expires_at": NOW, "execution_error": "", "benchmark_name": "Sums",
    }  # fmt: skip
    return SimpleNamespace(**{**found, **changes})


def action(kind, **fields):
    return SimpleNamespace(kind=kind, **{**dict.fromkeys(("update_benchmark", "set_voting_rules")), **fields})


class TestLength:
    @pytest.mark.parametrize(
        ("seconds", "words"),
        [
            (0, "0 seconds"),
            (-5, "0 seconds"),
            (61, "1 minute 1 second"),
            (90_061, "1 day 1 hour"),
            (7200, "2 hours"),
        ],
    )
    def test_has_at_most_two_units(self, seconds, words):
        assert length(timedelta(seconds=seconds)) == words


class TestStanding:
    def test_says_how_long_voting_is_open(self):
        closes = NOW + timedelta(hours=2)

        assert standing(proposal("voting", voting_closes_at=closes), NOW).startswith(
            "Voting is open for 2 hours, until 2026-05-04 14:00:00 UTC."
        )

    def test_says_that_ballots_are_counted_after_the_close(self):
        assert "being counted" in standing(proposal("voting", voting_closes_at=NOW), NOW)

    @pytest.mark.parametrize(
        ("status", "said"),
        [
            ("queued", "Approved: 3 of 4 votes for. It takes effect in 1 minute"),
            ("executed", "Carried out at"),
            ("failed", "can be tried again until"),
            ("expired", "was not carried out until"),
            ("rejected", "Rejected: 3 of 4 votes for. Nothing changes."),
            ("quorum_not_met", "Not decided: 3 of 3 needed ballots"),
            ("approved", "takes effect next"),
        ],
    )
    def test_says_what_the_count_came_to(self, status, said):
        found = proposal(status, tally=TALLY, execute_after=NOW + timedelta(minutes=1), executed_at=NOW)

        assert said in standing(found, NOW)

    def test_says_something_of_a_state_of_a_newer_server(self):
        assert standing(proposal("on_hold"), NOW) == "On hold."


class TestDoes:
    @pytest.mark.parametrize("kind", ACTIONS)
    def test_names_the_benchmark(self, kind):
        fields = (
            {"update_benchmark": SimpleNamespace(version_id="v", changes=None)} if kind == ACTIONS[1] else {}
        )

        assert "Sums" in does(proposal("voting", action=action(kind, **fields)))

    def test_says_whose_voting_rules(self):
        rules = SimpleNamespace(proposal_type="new_benchmark")

        assert "new_benchmark" in does(proposal("voting", action=action("x", set_voting_rules=rules)))

    def test_names_no_benchmark_that_is_private_now(self):
        found = proposal("voting", benchmark_name=None, action=action("deprecate_benchmark"))

        assert "private" in does(found)


class TestNextSteps:
    @pytest.mark.parametrize(
        ("found", "command"),
        [
            (proposal("draft"), "submit-for-review p"),
            (proposal("under_review"), "review p --approve"),
            (proposal("under_review", review_status="approved"), "open-voting p"),
            (proposal("voting"), "vote p --approve"),
            (proposal("failed"), "retry p"),
        ],
    )
    def test_are_commands(self, found, command):
        [(_words, said)] = next_steps(found)

        assert said == f"llm-benchmark proposal {command}"

    def test_are_none_where_it_is_done(self):
        assert next_steps(proposal("executed")) == []
