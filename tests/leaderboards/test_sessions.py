import pytest

from exchange.core.actors import ANONYMOUS
from leaderboards import selectors
from leaderboards.api.serializers import shown_board
from submissions import selectors as claims
from submissions.runs import leases
from submissions.runs.models import Response
from tests.factories.leaderboards import keep_score, measured_quality
from tests.factories.submissions import make_submission, make_verification, question_benchmark, start

pytestmark = pytest.mark.django_db


def shown(benchmark):
    board = selectors.get_leaderboard(actor=ANONYMOUS, benchmark_id=benchmark.pk)
    return shown_board(board, {"size": 50, "token": ""})


def measured_again(benchmark, *rights):
    """One session for each number of right answers, the first ones of 10."""
    verification = make_verification(make_submission(benchmark=benchmark))
    for run, right in zip(claims.list_runs(verification), rights, strict=True):
        held = start(run)
        Response.objects.bulk_create(
            Response(run=held, key=f"q{n}", text=str(2 * n if n < right else 999), raw=b"") for n in range(10)
        )
        keep_score(held, metric="accuracy", value=right / 10, low=0.1, high=0.9, covers="questions")
        leases.end(held, "succeeded", bundle_sha256="a" * 64)


class TestQualityOverSessions:
    def test_has_an_interval_about_the_questions(self):
        benchmark = question_benchmark(policy={"sessions": 2})

        measured_again(benchmark, 8, 4)

        [row] = shown(benchmark)["items"]
        [metric] = [metric for metric in row["metrics"] if metric["name"] == "accuracy"]
        assert row["value"] == pytest.approx(0.6)
        assert metric["covers"] == "questions"
        assert row["sample_count"] == metric["sample_count"] == 10
        # Student's for four 1.0, four 0.5 and two 0.0: sd 0.3944, t(9) 2.2622
        assert (row["low"], row["high"]) == pytest.approx((0.6 - 0.2821, 0.6 + 0.2821), abs=1e-3)


class TestWhatIsShown:
    def test_says_what_the_interval_of_one_session_covers(self):
        benchmark = question_benchmark()
        measured_quality(make_submission(benchmark=benchmark), value=0.8)

        [row] = shown(benchmark)["items"]
        assert [metric["covers"] for metric in row["metrics"]] == ["questions"]

    @pytest.mark.parametrize("is_demo", [True, False])
    def test_marks_the_rows_of_a_demo_organization(self, is_demo):
        benchmark = question_benchmark()
        submission = make_submission(benchmark=benchmark)
        submission.organization.is_demo = is_demo
        submission.organization.save()
        measured_quality(submission, value=0.8)

        assert [row["is_demo"] for row in shown(benchmark)["items"]] == [is_demo]
