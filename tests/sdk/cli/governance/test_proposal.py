import json

import pytest

from exchange.core.actors import Scope
from governance.models import Ballot, Comment, Proposal, ProposalStatus, Review
from tests.factories.accounts import UserFactory
from tests.factories.benchmarks import active_benchmark
from tests.factories.governance import (
    ContributorFactory,
    ReviewerFactory,
    closed_proposal,
    draft_proposal,
    executed_proposal,
    reviewable_benchmark,
    reviewed_proposal,
    voting_proposal,
)

pytestmark = pytest.mark.django_db
TEXTS = ("--title", "A title", "--description", "What it is.", "--rationale", "Why.")
REASON = "Its questions are in every training set."


@pytest.fixture
def author():
    return ContributorFactory()


@pytest.fixture
def program(exchange_as, author):
    return exchange_as(author)


def voter_of(proposal):
    roll = Ballot.objects.filter(proposal=proposal).exclude(voter=proposal.proposer)
    return roll.select_related("voter").first().voter


class TestCreate:
    @pytest.mark.parametrize(
        ("type_", "options", "kind"),
        [
            (
                "update_benchmark",
                ("--set", "name=A better name", "--set", 'tags=["one"]'),
                "update_benchmark",
            ),
            ("deprecate_benchmark", ("--reason", REASON), "deprecate_benchmark"),
            ("policy_change", ("--set", "delta=0.03"), "set_verification_policy"),
        ],
    )
    def test_makes_the_action_from_options(self, program, type_, options, kind):
        slug = active_benchmark().slug

        ended = program("proposal", "create", "-t", type_, *TEXTS, "-b", slug, *options, "-o", "json")

        assert ended.code == 0, ended.err
        assert (ended.json["action"]["kind"], ended.json["status"]) == (kind, "draft")
        assert ended.json["benchmark_slug"] == slug

    def test_proposes_a_benchmark_under_review(self, program):
        slug = reviewable_benchmark().slug

        ended = program("p", "create", "-t", "new_benchmark", *TEXTS, "-b", slug, "-o", "json")

        assert ended.json["action"]["activate_benchmark"]["version_id"]

    def test_keeps_what_is_in_force_of_a_policy_but_what_is_set(self, program):
        benchmark = active_benchmark(policy={"delta": 0.04, "alpha": 0.1})

        ended = program(
            "p", "create", "-t", "policy_change", *TEXTS, "-b", benchmark.slug, "--set", "alpha=0.05",
            "-o", "json",
        )  # fmt: skip

        action = ended.json["action"]["set_verification_policy"]
        assert (action["delta"], action["alpha"]) == (0.04, 0.05)

    def test_keeps_what_is_in_force_of_voting_rules_but_what_is_set(self, program):
        ContributorFactory.create_batch(5)

        ended = program(
            "p", "create", "-t", "policy_change", *TEXTS, "--rules-of", "new_benchmark", "--set",
            "quorum_percent=21", "-o", "json",
        )  # fmt: skip

        assert ended.code == 0, ended.err
        assert [change["name"] for change in ended.json["planned"]] == ["quorum_percent"]

    def test_reads_a_file_and_lets_options_win(self, program, tmp_path):
        file = tmp_path / "proposal.toml"
        file.write_text(
            f'type = "deprecate_benchmark"\ntitle = "From the file"\ndescription = "d"\nrationale = "r"\n'
            f'benchmark = "{active_benchmark().slug}"\nreason = "{REASON}"\n'
        )

        ended = program("p", "create", "--file", file, "--title", "From the option", "-o", "json")

        assert (ended.json["title"], ended.json["rationale"]) == ("From the option", "r")

    def test_prints_an_example_that_it_reads_itself(self, program, tmp_path):
        reviewable_benchmark(slug="mmlu")
        file = tmp_path / "proposal.toml"
        file.write_text(program("p", "create", "--example").out)

        assert program("p", "create", "--file", file, "-o", "json").json["benchmark_slug"] == "mmlu"

    def test_submits_at_once(self, program):
        slug = active_benchmark().slug
        options = ("-t", "deprecate_benchmark", *TEXTS, "-b", slug, "--reason", REASON)

        ended = program("p", "create", *options, "--submit", "-o", "json")

        assert ended.json["status"] == "under_review"

    def test_keeps_the_draft_that_could_not_be_submitted(self, program, monkeypatch):
        from llm_benchmark.errors import Conflict
        from llm_benchmark.services.governance import Governance

        def refuse(_self, _proposal_id):
            raise Conflict("Not now.")

        monkeypatch.setattr(Governance, "submit_for_review", refuse)
        options = ("-t", "deprecate_benchmark", *TEXTS, "-b", active_benchmark().slug, "--reason", REASON)

        ended = program("p", "create", *options, "--submit")

        made = Proposal.objects.get()
        assert ended.code == 6
        assert f"llm-benchmark proposal submit-for-review {made.pk}" in ended.err

    @pytest.mark.parametrize(
        ("options", "named"),
        [
            ((), "--type, --title, --description, --rationale"),
            (("-t", "deprecate_benchmark", *TEXTS), "--benchmark"),
            (("-t", "policy_change", *TEXTS), "--rules-of"),
            (("-t", "deprecate_benchmark", *TEXTS, "-b", "{slug}"), "--reason"),
            (("-t", "update_benchmark", *TEXTS, "-b", "{slug}"), "--set NAME=VALUE"),
            (("-t", "policy_change", *TEXTS, "-b", "{slug}", "--set", "speed=1"), "speed cannot be set"),
            (("-t", "update_benchmark", *TEXTS, "-b", "{slug}", "--set", "speed"), "NAME=VALUE"),
        ],
    )
    def test_says_what_is_missing(self, program, options, named):
        slug = active_benchmark().slug

        ended = program("p", "create", *(option.format(slug=slug) for option in options))

        assert (ended.code, Proposal.objects.count()) == (2, 0)
        assert named in ended.err

    def test_refuses_unknown_fields_of_a_file(self, program, tmp_path):
        file = tmp_path / "proposal.json"
        file.write_text(json.dumps({"type": "policy_change", "tittle": "x"}))

        ended = program("p", "create", "--file", file)

        assert (ended.code, "tittle" in ended.err) == (2, True)

    def test_is_for_contributors(self, exchange_as):
        options = ("-t", "deprecate_benchmark", *TEXTS, "-b", active_benchmark().slug, "--reason", REASON)

        assert exchange_as(UserFactory())("p", "create", *options).code == 4


class TestGet:
    def test_says_where_it_stands_and_what_it_does(self, program, author):
        made = reviewed_proposal(author)

        out = program("proposal", "get", made.pk, "-o", "table").out

        assert "Under review: 0 approve, 0 object." in out
        assert f"Deprecates {made.benchmark.name}" in out
        assert "under_review" not in out
        assert f"/proposals/{made.pk}" in out
        assert f"llm-benchmark proposal review {made.pk} --approve" in out

    def test_shows_formula_time_and_the_own_ballot_while_voting_is_open(self, exchange_as):
        made = voting_proposal()
        program = exchange_as(voter_of(made))

        before = program("p", "show", made.pk, "-o", "table").out
        program("p", "vote", made.pk, "--reject")
        after = program("p", "show", made.pk, "-o", "table").out

        assert "3 × approve must be at least 2 × (approve + reject)" in before
        assert "ballots. Abstentions count" in before
        assert "Voting is open for 6 days 23 hours" in before
        assert "have not voted yet" in before
        assert "Your ballot says reject" in after

    def test_says_that_whoever_reads_is_not_on_the_roll(self, exchange_as):
        made = voting_proposal()

        out = exchange_as(UserFactory())("p", "get", made.pk, "-o", "table").out

        assert "You are not on the roll of this vote" in out

    def test_shows_what_was_changed(self, program):
        made = executed_proposal()

        out = program("p", "get", made.pk, "-o", "table").out

        assert "Approved: 3 of 3 votes for. Carried out at" in out
        assert "active" in out
        assert "deprecated" in out

    def test_has_a_line_a_fact_in_pipes(self, program):
        made = reviewed_proposal()

        facts = dict(line.split("\t") for line in program("p", "get", made.pk).out.splitlines())

        assert (facts["status"], facts["action"]) == ("under_review", "deprecate_benchmark")

    def test_cleans_the_text_of_others(self, program):
        made = reviewed_proposal(title="A title", description="all good")
        Proposal.objects.filter(pk=made.pk).update(description="\x1b[2Jgone")

        assert "\x1b" not in program("p", "get", made.pk, "-o", "table").out

    def test_hides_drafts_of_others(self, program):
        assert program("p", "get", draft_proposal().pk).code == 5


class TestReview:
    @pytest.mark.parametrize(
        ("flag", "decision"),
        [("--approve", "approve"), ("--request-changes", "request_changes"), ("--reject", "reject")],
    )
    def test_decides(self, exchange_as, flag, decision):
        made = reviewed_proposal()
        program = exchange_as(ReviewerFactory())

        ended = program("p", "review", made.pk, flag, "--reason", "Anybody can check it.", "-o", "json")

        assert ended.code == 0, ended.err
        assert Review.objects.get().decision == decision == ended.json["decision"]

    def test_says_what_comes_next(self, exchange_as):
        made = reviewed_proposal()

        ended = exchange_as(ReviewerFactory())("p", "review", made.pk, "--approve", "-o", "table")

        assert f"llm-benchmark proposal open-voting {made.pk}" in ended.out

    def test_asks_for_a_decision(self, program):
        assert program("p", "review", reviewed_proposal().pk).code == 2


class TestVote:
    @pytest.mark.parametrize("choice", ["approve", "reject", "abstain"])
    def test_casts_it(self, exchange_as, choice):
        made = voting_proposal()
        voter = voter_of(made)

        ended = exchange_as(voter)(
            "proposal", "vote", made.pk, f"--{choice}", "--reason", "So.", "-o", "json"
        )

        assert ended.code == 0, ended.err
        assert Ballot.objects.get(proposal=made, voter=voter).choice == choice == ended.json["choice"]

    def test_asks_for_a_choice(self, program):
        ended = program("proposal", "vote", voting_proposal().pk)

        assert (ended.code, "--approve, --reject or --abstain" in ended.err) == (2, True)

    @pytest.mark.parametrize(("make", "code"), [(reviewed_proposal, 6), (voting_proposal, 4)])
    def test_is_refused_when_it_is_not_open_or_for_others(self, exchange_as, make, code):
        made = make()

        assert exchange_as(UserFactory())("p", "vote", made.pk, "--approve").code == code

    def test_needs_the_scope(self, exchange_as):
        made = voting_proposal()
        program = exchange_as(voter_of(made), Scope.GOVERNANCE_READ)

        assert program("p", "vote", made.pk, "--approve").code == 4


class TestComment:
    def test_takes_part_and_answers(self, program):
        made = reviewed_proposal()

        first = program("p", "comment", made.pk, "Who says so?", "--kind", "question", "-o", "json")
        answer = program("p", "comment", made.pk, "-m", "I do.", "--reply-to", first.json["id"], "-o", "json")

        assert Comment.objects.get(kind="question").body == "Who says so?"
        assert answer.json["parent_id"] == first.json["id"]
        assert [row["comment"] for row in program("p", "get", made.pk, "--comments").rows] == [
            "Who says so?", "I do.",
        ]  # fmt: skip

    @pytest.mark.parametrize("text", [(), ("twice", "-m", "said")])
    def test_is_said_once(self, program, text):
        assert program("p", "comment", reviewed_proposal().pk, *text).code == 2


class TestWithdraw:
    def test_withdraws_ones_own(self, program, author):
        made = reviewed_proposal(author)

        assert program("p", "withdraw", made.pk, "-o", "json").json["status"] == "withdrawn"
        assert program("p", "withdraw", made.pk).code == 6

    def test_leaves_those_of_others(self, program):
        assert program("p", "withdraw", reviewed_proposal().pk).code == 4


class TestOpenVoting:
    def test_opens_what_is_reviewed(self, program, author):
        ContributorFactory.create_batch(3)

        assert program("p", "open-voting", reviewed_proposal(author).pk).code == 6
        approved = reviewed_proposal(author, approved=True)
        assert program("p", "open-voting", approved.pk, "-o", "json").json["status"] == "voting"


class TestResults:
    def test_are_secret_before_the_count(self, program):
        assert program("p", "results", voting_proposal().pk).code == 6

    def test_say_who_voted_how(self, program):
        made = closed_proposal("approve", "approve", "reject")

        plain, shown = program("p", "results", made.pk), program("p", "results", made.pk, "-o", "table")

        assert sorted(row["vote"] for row in plain.rows) == ["approve", "approve", "reject"]
        assert "3 × 2 = 6 is at least 2 × (2 + 1) = 6. It was met." in shown.out
        assert len(program("p", "results", made.pk, "-o", "json").json["ballots"]) == 3


class TestRetry:
    def test_lets_the_system_try_again(self, program, author):
        made = closed_proposal(proposer=author)
        Proposal.objects.filter(pk=made.pk).update(
            status=ProposalStatus.FAILED, execution_error="There was none.", execution_attempts=1
        )

        shown = program("p", "get", made.pk, "-o", "table").out
        ended = program("p", "retry", made.pk, "-o", "json")

        assert "There was none." in shown
        assert f"llm-benchmark proposal retry {made.pk}" in shown
        assert ended.json["status"] in {"queued", "executed"}

    def test_refuses_what_has_not_failed(self, program, author):
        assert program("p", "retry", reviewed_proposal(author).pk).code == 6


class TestList:
    def test_says_that_there_are_more(self, program, author):
        reviewed_proposal(author)
        reviewed_proposal(author)

        assert "There are more: --limit 5" in program("p", "list", "--limit", "1", "-o", "table").out
        assert "There are more" not in program("p", "list", "-o", "table").out

    def test_lists_and_filters(self, program):
        voting, reviewed = voting_proposal(), reviewed_proposal()

        assert {row["id"] for row in program("p", "list").rows} == {str(voting.pk), str(reviewed.pk)}
        assert [row["id"] for row in program("p", "list", "-s", "voting").rows] == [str(voting.pk)]
        about = program("p", "list", "-b", reviewed.benchmark.slug, "-t", "deprecate_benchmark").rows
        assert [row["id"] for row in about] == [str(reviewed.pk)]

    def test_fits_eighty_columns(self, program):
        reviewed_proposal(
            title="A title that is a good deal longer than what a column of a table has room for"
        )

        out = program("p", "list", "-o", "table").out

        assert all(len(line) <= 80 for line in out.splitlines())
