"""Two facts about one row at the same time, on connections of their own."""

import threading

import pytest

from exchange.core.actors import ANONYMOUS, SYSTEM
from exchange.core.tenancy import acting_for
from leaderboards import selectors
from submissions import selectors as claims
from submissions import services as submissions
from submissions.runs import leases
from tests.factories.accounts import OrganizationFactory
from tests.factories.leaderboards import ACCURACY, keep_score
from tests.factories.submissions import (
    answer_questions,
    deployment_of,
    make_submission,
    make_verification,
    question_benchmark,
    start,
    submitter_of,
)
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
LONG_ENOUGH_SECONDS = 1


@pytest.fixture
def overtaken(monkeypatch):
    """Run `first` and, once it has read the row's latest verdict, `second`, to its end if it is let."""
    read, done, reader = threading.Event(), threading.Event(), []
    original = selectors.latest_decided

    def latest_decided(submission):
        found = original(submission)
        if threading.get_ident() in reader:
            read.set()
            done.wait(LONG_ENOUGH_SECONDS)
        return found

    monkeypatch.setattr(selectors, "latest_decided", latest_decided)

    def run(first, second):
        def slow():
            reader.append(threading.get_ident())
            return first()

        def quick():
            read.wait(LONG_ENOUGH_SECONDS)
            try:
                return second()
            finally:
                done.set()

        answers = together(slow, quick)
        assert [answer for answer in answers if isinstance(answer, Exception)] == []

    return run


def about_to_decide(submission, value):
    """The last step of a measurement: what ends its run."""
    with acting_for(SYSTEM):
        [run] = claims.list_runs(make_verification(submission))
        held = start(run)
        answer_questions(held, round(value * 10))
        keep_score(held, **{**ACCURACY, "value": value})

    def decide():
        with acting_for(SYSTEM):
            leases.end(held, "succeeded", bundle_sha256="a" * 64)

    return decide


def values_on(benchmark):
    board = selectors.get_leaderboard(actor=ANONYMOUS, benchmark_id=benchmark.pk)
    return [row.entry.value for row in board.rows]


class TestOneRow:
    @pytest.fixture
    def benchmark(self):
        return question_benchmark()

    @pytest.fixture
    def organization(self):
        return OrganizationFactory()

    @pytest.fixture
    def claim(self, benchmark, organization):
        """Makes claims of one model, each on a deployment of its own."""
        model = deployment_of(organization).model

        def make():
            deployment = deployment_of(organization)
            deployment.model = model
            deployment.save()
            return make_submission(organization=organization, benchmark=benchmark, deployment=deployment)

        return make

    def test_shows_the_later_of_two_decisions_at_once(self, overtaken, benchmark, claim):
        earlier, later = about_to_decide(claim(), 0.8), about_to_decide(claim(), 0.7)

        overtaken(earlier, later)

        assert values_on(benchmark) == [0.7]

    def test_stays_when_a_decision_comes_during_a_withdrawal(self, overtaken, benchmark, organization, claim):
        gone = claim()
        about_to_decide(gone, 0.9)()
        actor = submitter_of(organization)

        def withdraw():
            submissions.withdraw_submission(actor=actor, submission_id=gone.pk, reason="the wrong model")

        overtaken(withdraw, about_to_decide(claim(), 0.6))

        assert values_on(benchmark) == [0.6]

    def test_goes_when_a_withdrawal_comes_during_a_decision(self, overtaken, benchmark, organization, claim):
        gone = claim()
        about_to_decide(gone, 0.9)()
        actor, decide = submitter_of(organization), about_to_decide(claim(), 0.6)

        def withdraw():
            submissions.withdraw_submission(actor=actor, submission_id=gone.pk, reason="the wrong model")

        overtaken(decide, withdraw)

        assert values_on(benchmark) == [0.6]
