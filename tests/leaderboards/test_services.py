import random

import pytest

from exchange.core.actors import ANONYMOUS
from leaderboards import selectors, services
from leaderboards.models import Entry
from submissions import services as submissions
from submissions.models import Submission
from tests.factories.accounts import OrganizationFactory
from tests.factories.leaderboards import measured_quality, measured_speed
from tests.factories.submissions import (
    deployment_of,
    load_benchmark,
    make_load_submission,
    make_submission,
    question_benchmark,
    submitter_of,
)

pytestmark = pytest.mark.django_db


def board(benchmark, **options):
    return selectors.get_leaderboard(actor=ANONYMOUS, benchmark_id=benchmark.pk, **options)


class TestPlace:
    def test_the_board_shows_the_measurement_and_not_the_claim(self):
        benchmark = question_benchmark()
        measured_quality(make_submission(benchmark=benchmark), value=0.5, low=0.2, high=0.8)

        [row] = board(benchmark).rows
        assert (row.entry.value, row.claimed_value, row.entry.low, row.standing.rank) == (0.5, 0.8, 0.2, 1)

    def test_a_refuted_claim_keeps_its_measured_row(self):
        benchmark = question_benchmark()
        measured_quality(make_submission(benchmark=benchmark), value=0.0)

        [row] = board(benchmark).rows
        assert (row.entry.verdict, row.entry.level, row.standing.rank) == ("refuted", "unverified", 1)

    def test_the_latest_decided_measurement_counts_and_not_the_best(self):
        benchmark = question_benchmark()
        submission = make_submission(benchmark=benchmark)
        for value in (0.9, 0.8, 0.7):
            measured_quality(submission, value=value)

        assert [row.entry.value for row in board(benchmark).rows] == [0.7]

    def test_another_configuration_is_another_row(self):
        benchmark, organization = question_benchmark(), OrganizationFactory()
        deployment = deployment_of(organization)
        for configuration in ({}, {"precision": "int4"}):
            measured_quality(
                make_submission(
                    organization=organization,
                    benchmark=benchmark,
                    deployment=deployment,
                    configuration=configuration,
                ),
                value=0.8,
            )
        assert len(board(benchmark).rows) == 2

    def test_a_withdrawn_submission_leaves_the_board_for_the_one_before_it(self):
        benchmark, organization = question_benchmark(), OrganizationFactory()
        deployment = deployment_of(organization)
        first, second = (
            make_submission(organization=organization, benchmark=benchmark, deployment=deployment)
            for _ in range(2)
        )
        measured_quality(first, value=0.8)
        measured_quality(second, value=0.7)

        actor = submitter_of(organization)
        submissions.withdraw_submission(actor=actor, submission_id=second.pk, reason="measured the wrong one")
        assert [row.entry.value for row in board(benchmark).rows] == [0.8]

        submissions.withdraw_submission(actor=actor, submission_id=first.pk, reason="measured the wrong one")
        assert board(benchmark).rows == []

    def test_a_private_claim_never_ranks(self):
        benchmark = question_benchmark()
        measured_quality(make_submission(benchmark=benchmark, visibility="private"), value=0.8)
        assert board(benchmark).rows == []

    def test_publishing_a_claim_puts_it_on_the_board(self):
        benchmark = question_benchmark()
        submission = make_submission(benchmark=benchmark, visibility="private")
        measured_quality(submission, value=0.8)
        submissions.change_visibility(
            actor=submitter_of(submission.organization), submission_id=submission.pk, visibility="public"
        )
        assert len(board(benchmark).rows) == 1

    def test_speed_ranks_deployments_of_one_model_apart(self):
        benchmark, organization = load_benchmark(), OrganizationFactory()
        slow, fast = (deployment_of(organization) for _ in range(2))
        fast.model = slow.model
        fast.save()
        for deployment, ttft in ((slow, 50.0), (fast, 20.0)):
            submission = make_load_submission(
                organization=organization, benchmark=benchmark, deployment=deployment
            )
            measured_speed(submission, ttft=ttft, low=ttft - 1, high=ttft + 1)

        assert [(row.entry.value, row.standing.rank) for row in board(benchmark).rows] == [
            (20.0, 1),
            (50.0, 2),
        ]

    def test_rows_stay_equal_to_their_recomputation(self):
        """After each of many random changes."""
        random.seed(7)
        benchmark, organization = question_benchmark(), OrganizationFactory()
        deployments = [deployment_of(organization) for _ in range(2)]
        actor, live = submitter_of(organization), []
        for _ in range(12):
            if live and random.random() < 0.4:
                gone = live.pop(random.randrange(len(live)))
                submissions.withdraw_submission(
                    actor=actor, submission_id=gone.pk, reason="a random withdrawal"
                )
            else:
                submission = make_submission(
                    organization=organization, benchmark=benchmark, deployment=random.choice(deployments)
                )
                live.append(submission)
                measured_quality(submission, value=random.randrange(11) / 10)
            before = snapshot()
            services.rebuild()
            assert snapshot() == before


def snapshot():
    names = ("version", "model", "fingerprint", "submission", "verification", "value", "level")
    return sorted(Entry.objects.values_list(*names), key=str)


class TestGetLeaderboard:
    def test_lists_unmeasured_claims_only_on_request_and_without_a_rank(self):
        benchmark = question_benchmark()
        make_submission(benchmark=benchmark)
        assert board(benchmark).rows == []

        [row] = board(benchmark, verified_only=False).rows
        assert (row.standing.rank, row.entry, row.claimed_value) == (None, None, 0.8)

    def test_walks_all_rows_by_pages(self):
        benchmark = question_benchmark()
        for value in (0.9, 0.7, 0.8):
            measured_quality(make_submission(benchmark=benchmark), value=value)
        rows, token, seen = board(benchmark).rows, "", []
        while True:
            shown, token = selectors.rows_page(rows, size=2, token=token)
            seen += [row.entry.value for row in shown]
            if not token:
                break
        assert seen == [0.9, 0.8, 0.7]

    def test_costs_the_same_queries_for_any_number_of_rows(self, django_assert_num_queries):
        benchmark = question_benchmark()
        for _ in range(3):
            measured_quality(make_submission(benchmark=benchmark), value=0.8)
        version = selectors.get_leaderboard(actor=ANONYMOUS, benchmark_id=benchmark.pk).version
        with django_assert_num_queries(3):
            from leaderboards.api.serializers import shown_board

            shown_board(selectors.board_of(version, verified_only=False), {"size": 50, "token": ""})

    def test_a_voided_withdrawal_leaves_a_tombstone(self):
        submission = make_submission()
        submissions.withdraw_submission(
            actor=submitter_of(submission.organization), submission_id=submission.pk, reason="wrong numbers"
        )
        assert Submission.objects.get().status_reason == "wrong numbers"
