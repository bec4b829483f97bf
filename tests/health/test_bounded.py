import threading
from time import monotonic

from exchange.health import bounded
from exchange.health.bounded import Bounded

LONG = 60


def answer(question, seconds=LONG):
    question.begin()
    return question.answer(until=monotonic() + seconds)


class TestBounded:
    def test_keeps_an_answer_for_a_while(self, monkeypatch):
        monkeypatch.setattr(bounded, "KEPT_SECONDS", LONG)
        counted = iter(range(10))
        question = Bounded(lambda: next(counted))
        assert [answer(question), answer(question)] == [0, 0]

    def test_asks_again_afterwards(self, monkeypatch):
        monkeypatch.setattr(bounded, "KEPT_SECONDS", 0)
        counted = iter(range(10))
        question = Bounded(lambda: next(counted))
        assert [answer(question), answer(question)] == [0, 1]

    def test_takes_a_failure_for_no_answer(self):
        assert answer(Bounded(lambda: 1 / 0)) is None

    def test_takes_no_answer_of_before_for_one_of_now(self, monkeypatch):
        monkeypatch.setattr(bounded, "KEPT_SECONDS", 0)
        release, answers = threading.Event(), iter(["was", "is"])
        release.set()

        def ask():
            release.wait(LONG)
            return next(answers)

        question = Bounded(ask)
        assert answer(question) == "was"
        release.clear()
        assert answer(question, seconds=0) is None
        release.set()
        assert question.answer(until=monotonic() + LONG) == "is"
