"""Claims that were measured again, with the scores a worker stores."""

from submissions import selectors
from submissions.runs import leases
from submissions.runs.models import Response, Score
from tests.factories.submissions import answer_questions, load_session, make_verification, start

ACCURACY = {"metric": "accuracy", "low": 0.4, "high": 0.9, "covers": "questions"}


def keep_score(run, **score):
    Score.objects.create(
        run=run,
        **{"confidence": 0.95, "sample_count": 10, "is_stated": True, "scorer_version": "test", **score},
    )


def measured_quality(submission, *, value, right=None, **score):
    """Decide a claim on `question_benchmark()` by a re-run with this accuracy.

    `right`: the keys answered right; by default the first ones.
    """
    verification = make_verification(submission, **_repeat(submission))
    for run in selectors.list_runs(verification):
        held = start(run)
        answer_questions(held, round(value * 10))
        if right is not None:
            answers = Response.objects.filter(run=held)
            answers.update(text="no idea", score=0.0)
            for answer in answers.filter(key__in=right):
                answer.text, answer.score = held.version.cases.get(key=answer.key).reference, 1.0
                answer.save()
        keep_score(held, **{**ACCURACY, **score, "value": value})
        leases.end(held, "succeeded", bundle_sha256="a" * 64)
    verification.refresh_from_db()
    return verification


def measured_speed(submission, *, ttft, low=None, high=None, flags=()):
    """Decide a claim on `load_benchmark()` by a re-run with this median, or one for each session."""
    verification = make_verification(submission, **_repeat(submission))
    runs = selectors.list_runs(verification)
    for run, median in zip(runs, ttft if isinstance(ttft, list) else [ttft] * len(runs), strict=True):
        held = start(run)
        keep_score(held, metric="ttft_p50", value=median, low=low, high=high)
        leases.end(
            held,
            "succeeded",
            session=load_session(ttft=median),
            bundle_sha256="a" * 64,
            flags=list(flags),
        )
    verification.refresh_from_db()
    return verification


def _repeat(submission):
    submission.refresh_from_db()
    return {"repeat_reason": "dispute"} if submission.verification_id else {}
