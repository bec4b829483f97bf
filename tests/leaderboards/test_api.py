import uuid

import pytest

from benchmarks.models import Benchmark
from exchange.api.pb import benchmarks_pb2
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


class TestFilters:
    def test_choose_rows_and_leave_ranks_and_counts_alone(self, api, benchmark):
        for value in (0.9, 0.4):
            measured_quality(make_submission(benchmark=benchmark), value=value)
        path = f"/api/v1/benchmarks/{benchmark.pk}/leaderboard"
        last = api.get(path).json()["items"][-1]

        for asked in (
            {"organization_id": last["organization_id"]},
            {"query": last["model_name"].upper()},
            {
                "level": last["level"],
                "query": last["model_publisher"],
                "organization_id": last["organization_id"],
            },
        ):
            shown = api.get(path, asked).json()
            assert [(row["id"], row["rank"]) for row in shown["items"]] == [(last["id"], 3)]
            assert shown["ranked_count"] == 3

    def test_refuse_a_level_that_is_none(self, api, benchmark):
        answer = api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard?level=gold")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "level")


class TestCategory:
    def test_has_the_boards_and_the_models_of_their_first_rows(self, api, benchmark):
        measured_quality(make_submission(benchmark=benchmark), value=0.9)
        other = question_benchmark()
        measured_quality(make_submission(benchmark=other), value=0.5)

        shown = api.get("/api/v1/leaderboards/categories/accuracy?limit=1").json()
        boards = {board["benchmark_id"]: board for board in shown["boards"]}
        assert [len(boards[str(made.pk)]["items"]) for made in (benchmark, other)] == [1, 1]
        assert boards[str(benchmark.pk)]["ranked_count"] == 2
        cells = [cell for model in shown["models"] for cell in model["cells"]]
        assert sorted((cell["value"], cell["rank"]) for cell in cells) == [(0.5, 1), (0.9, 1)]

    def test_is_the_same_over_grpc(self, api, benchmark):
        shown = api.get("/api/v1/categories/accuracy/leaderboard").json()
        message = rpc.call(
            LeaderboardService().GetCategoryLeaderboard,
            pb.GetCategoryLeaderboardRequest(category=benchmarks_pb2.BENCHMARK_CATEGORY_ACCURACY),
        )
        assert [board.benchmark_id for board in message.boards] == [
            b["benchmark_id"] for b in shown["boards"]
        ]
        assert message.models[0].cells[0].value == shown["models"][0]["cells"][0]["value"] == 0.7

    @pytest.mark.parametrize(
        "change", [{"visibility": "unlisted"}, {"visibility": "private"}, {"status": "deprecated"}]
    )
    def test_leaves_out_what_is_not_active_and_public(self, api, benchmark, change):
        Benchmark.objects.filter(pk=benchmark.pk).update(**change)
        assert api.get("/api/v1/leaderboards/categories/accuracy").json()["boards"] == []

    def test_refuses_a_category_that_is_none(self, api, db):
        answer = api.get("/api/v1/leaderboards/categories/beauty")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "category")


class TestCompare:
    @pytest.fixture
    def entries(self, api, benchmark):
        measured_quality(make_submission(benchmark=benchmark), value=0.2)
        return api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard").json()["items"]

    def test_takes_ids_with_commas_and_is_the_same_over_grpc(self, api, benchmark, entries):
        ids = [entry["id"] for entry in entries]
        shown = api.get(
            "/api/v1/leaderboards/compare", {"benchmark_id": benchmark.pk, "entry_ids": ",".join(ids)}
        ).json()
        message = rpc.call(
            LeaderboardService().CompareModels,
            pb.CompareModelsRequest(benchmark_id=str(benchmark.pk), entry_ids=ids),
        )
        [pair] = shown["comparisons"]
        assert (pair["method"], pair["shared_count"]) == ("mcnemar_exact", 10)
        assert pair["difference"] == pytest.approx(0.5)
        assert (message.comparisons[0].p_value, message.summary) == (pair["p_value"], shown["summary"])
        assert message.comparisons[0].method == pb.COMPARISON_METHOD_MCNEMAR_EXACT

    def test_takes_models_as_the_older_exchange_did(self, api, benchmark, entries):
        models = [entry["model_id"] for entry in entries]
        query = {"benchmark_id": benchmark.pk, "models": ",".join(models)}
        shown = api.get("/api/v1/models/compare", query).json()
        message = rpc.call(
            LeaderboardService().CompareModels,
            pb.CompareModelsRequest(benchmark_id=str(benchmark.pk), models=models),
        )
        assert {entry["model_id"] for entry in shown["entries"]} == set(models)
        assert [entry.id for entry in message.entries] == [entry["id"] for entry in shown["entries"]]

    def test_refuses_one_row_at_both_doors(self, api, benchmark, entries):
        one = entries[0]["id"]
        answer = api.get("/api/v1/models/compare", {"benchmark_id": benchmark.pk, "entry_ids": one})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "entry_ids")
        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(
                LeaderboardService().CompareModels,
                pb.CompareModelsRequest(benchmark_id=str(benchmark.pk), entry_ids=[one]),
            )
        assert (failed.value.grpc, failed.value.fields) == ("INVALID_ARGUMENT", ["entry_ids"])

    @pytest.mark.parametrize("ids", ["x", "x,y", "," * 30 + "x"])
    def test_names_an_id_that_is_none(self, api, benchmark, ids):
        answer = api.get("/api/v1/leaderboards/compare", {"benchmark_id": benchmark.pk, "entry_ids": ids})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"].startswith("entry_ids")

    def test_says_what_is_unlike_with_409(self, api, entries, benchmark):
        other = question_benchmark()
        measured_quality(make_submission(benchmark=other), value=0.5)
        foreign = api.get(f"/api/v1/benchmarks/{other.pk}/leaderboard").json()["items"][0]["id"]
        ids = f"{entries[0]['id']},{foreign}"
        answer = api.get("/api/v1/leaderboards/compare", {"benchmark_id": benchmark.pk, "entry_ids": ids})
        assert (answer.status_code, answer.json()["code"]) == (409, "not_comparable")
        assert answer.json()["errors"][0]["field"] == "benchmark_id"


class TestHistory:
    def test_is_the_same_at_both_doors(self, api, benchmark):
        model = api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard").json()["items"][0]["model_id"]
        [item] = api.get(f"/api/v1/models/{model}/history").json()["items"]
        message = rpc.call(
            LeaderboardService().ListModelMeasurements, pb.ListModelMeasurementsRequest(model_id=model)
        )
        assert (item["value"], item["verdict"], item["is_current"]) == (0.7, "consistent", True)
        assert message.items[0].verification_id == item["verification_id"]

    def test_of_an_unknown_model_is_404(self, api, db):
        answer = api.get(f"/api/v1/models/{uuid.uuid4()}/history")
        assert (answer.status_code, answer.json()["code"]) == (404, "model_not_found")


class TestExport:
    def test_streams_a_file_with_its_name(self, api, benchmark):
        answer = api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard/export")

        assert answer.streaming
        assert answer["Content-Type"] == "text/csv; charset=utf-8; header=present"
        assert (
            answer["Content-Disposition"] == f'attachment; filename="{benchmark.slug}-1.0.0-leaderboard.csv"'
        )
        assert b"".join(answer.streaming_content).count(b"\r\n") == 2

    @pytest.mark.parametrize("format", ["csv", "json"])
    def test_is_the_same_over_grpc(self, api, benchmark, format):
        path = f"/api/v1/benchmarks/{benchmark.pk}/leaderboard/export?format={format}&verified_only=false"
        message = rpc.call(
            LeaderboardService().ExportLeaderboard,
            pb.ExportLeaderboardRequest(benchmark_id=str(benchmark.pk), format=format, verified_only=False),
        )
        assert message.content == b"".join(api.get(path).streaming_content)
        assert message.name.endswith(f".{format}")

    def test_above_the_limit_of_a_message_names_the_way_by_rest(self, benchmark, monkeypatch):
        monkeypatch.setattr("leaderboards.api.grpc.LARGEST_BUNDLE", 10)
        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(
                LeaderboardService().ExportLeaderboard,
                pb.ExportLeaderboardRequest(benchmark_id=str(benchmark.pk)),
            )
        assert failed.value.code == "too_large_for_message"

    @pytest.mark.parametrize("query", ["format=xlsx", "format=csv&page_size=3"])
    def test_refuses_what_it_does_not_know(self, api, benchmark, query):
        assert api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard/export?{query}").status_code == 400

    def test_of_a_private_benchmark_is_404_before_the_first_byte(self, api, benchmark):
        Benchmark.objects.filter(pk=benchmark.pk).update(visibility="private")
        answer = api.get(f"/api/v1/benchmarks/{benchmark.pk}/leaderboard/export")
        assert (answer.status_code, answer.json()["code"]) == (404, "benchmark_not_found")
