import pytest

from exchange.core import paging
from exchange.core.actors import ANONYMOUS
from leaderboards import history
from leaderboards.api.shown import shown_measurements
from submissions import services as submissions
from submissions.models import Submission
from tests.factories.accounts import OrganizationFactory
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import deployment_of, make_submission, question_benchmark, submitter_of

pytestmark = pytest.mark.django_db
PAGE = {"size": 20, "token": ""}


def shown(model, **filters):
    rows = history.list_model_measurements(actor=ANONYMOUS, model_id=model.pk, **filters)
    return shown_measurements(rows, PAGE)["items"]


class TestListModelMeasurements:
    def test_lists_each_decided_measurement_newest_first(self):
        submission = make_submission(benchmark=question_benchmark())
        for value in (0.7, 0.9):
            measured_quality(submission, value=value)

        items = shown(submission.model)
        assert [(item["value"], item["is_current"]) for item in items] == [(0.9, True), (0.7, False)]
        assert items[0]["claimed_value"] == 0.8
        assert (items[0]["low"], items[0]["high"], items[0]["sample_count"]) == (0.4, 0.9, 10)

    @pytest.mark.parametrize("visibility", ["private", "unlisted"])
    def test_shows_nothing_of_a_claim_that_is_not_public_even_to_its_organization(self, visibility):
        organization = OrganizationFactory()
        deployment = deployment_of(organization)
        made = [
            make_submission(organization=organization, deployment=deployment, visibility=seen)
            for seen in (visibility, "public")
        ]
        for submission in made:
            measured_quality(submission, value=0.8)
        rows = history.list_model_measurements(actor=submitter_of(organization), model_id=deployment.model_id)
        assert [row.submission_id for row in rows] == [made[1].pk]

    @pytest.mark.parametrize("visibility", ["private", "unlisted"])
    def test_shows_nothing_of_a_benchmark_that_is_not_public(self, visibility):
        submission = make_submission()
        measured_quality(submission, value=0.8)
        submission.version.benchmark.visibility = visibility
        submission.version.benchmark.save()
        rows = history.list_model_measurements(
            actor=submitter_of(submission.organization), model_id=submission.model_id
        )
        assert not rows.exists()

    def test_keeps_what_was_withdrawn_and_drops_what_was_revoked(self):
        submission = make_submission()
        measured_quality(submission, value=0.8)
        submissions.withdraw_submission(
            actor=submitter_of(submission.organization), submission_id=submission.pk, reason="not ours at all"
        )
        [item] = shown(submission.model)
        assert (item["submission_status"], item["is_current"]) == ("withdrawn", False)

        Submission.objects.update(status="revoked")
        assert shown(submission.model) == []

    def test_tells_one_benchmark_from_another(self):
        organization = OrganizationFactory()
        deployment = deployment_of(organization)
        made = [make_submission(organization=organization, deployment=deployment) for _ in range(2)]
        for submission in made:
            measured_quality(submission, value=0.8)

        wanted = made[0].version.benchmark_id
        [item] = shown(deployment.model, benchmark_id=wanted)
        assert item["benchmark_id"] == str(wanted)
        assert len(shown(deployment.model)) == 2

    def test_averages_the_questions_of_several_sessions_as_the_board_does(self):
        submission = make_submission(benchmark=question_benchmark(policy={"sessions": 2}))
        measured_quality(submission, value=0.6)

        [item] = shown(submission.model)
        assert item["value"] == pytest.approx(0.6)
        assert item["sample_count"] == 10

    def test_walks_all_of_them_by_pages(self):
        submission = make_submission()
        for value in (0.5, 0.6, 0.7):
            measured_quality(submission, value=value)
        rows = history.list_model_measurements(actor=ANONYMOUS, model_id=submission.model_id)
        first = paging.page(rows, size=2)
        assert len(paging.page(rows, size=2, token=first.next_page_token).items) == 1

    @pytest.mark.parametrize("sessions", [1, 2])
    def test_costs_the_same_queries_for_any_number(self, django_assert_max_num_queries, sessions):
        submission = make_submission(benchmark=question_benchmark(policy={"sessions": sessions}))
        for value in (0.5, 0.6, 0.7, 0.8):
            measured_quality(submission, value=value)
        rows = history.list_model_measurements(actor=ANONYMOUS, model_id=submission.model_id)
        for size in (1, 4):
            with django_assert_max_num_queries(7 + 2 * (sessions > 1)):
                shown_measurements(rows, {"size": size, "token": ""})
