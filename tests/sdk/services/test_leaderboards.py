import httpx
import pytest

from llm_benchmark.errors import NotFound
from tests.sdk.document import EXAMPLES, example, schemas
from tests.sdk.stub import Stub

ID = EXAMPLES["uuid"]
ENTRY = example(schemas()["LeaderboardEntry"])
BOARD = example(schemas()["Leaderboard"])


def entry(rank, name):
    return {**ENTRY, "rank": rank, "model_id": f"id-of-{name}", "model_name": name, "model_publisher": "lab"}


@pytest.fixture
def stub():
    """A board of two pages."""
    first = {**BOARD, "items": [entry(1, "large"), entry(2, "small")], "next_page_token": "2"}
    return Stub(first, {**BOARD, "items": [entry(3, "tiny"), entry(4, "small")], "next_page_token": ""})


class TestTop:
    def test_gives_the_best_rows_in_one_request(self, stub):
        top = stub.client.leaderboards.top(ID, 2, verified_only=False)

        assert [row.model_name for row in top] == ["large", "small"]
        assert dict(stub.requests[0].url.params) == {"page_size": "2", "verified_only": "false"}
        assert len(stub.requests) == 1


class TestEntries:
    def test_are_those_of_all_pages(self, stub):
        assert [row.rank for row in stub.client.leaderboards.entries(ID)] == [1, 2, 3, 4]
        assert stub.requests[1].url.params["page_token"] == "2"


class TestRankOf:
    @pytest.mark.parametrize("model", ["small", "lab/small", "id-of-small"])
    def test_finds_a_model_s_best_row(self, stub, model):
        assert stub.client.leaderboards.rank_of(ID, model).rank == 2

    def test_looks_on_later_pages(self, stub):
        assert stub.client.leaderboards.rank_of(ID, "tiny").rank == 3

    def test_says_how_to_see_more_where_there_is_none(self, stub):
        with pytest.raises(NotFound, match="no row of 'huge'"):
            stub.client.leaderboards.rank_of(ID, "huge")


class TestCompare:
    def test_names_models_with_commas(self):
        stub = Stub(example(schemas()["Comparison"]))

        stub.client.leaderboards.compare(ID, models=["a", "b"])

        assert dict(stub.requests[0].url.params) == {"benchmark_id": ID, "models": "a,b"}


class TestExport:
    def test_writes_the_file(self, tmp_path):
        stub = Stub(lambda _request: httpx.Response(200, content=b"rank,model\n"))

        path = stub.client.leaderboards.export(ID, "csv", to=tmp_path / "board.csv", level="audited")

        assert path.read_text() == "rank,model\n"
        assert dict(stub.requests[0].url.params) == {"format": "csv", "level": "audited"}
