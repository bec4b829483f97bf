"""Somebody new: from signing up to a row on a board, and the same claim without scripts."""

import json

import pytest

from exchange.web.words import VERDICTS
from tests.e2e.people import KEY, PASSWORD, QUESTIONS, RIGHT

from .world import link_mailed_to

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

CASES = "\n".join(json.dumps({"key": f"q{n}", "score": float(n < RIGHT)}) for n in range(QUESTIONS))
LOG = b'{"question": "q0", "answer": "0"}\n'
SHARE = RIGHT / QUESTIONS


@pytest.fixture(scope="module")
def submitter(people, lab):
    return people()


@pytest.fixture(scope="module")
def plain(people, stack, lab):
    """A member of the lab's organization whose browser runs no scripts."""
    person = people(javascript=False)
    person.log_in(lab.name, PASSWORD)
    return person


def choose(person, benchmark, deployment):
    person.go("/submit")
    person.select("benchmark", containing=benchmark)
    person.select("subject", containing=deployment)


class TestSigningUp:
    def test_begins_with_a_form(self, submitter):
        submitter.go("/login")
        submitter.look("login")
        submitter.follow("Register", submitter.main)
        submitter.look("register")
        with submitter.watch.expecting(400):
            submitter.fill(email="sam@example.org", username="sam", password="password1234")
            submitter.press("Register", submitter.main)
        submitter.look("register-refused")
        submitter.fill(password=PASSWORD)
        submitter.press("Register", submitter.main)
        submitter.is_at("^/organizations$")
        submitter.look("organizations-none")

    def test_is_finished_by_a_mailed_link(self, submitter, stack):
        submitter.go(link_mailed_to(stack, "sam@example.org"))
        submitter.look("confirm-email")
        submitter.press("Yes, it is mine")
        submitter.is_at("^/profile$")
        submitter.look("profile")


class TestOrganization:
    def test_is_made(self, submitter):
        submitter.go("/organizations")
        submitter.fill(name="Sam’s models", slug="sams-models", description="One person and two models.")
        submitter.press("Make it")
        submitter.is_at("^/organizations/sams-models$")
        submitter.look("organization-new")

    def test_registers_an_endpoint_and_finds_its_models(self, submitter, simulator):
        submitter.follow("Register the first one")
        submitter.look("endpoints-none")
        submitter.fill(name="Home", provider_name="Sam’s provider", base_url=simulator.base_url, api_key=KEY)
        submitter.press("Register", submitter.page.locator("#register-endpoint"))
        submitter.is_at("^/endpoints/")
        submitter.look("endpoint-new")
        submitter.press("Look for models")
        submitter.sees("boasting")
        submitter.go("/organizations/sams-models")
        submitter.look("organization")

    def test_shows_and_invites_its_members(self, submitter):
        submitter.go("/organizations/sams-models/members")
        submitter.look("members")
        submitter.fill(email="friend@example.org")
        submitter.press("Invite")
        submitter.sees("friend@example.org")
        submitter.look("members-invited")


class TestSubmitting:
    def test_chooses_a_benchmark_and_a_deployment(self, submitter):
        choose(submitter, "lab-quality", "able, served by Sam’s provider")
        submitter.look("submit-choose")
        submitter.press("Go on to the claim")
        submitter.look("submit-claim")

    def test_is_told_by_line_what_is_wrong(self, submitter):
        submitter.fill(value_accuracy="0.9", count_accuracy=QUESTIONS, cases='{"key": "q0"}\nnonsense')
        with submitter.watch.expecting(400):
            submitter.press("Check the claim")
        submitter.look("submit-refused")

    def test_passes_the_checks(self, submitter):
        submitter.fill(value_accuracy=SHARE, count_accuracy=QUESTIONS, cases=CASES, notes="Run at home.")
        submitter.press("Check the claim")
        submitter.sees("The checks passed")
        submitter.look("submit-checks")

    def test_submits_with_evidence_and_consents(self, submitter):
        file = {"name": "answers.jsonl", "mimeType": "application/x-ndjson", "buffer": LOG}
        submitter.page.locator('[name="evidence"]').set_input_files(file)
        submitter.press("Submit the claim")
        submitter.sees("Have it measured again")
        submitter.look("submit-consent")
        submitter.page.get_by_label("I accept this bound.").check()
        with submitter.standing_still():
            submitter.press("Measure now")
            submitter.is_at("^/submissions/[0-9a-f-]{36}$")
            submitter.look("submission-measuring")

    def test_watches_until_the_verdict(self, submitter):
        submitter.sees(str(VERDICTS["consistent"]), within_seconds=90)
        submitter.look("submission-verdict")

    def test_has_a_row_on_the_board(self, submitter):
        submitter.follow("lab-quality 1.0.0")
        submitter.sees("Sam’s provider")
        submitter.look("board-with-new-row")


class TestWithoutScripts:
    def test_submits_a_claim(self, plain):
        choose(plain, "lab-quality", "slow, served by Simulated provider")
        plain.press("Go on to the claim")
        plain.fill(value_accuracy=SHARE, cases=CASES)
        plain.press("Check the claim")
        plain.press("Submit the claim")
        plain.page.get_by_label("I accept this bound.").check()
        plain.press("Measure now")
        plain.is_at("^/submissions/[0-9a-f-]{36}$")
        plain.look("submission-no-scripts")
