import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exchange.core.actors import ANONYMOUS, Scope
from submissions import selectors, services
from submissions.api.serializers import SubmissionSerializer
from submissions.errors import SubmissionNotFound, VerificationNotFound
from tests.factories import submissions as f
from tests.factories.accounts import OrganizationFactory

pytestmark = pytest.mark.django_db


def sees(actor, submission, **filters):
    listed = submission in selectors.list_submissions(actor=actor, **filters)
    try:
        return listed, selectors.get_submission(actor=actor, submission_id=submission.pk) is not None
    except SubmissionNotFound:
        return listed, False


class TestVisibility:
    @pytest.mark.parametrize(
        ("visibility", "expected"),
        [("public", (True, True)), ("unlisted", (False, True)), ("private", (False, False))],
    )
    def test_decides_what_the_public_sees(self, visibility, expected):
        submission = f.make_submission(visibility=visibility)
        assert sees(ANONYMOUS, submission) == expected
        assert sees(f.submitter_of(OrganizationFactory()), submission) == expected

    @pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
    def test_never_hides_a_claim_from_its_organization(self, visibility):
        submission = f.make_submission(visibility=visibility)
        assert sees(f.submitter_of(submission.organization, "viewer"), submission) == (True, True)

    def test_is_the_publics_for_a_token_without_the_scope(self, actor_of):
        submission = f.make_submission(visibility="private")
        actor = actor_of(submission.organization, scopes=[Scope.PROFILE_READ])
        assert sees(actor, submission) == (False, False)

    def test_hides_claims_on_a_benchmark_that_became_private(self):
        submission = f.make_submission()
        submission.version.benchmark.visibility = "private"
        submission.version.benchmark.save()
        assert sees(ANONYMOUS, submission) == (False, False)

    def test_lists_an_unlisted_benchmarks_claims_for_whoever_names_it(self):
        submission = f.make_submission()
        benchmark = submission.version.benchmark
        benchmark.visibility = "unlisted"
        benchmark.save()
        assert sees(ANONYMOUS, submission) == (False, True)
        assert sees(ANONYMOUS, submission, benchmark_id=benchmark.pk) == (True, True)

    @pytest.mark.parametrize(
        ("visibility", "expected"), [("public", (True, True)), ("private", (False, False))]
    )
    def test_keeps_a_tombstone_where_the_claim_was(self, visibility, expected):
        submission = f.make_submission(visibility=visibility)
        services.withdraw_submission(
            actor=f.submitter_of(submission.organization),
            submission_id=submission.pk,
            reason="a mistake of ours",
        )
        assert sees(ANONYMOUS, submission) == expected

    def test_reaches_verifications_and_evidence(self):
        submission = f.make_submission(visibility="private")
        verification = f.make_verification(submission)
        with pytest.raises(VerificationNotFound):
            selectors.get_verification(actor=ANONYMOUS, verification_id=verification.pk)
        with pytest.raises(SubmissionNotFound):
            selectors.list_verifications(actor=ANONYMOUS, submission_id=submission.pk)
        with pytest.raises(SubmissionNotFound):
            selectors.list_evidence(actor=ANONYMOUS, submission_id=submission.pk)
        with pytest.raises(VerificationNotFound):
            selectors.list_case_comparisons(actor=ANONYMOUS, verification_id=verification.pk)


class TestListSubmissions:
    def test_filters(self):
        one, other = f.decided().submission, f.make_submission()
        for filters in (
            {"benchmark_id": one.version.benchmark_id},
            {"version_id": one.version_id},
            {"model_id": one.model_id},
            {"organization_id": one.organization_id},
            {"verdict": "consistent"},
        ):
            assert list(selectors.list_submissions(actor=ANONYMOUS, **filters)) == [one], filters
        assert set(selectors.list_submissions(actor=ANONYMOUS)) == {one, other}

    def test_takes_the_same_number_of_queries_for_many(self):
        def count():
            with CaptureQueriesContext(connection) as queries:
                SubmissionSerializer(selectors.list_submissions(actor=ANONYMOUS), many=True).data  # noqa: B018
            return len(queries)

        f.decided()
        few = count()
        for _ in range(3):
            f.make_submission()
        assert count() == few


class TestListCaseComparisons:
    def rows(self, verification, actor=ANONYMOUS):
        return list(selectors.list_case_comparisons(actor=actor, verification_id=verification.pk))

    def test_puts_both_scores_side_by_side(self):
        rows = self.rows(f.decided(right=7))
        assert [row.key for row in rows] == [f"q{n}" for n in range(10)]
        assert [(row.claimed_score, row.measured_score) for row in rows[6:9]] == [
            (1.0, 1.0),
            (1.0, 0.0),
            (0.0, 0.0),
        ]

    def test_hides_answers_of_cases_that_are_not_public(self):
        verification = f.decided()
        row = self.rows(verification)[0]
        assert (row.measured_answer, row.shown_reference) == (None, None)
        assert bytes(row.measured_raw) == b"q0"
        own = self.rows(verification, f.submitter_of(verification.submission.organization))[0]
        assert (own.measured_answer, own.shown_reference) == ("0", "0")

    def test_shows_answers_of_public_cases(self):
        verification = f.decided(f.make_submission(benchmark=f.question_benchmark(cases_public=True)))
        assert self.rows(verification)[1].shown_reference == "2"

    def test_shows_nothing_measured_before_the_end(self):
        verification = f.make_verification()
        run = f.start(verification.runs.get())
        f.answer_questions(run, 8)
        row = self.rows(verification)[0]
        assert (row.claimed_score, row.measured_score, row.measured_raw) == (1.0, None, None)


class TestForTheHomePage:
    def test_counts_each_verdict_of_standing_public_claims(self):
        f.decided()
        f.decided(right=0)
        f.decided(f.make_submission(visibility="private"))
        f.make_submission()
        gone = f.decided().submission
        services.withdraw_submission(
            actor=f.submitter_of(gone.organization), submission_id=gone.pk, reason="a mistake of ours"
        )
        assert selectors.count_verdicts() == {
            "confirmed": 0,
            "consistent": 1,
            "understated": 0,
            "refuted": 1,
            "inconclusive": 0,
        }

    def test_lists_the_latest_verdicts_first(self):
        first, second = f.decided().submission, f.decided().submission
        assert selectors.list_recent_verdicts(5) == [second, first]
        assert selectors.list_recent_verdicts(1) == [second]
