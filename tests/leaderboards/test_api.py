import uuid

import pytest

from exchange.api.pb import leaderboards_pb2 as pb
from leaderboards.api.grpc import LeaderboardService
from tests import rpc
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission, question_benchmark

pytestmark = pytest.mark.django_db


@pytest.fixture
def benchmark():
    made = question_benchmark()
    measured_quality(make_submission(benchmark=made), value=0.7)
    make_submission(benchmark=made)
    return made


def test_rest_and_grpc_show_the_same_board(api, benchmark):
    shown = api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard").json()
    message = rpc.call(
        LeaderboardService().GetLeaderboard, pb.GetLeaderboardRequest(benchmark_id=str(benchmark.pk))
    )

    [row] = shown["items"]
    assert (row["rank"], row["value"], row["claimed_value"], row["verdict"]) == (1, 0.7, 0.8, "consistent")
    assert (message.items[0].rank, message.items[0].value) == (1, 0.7)
    assert (shown["ranked_count"], message.ranked_count) == (1, 1)


def test_unranked_claims_have_null_ranks(api, benchmark):
    items = api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard?verified_only=false").json()["items"]
    assert [item["rank"] for item in items] == [1, None]


def test_an_unknown_benchmark_is_404(api):
    answer = api.get(f"/api/v1/benchmarks/{uuid.uuid4()}/leaderboard")
    assert (answer.status_code, answer.json()["code"]) == (404, "benchmark_not_found")


def test_an_unknown_page_token_names_the_field(benchmark):
    request = pb.GetLeaderboardRequest(benchmark_id=str(benchmark.pk), page_token="nonsense")
    with pytest.raises(rpc.RpcFailed) as failed:
        rpc.call(LeaderboardService().GetLeaderboard, request)
    assert (failed.value.grpc, failed.value.fields) == ("INVALID_ARGUMENT", ["page_token"])
