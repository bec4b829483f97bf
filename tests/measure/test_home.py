import tracemalloc
import zipfile

import pytest

from llm_benchmark.measure.bundle import check
from llm_benchmark.measure.canonical import digest
from llm_benchmark.measure.home import LEDGER, HomeSink
from llm_benchmark.measure.plans import Answer, Failure, QualityOutcome, QualityPlan, Question, Side, Usage
from llm_benchmark.measure.sink import Purpose, Reservation, SettledAs, Settlement


def answer(key="q1", raw=b"{}", **fields):
    return Answer(key=key, text="42", raw=raw, latency_ms=1.5, http_status=200, usage=Usage(1, 2), **fields)


def reserve(sink, *keys):
    return sink.reserve([Reservation(Purpose.QUESTION, key, 1) for key in keys])


class TestHomeSink:
    @pytest.mark.parametrize("raw", [b'{"a": "\xc3\xa9"}', b"\xff\x00\xfe", b""])
    def test_gives_back_what_it_was_told(self, tmp_path, raw):
        with HomeSink(tmp_path) as sink:
            ids = reserve(sink, "q1", "q2")
            sink.sent(ids)
            sink.settled([Settlement(ids[0], SettledAs.SETTLED, 200, answer=answer(raw=raw))])

        with HomeSink(tmp_path) as again:
            assert list(again.answers) == [answer(raw=raw)]
            assert again.answered == {"q1"}

    def test_closes_what_a_crash_left_open(self, tmp_path):
        with HomeSink(tmp_path) as sink:
            ids = reserve(sink, "q1", "q2", "q3")
            sink.sent(ids[:2])
            sink.settled([Settlement(ids[0], SettledAs.SETTLED, 200, answer=answer())])

        with HomeSink(tmp_path) as again:
            assert [attempt.state for attempt in again.attempts.values()] == ["settled", "lost", "released"]
            assert again.answered == {"q1"}

    def test_drops_a_torn_last_line(self, tmp_path):
        with HomeSink(tmp_path) as sink:
            reserve(sink, "q1")
        with (tmp_path / LEDGER).open("ab") as ledger:
            ledger.write(b'{"event":"sent","i')

        with HomeSink(tmp_path) as again:
            assert again.attempts[1].state == "released"
            assert list(reserve(again, "q2")) == [2]
        with HomeSink(tmp_path) as third:
            assert len(third.attempts) == 2

    def test_numbers_attempts_on_from_where_they_stopped(self, tmp_path):
        with HomeSink(tmp_path) as sink:
            reserve(sink, "q1", "q2")

        with HomeSink(tmp_path) as again:
            assert list(reserve(again, "q1")) == [3]

    def test_does_not_take_a_canary_for_an_answer(self, tmp_path):
        with HomeSink(tmp_path) as sink:
            ids = sink.reserve([Reservation(Purpose.CANARY, "canary", 1)])
            sink.sent(ids)
            sink.settled([Settlement(ids[0], SettledAs.SETTLED, 200, answer=answer("canary"))])

            assert sink.answered == frozenset()

    def test_writes_what_the_platform_checks(self, tmp_path):
        plan = QualityPlan([Question(f"q{i}", "6 × 7?", "42", "numeric_v1") for i in (1, 2)], order_seed=5)
        with HomeSink(tmp_path / "run") as sink:
            ids = reserve(sink, "q2", "q1")
            sink.sent(ids)
            sink.settled([Settlement(ids[0], SettledAs.SETTLED, 200, answer=answer("q2"))])
        with HomeSink(tmp_path / "run") as again:
            (last,) = reserve(again, "q1")
            again.settled([Settlement(last, SettledAs.SETTLED, 200, answer=answer("q1"))])
            outcome = QualityOutcome({"q1": None}, attempts=1, returned_model=None)
            path = tmp_path / "run.zip"
            sha256 = again.write_quality_bundle(path, plan=plan, outcome=outcome, configuration={"seed": 1})

        report = check(path, sha256=sha256)
        assert (report.ok, report.problems) == (True, ())
        assert report.scores["metrics"]["accuracy"]["value"] == 1
        assert report.manifest["fingerprint"] == digest({"seed": 1})
        with zipfile.ZipFile(path) as archive:
            assert archive.read("journal.jsonl").count(b"\n") == 3

    def test_takes_the_last_answer_to_a_question_that_was_asked_again(self, tmp_path):
        with HomeSink(tmp_path) as sink:
            first, other, again = reserve(sink, "q1", "q2", "q1")
            for id_, key, error in ((first, "q1", "overloaded"), (other, "q2", None), (again, "q1", None)):
                kept = answer(key, raw=f"{id_}".encode(), error=error)
                sink.settled([Settlement(id_, SettledAs.SETTLED, 200, answer=kept)])

            assert [(found.key, found.raw) for found in sink.answers] == [("q1", b"3"), ("q2", b"2")]
            assert sink.ends == {"q1": None, "q2": None}

    def test_leaves_answers_where_they_are_stored(self, tmp_path):
        with HomeSink(tmp_path) as sink:
            ids = reserve(sink, *(f"q{n}" for n in range(9)))
            tracemalloc.start()
            for number, id_ in enumerate(ids):
                kept = answer(f"q{number}", raw=b"x" * 1_000_000)
                sink.settled([Settlement(id_, SettledAs.SETTLED, 200, answer=kept)])
            del kept
            held, _peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()

        assert held < 1_000_000

    def test_writes_no_bundle_of_a_run_that_failed(self, tmp_path):
        failed = QualityOutcome({}, 0, None, failure=Failure(Side.PROVIDER, "overloaded", "Overloaded."))
        with HomeSink(tmp_path) as sink, pytest.raises(ValueError, match="no bundle"):
            sink.write_quality_bundle(
                tmp_path / "run.zip", plan=QualityPlan([]), outcome=failed, configuration={}
            )

    def test_is_readable_by_its_owner_alone(self, tmp_path):
        with HomeSink(tmp_path):
            assert (tmp_path / LEDGER).stat().st_mode & 0o077 == 0
