"""The community decides: a proposal, its debate, three ways to vote, the count and what it changes."""

import pytest

from tests.e2e.people import PASSWORD

from .conftest import VOTING_SECONDS
from .world import log_in, unreviewed_benchmark

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

TITLE = "Endorse sums for beginners"
WHY = "Everybody can check these sums by hand, which is how a first board should be."


@pytest.fixture(scope="module")
def proposer(people, stack, lab):
    """A contributor, whose benchmark waits for an endorsement."""
    unreviewed_benchmark(lab, "sums-for-beginners", "Sums for beginners")
    stack.manage("grant_role", lab.name, "contributor")
    person = people()
    person.log_in(lab.name, PASSWORD)
    return person


@pytest.fixture(scope="module")
def reviewer(people, stack):
    return log_in(people(), stack, "rowena", role="reviewer")


@pytest.fixture(scope="module")
def voter(people, stack):
    return log_in(people(), stack, "vera", role="contributor")


@pytest.fixture(scope="module")
def typist(people, stack):
    """Somebody who uses the keyboard alone."""
    return log_in(people(), stack, "kim", role="contributor")


@pytest.fixture(scope="module")
def plain(people, stack):
    """Somebody whose browser runs no scripts."""
    return log_in(people(javascript=False), stack, "nora", role="contributor")


@pytest.fixture(scope="module")
def electorate(voter, typist, plain, reviewer):
    """Whoever is on the roll has to be there before the voting opens."""


def open_proposal(person):
    person.go("/proposals")
    person.follow(TITLE, person.main)


class TestProposal:
    def test_is_drafted_by_a_contributor(self, proposer):
        proposer.go("/proposals")
        proposer.look("proposals-none")
        proposer.follow("The voting rules")
        proposer.look("voting-rules")
        proposer.go("/proposals")
        proposer.follow("New proposal")
        proposer.look("proposal-choose")
        chosen = proposer.page.locator("form", has=proposer.page.locator('input[value="activate_benchmark"]'))
        chosen.locator("select").select_option(label="Sums for beginners")
        proposer.press("Continue", chosen)
        proposer.fill(title=TITLE, description=WHY, rationale=WHY)
        proposer.look("proposal-form")
        proposer.press("Make a draft")
        proposer.is_at("^/proposals/[0-9a-f-]{36}$")
        proposer.look("proposal-draft")

    def test_goes_to_review(self, proposer):
        proposer.press("Send to review")
        proposer.sees("Under review.")

    def test_is_debated(self, voter, proposer):
        open_proposal(voter)
        voter.fill(body="Who checks that the sums stay the same?", kind="question")
        voter.press("Say it")
        open_proposal(proposer)
        proposer.follow("Answer")
        proposer.fill(body="The version’s hash covers every question.")
        proposer.press("Say it")
        proposer.sees("The version’s hash covers every question.")
        proposer.look("proposal-debate")

    def test_is_approved_by_a_reviewer(self, reviewer):
        open_proposal(reviewer)
        reviewer.page.get_by_label("Approve", exact=True).check()
        reviewer.fill(reason="The questions are clear and the rules fit.")
        reviewer.look("proposal-review")
        reviewer.press("Send the review")
        reviewer.sees("Reviewed, and ready for the vote.")


class TestVote:
    def test_opens(self, electorate, proposer):
        open_proposal(proposer)
        proposer.press("Open the voting")
        proposer.sees("Voting is open until")

    def test_is_cast_and_changed(self, voter):
        open_proposal(voter)
        voter.page.get_by_label("Reject", exact=True).check()
        voter.fill(reason="Too easy.")
        voter.press("Vote")
        voter.sees("Your ballot says “Reject”")
        voter.page.get_by_label("Approve", exact=True).check()
        voter.fill(reason="For beginners it will do.")
        voter.press("Change vote")
        voter.sees("Your ballot says “Approve”")

    def test_is_cast_by_keyboard_alone(self, typist):
        typist.go("/proposals")
        press, page = typist.page.keyboard.press, typist.page
        typist.tab_to(typist.main.get_by_role("link", name=TITLE))
        with typist.loading():
            press("Enter")
        typist.tab_to(page.locator('[name="choice"]').first)
        press("Space")
        assert page.get_by_label("Approve", exact=True).is_checked()
        typist.tab_to(page.locator('#vote [name="reason"]'))
        page.keyboard.type("I sum by hand, and I vote by hand.")
        typist.tab_to(page.get_by_role("button", name="Vote"))
        with typist.loading():
            press("Enter")
        typist.sees("Your ballot says “Approve”")

    def test_is_cast_without_scripts(self, plain):
        open_proposal(plain)
        plain.page.get_by_label("Abstain", exact=True).check()
        plain.press("Vote")
        plain.sees("Your ballot says “Abstain”")
        plain.look("proposal-vote-no-scripts")

    def test_tells_nobody_who_has_voted(self, reviewer):
        open_proposal(reviewer)
        reviewer.sees("Until then nobody sees how many have voted")
        assert reviewer.main.get_by_role("heading", name="Roll call").count() == 0
        reviewer.look("proposal-voting")
        reviewer.go("/proposals")
        reviewer.look("proposals-voting")


class TestForms:
    """The other things that can be proposed, looked at while ballots come in."""

    @pytest.mark.parametrize(
        ("kind", "subject"),
        [
            ("update_benchmark", "lab-quality"),
            ("deprecate_benchmark", "lab-quality"),
            ("set_verification_policy", "lab-performance"),
            ("set_voting_rules", ""),
        ],
    )
    def test_ask_for_what_the_system_will_do(self, proposer, kind, subject):
        proposer.go("/proposals/new")
        chosen = proposer.page.locator("form", has=proposer.page.locator(f'input[value="{kind}"]'))
        if subject:
            chosen.locator("select").select_option(label=subject)
        proposer.press("Continue", chosen)
        proposer.look(f"proposal-form-{kind.replace('_', '-')}")


class TestResult:
    def test_is_counted_after_the_close_and_carried_out(self, voter):
        open_proposal(voter)
        voter.sees_after_reloading("Carried out on", within_seconds=VOTING_SECONDS + 60)
        voter.look("proposal-executed")

    def test_names_everybody_who_voted(self, voter):
        voter.follow("The whole electorate")
        voter.look("roll-call")
        rows = voter.main.locator("tbody tr")
        said = {name: rows.filter(has_text=name).inner_text() for name in ("vera", "kim", "nora", "rowena")}
        assert "Approve" in said["vera"]
        assert "Approve" in said["kim"]
        assert "Abstain" in said["nora"]
        assert "did not vote" in said["rowena"]

    def test_has_changed_the_benchmark(self, voter):
        voter.go("/benchmarks/sums-for-beginners")
        voter.sees("Submit a result")
        voter.sees("endorsed")
        voter.look("benchmark-endorsed")
