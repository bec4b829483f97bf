import json
from functools import partial

import pytest

from exchange.core.actors import OrganizationRole
from llm_benchmark.transport import Transport
from submissions.models import Verification
from tests.factories.accounts import MembershipFactory
from tests.factories.submissions import (
    decided,
    fail,
    make_load_submission,
    make_submission,
    make_verification,
    settle,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def membership():
    return MembershipFactory(role=OrganizationRole.MEMBER)


@pytest.fixture
def program(exchange_as, membership):
    return exchange_as(membership.user)


@pytest.fixture
def claim(membership):
    """8 of 10 questions, with a result for each."""
    return make_submission(organization=membership.organization)


@pytest.fixture
def worker(monkeypatch):
    """`worker(right=8)`: measures while the program waits, between its first two looks."""

    def hire(*, right=8, act=None):
        def work(_seconds):
            [verification] = Verification.objects.exclude(status="decided")
            (act or (lambda found: settle(found, right=right)))(verification)

        monkeypatch.setattr("llm_benchmark.client.Transport", partial(Transport, wait=work))

    return hire


class TestConsent:
    def test_is_asked_for_with_the_bound(self, program, claim, worker):
        worker()

        ended = program("verify", claim.pk, typed="y\n", is_watched=True)

        assert "requests and" in ended.err
        assert "tokens at your endpoint" in ended.err
        assert (ended.code, Verification.objects.get().status) == (0, "decided")

    def test_is_not_assumed_where_nobody_can_be_asked(self, program, claim):
        ended = program("verify", claim.pk)

        assert (ended.code, Verification.objects.count()) == (2, 0)
        assert "--yes" in ended.err

    def test_refused_asks_nothing_of_anybody(self, program, claim):
        ended = program("verify", claim.pk, typed="n\n", is_watched=True)

        assert (ended.code, Verification.objects.count()) == (6, 0)

    def test_for_a_load_says_that_sessions_may_repeat(self, program, membership):
        claim = make_load_submission(organization=membership.organization)

        assert "begins again" in program("verify", claim.pk).err


class TestVerdict:
    @pytest.mark.parametrize(("right", "came_to"), [(8, (0, "consistent")), (1, (9, "refuted"))])
    def test_gives_the_exit_code(self, program, claim, worker, right, came_to):
        worker(right=right)

        ended = program("verify", claim.pk, "--yes", "-o", "json")

        assert (ended.code, ended.json["verdict"]) == came_to

    def test_is_said_and_drawn(self, program, claim, worker):
        worker(right=1)

        ended = program("verify", claim.pk, "--yes", "-o", "table")

        text = ended.out.replace("\u00a0", " ")
        assert "Refuted: claimed 80.0 %, measured 10.0 %." in text
        assert "░◇░" in text
        assert "● measured again 10.0 %" in text
        assert "Compared case by case" in text
        assert f"/submissions/{claim.pk}" in text

    def test_is_coloured_on_a_terminal_unless_that_is_turned_off(self, program, claim):
        decided(claim, right=1)

        shown = program("verify", claim.pk, "--follow", is_watched=True, typed="")
        plain = program("verify", claim.pk, "--follow", "--no-color", is_watched=True, typed="")

        assert "\x1b[31m" in shown.out
        assert "\x1b" not in plain.out
        assert "Refuted" in plain.out

    def test_has_a_line_a_value_in_pipes(self, program, claim):
        decided(claim, right=1)

        out = program("verify", claim.pk, "--follow").out
        facts = dict(line.split("\t") for line in out.splitlines())

        assert (facts["verdict"], facts["accuracy_claimed"], facts["accuracy_measured"]) == (
            "refuted", "0.8", "0.1",
        )  # fmt: skip

    def test_is_not_there_where_nothing_was_measured(self, program, claim, worker):
        worker(act=lambda found: [fail(_started(run)) for run in found.runs.all()])

        ended = program("verify", claim.pk, "--yes", "-o", "table")

        assert ended.code == 1
        assert "says nothing about the model" in ended.out.replace("\n", " ")

    def test_tells_phases_in_lines_where_nobody_watches(self, program, claim, worker):
        worker()

        assert program("verify", claim.pk, "--yes").err == "Waiting for a worker …\n"


class TestDetach:
    def test_says_how_to_look_again(self, program, claim, worker):
        def interrupt(_verification):
            raise KeyboardInterrupt

        worker(act=interrupt)

        ended = program("verify", claim.pk, "--yes")

        found = Verification.objects.get()
        assert (ended.code, found.status) == (130, "requested")
        assert f"llm-benchmark verify --follow {found.pk}" in ended.err
        assert "the measurement goes on" in ended.err

    def test_is_the_same_as_not_to_wait(self, program, claim):
        ended = program("verify", claim.pk, "--yes", "--no-wait", "-o", "table")

        assert ended.code == 0
        assert f"llm-benchmark verify --follow {Verification.objects.get().pk}" in ended.out


class TestFollow:
    @pytest.mark.parametrize("of", ["submission", "verification"])
    def test_finds_it_by_either_id(self, program, claim, of):
        verification = decided(claim)
        given = claim.pk if of == "submission" else verification.pk

        assert program("verify", "--follow", given, "-o", "json").json["id"] == str(verification.pk)

    def test_is_known_by_its_older_name(self, program, claim):
        decided(claim)

        ended = program("submit", "request-verification", claim.pk, "--follow", "-o", "json")

        assert ended.json["submission_id"] == str(claim.pk)

    def test_says_that_there_is_none(self, program, claim):
        ended = program("verify", "--follow", claim.pk)

        assert (ended.code, f"llm-benchmark verify {claim.pk}" in ended.err) == (5, True)


class TestCancel:
    def test_stops_it(self, program, claim):
        verification = make_verification(claim)

        ended = program("verify", "--cancel", claim.pk, "-o", "json")

        assert (ended.code, ended.json["status"]) == (0, "cancelled")
        assert program("verify", "--cancel", verification.pk).code == 6

    def test_does_not_go_with_following(self, program):
        assert program("verify", "--cancel", "--follow", "x").code == 2


class TestRefusals:
    def test_of_a_second_one_say_how_to_watch_the_first(self, program, claim):
        make_verification(claim)

        ended = program("verify", claim.pk, "--yes")

        assert (ended.code, f"verify --follow {claim.pk}" in ended.err) == (6, True)

    def test_of_a_decided_claim_ask_for_a_reason(self, program, claim, worker):
        decided(claim)

        refused = program("verify", claim.pk, "--yes")
        assert (refused.code, "--reason" in refused.err) == (6, True)
        worker()
        assert program("verify", claim.pk, "--yes", "--reason", "dispute").code == 0

    def test_of_a_claim_without_a_deployment_say_what_to_look_at(self, program, membership):
        claim = make_submission(organization=membership.organization, deployment=None)

        ended = program("verify", claim.pk, "--yes", "-o", "json")

        error = json.loads(ended.err)["error"]
        assert (ended.code, error["code"]) == (6, "deployment_required")
        assert "llm-benchmark provider models" in error["next_steps"][0]

    def test_of_somebody_elses_claim_say_so(self, program):
        assert program("verify", make_submission().pk, "--yes").code == 4


def _started(run):
    from tests.factories.submissions import start

    return start(run)
