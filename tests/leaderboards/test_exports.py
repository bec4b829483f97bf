import csv
import io
import json

import pytest

from exchange.core.actors import ANONYMOUS
from leaderboards import exports, selectors
from leaderboards.api import files
from leaderboards.api.serializers import shown_board
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission, question_benchmark


@pytest.fixture
def benchmark(db):
    made = question_benchmark()
    for value in (0.5, 0.9, 0.7):
        measured_quality(make_submission(benchmark=made), value=value, low=value - 0.1, high=value + 0.05)
    make_submission(benchmark=made)
    return made


def content(benchmark, **options):
    export = exports.get_export(actor=ANONYMOUS, benchmark_id=benchmark.pk, **options)
    return b"".join(files.content(export))


def lines(benchmark, **options):
    text = content(benchmark, **options).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


class TestCsv:
    def test_has_the_board_in_its_order_with_its_ranks(self, benchmark):
        rows = lines(benchmark)

        assert [(row["rank"], row["value"]) for row in rows] == [("1", "0.9"), ("2", "0.7"), ("3", "0.5")]
        assert {row["benchmark_slug"] for row in rows} == {benchmark.slug}
        assert rows[0]["accuracy.low"] == rows[0]["low"]

    def test_ends_its_lines_and_quotes_as_rfc_4180_says(self, benchmark):
        submission = make_submission(benchmark=benchmark)
        submission.organization.name = 'Say "hi", all\nof you'
        submission.organization.save()
        measured_quality(submission, value=0.1)

        raw = content(benchmark)
        assert b'"Say ""hi"", all\nof you"' in raw
        assert raw.endswith(b"\r\n")
        assert lines(benchmark)[-1]["organization_name"] == 'Say "hi", all\nof you'

    def test_neutralises_what_people_wrote(self, benchmark):
        submission = make_submission(benchmark=benchmark)
        submission.model.name = "=1+1"
        submission.model.save()
        measured_quality(submission, value=0.1)

        assert lines(benchmark)[-1]["model_name"] == "'=1+1"

    def test_lists_claims_last_when_they_are_asked_for(self, benchmark):
        rows = lines(benchmark, verified_only=False)
        assert (len(rows), rows[-1]["rank"], rows[-1]["claimed_value"]) == (4, "", "0.8")

    def test_chooses_rows_and_keeps_their_ranks(self, benchmark):
        board = selectors.get_leaderboard(actor=ANONYMOUS, benchmark_id=benchmark.pk)
        last = board.rows[-1].submission
        [row] = lines(benchmark, organization_id=last.organization_id)
        assert (row["rank"], row["submission_id"]) == ("3", str(last.pk))


class TestJson:
    def test_is_the_board_that_rest_shows(self, benchmark):
        board = selectors.get_leaderboard(actor=ANONYMOUS, benchmark_id=benchmark.pk, verified_only=False)
        shown = json.loads(json.dumps(shown_board(board, {"size": 50, "token": ""}), default=str))
        del shown["next_page_token"]
        assert json.loads(content(benchmark, format="json", verified_only=False)) == shown

    def test_of_an_empty_board_is_whole(self, db):
        assert json.loads(content(question_benchmark(), format="json"))["items"] == []


class TestReading:
    def test_goes_on_in_parts(self, benchmark, monkeypatch, django_assert_num_queries):
        monkeypatch.setattr(exports, "AT_ONCE", 2)
        export = exports.get_export(actor=ANONYMOUS, benchmark_id=benchmark.pk)

        assert next(export.rows).standing.rank == 1
        with django_assert_num_queries(0):
            assert next(export.rows).standing.rank == 2
        assert next(export.rows).standing.rank == 3

    def test_leaves_out_a_row_that_went_meanwhile(self, benchmark):
        export = exports.get_export(actor=ANONYMOUS, benchmark_id=benchmark.pk)
        selectors.Entry.objects.filter(value=0.9).delete()
        assert [row.standing.rank for row in export.rows] == [2, 3]
