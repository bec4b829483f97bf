import logging
from concurrent.futures import ThreadPoolExecutor

import pytest

import llm_benchmark
from llm_benchmark import Client, SdkError, Settings
from llm_benchmark.errors import InvalidInput, NotConfigured
from llm_benchmark.models import MetricClaim, ModelReference

from .document import EXAMPLES, example, schemas
from .stub import Stub, problem

BENCHMARK = {**example(schemas()["Benchmark"]), "slug": "arithmetic"}
SUBMISSION = example(schemas()["Submission"])
ID = EXAMPLES["uuid"]


class TestTheClient:
    def test_takes_what_it_is_not_told_from_the_environment(self, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_API_URL", "https://a.example")
        monkeypatch.setenv("LLM_BENCHMARK_TOKEN", "lbx_pat_x")

        with Client(timeout=5) as client:
            assert client.settings == Settings("https://a.example", "lbx_pat_x", 5)

    def test_goes_before_the_environment(self, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_API_URL", "https://a.example")
        monkeypatch.setenv("LLM_BENCHMARK_TOKEN", "lbx_pat_x")

        with Client("https://b.example", "") as client:
            assert client.settings == Settings("https://b.example", "")

    def test_is_refused_where_it_cannot_work(self):
        with pytest.raises(NotConfigured):
            Client("a.example")

    def test_acts_for_another_token(self):
        stub = Stub(example(schemas()["User"]), token="lbx_pat_mine")

        stub.client.with_token("lbx_ses_theirs").account.profile()

        assert stub.requests[0].headers["Authorization"] == "Bearer lbx_ses_theirs"

    def test_may_be_shared_by_threads(self):
        stub = Stub(BENCHMARK)
        client = stub.client

        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda _: client.benchmarks.get("arithmetic").slug, range(64)))

        assert found == ["arithmetic"] * 64

    def test_says_what_it_asks_where_that_is_wanted(self, monkeypatch, capsys):
        monkeypatch.setattr(logging.getLogger("llm_benchmark"), "handlers", [])

        with Stub(BENCHMARK, debug=True).client as client:
            client.benchmarks.get("arithmetic")

        assert "GET /api/v1/benchmarks/slug/arithmetic → 200" in capsys.readouterr().err


class TestASlug:
    def test_is_looked_up_once(self):
        board = example(schemas()["Leaderboard"])
        stub = Stub(BENCHMARK, board, board)
        client = stub.client

        client.leaderboards.get("arithmetic")
        client.leaderboards.get("arithmetic")

        assert [request.url.path for request in stub.requests] == [
            "/api/v1/benchmarks/slug/arithmetic",
            f"/api/v1/benchmarks/{ID}/leaderboard",
            f"/api/v1/benchmarks/{ID}/leaderboard",
        ]

    def test_that_is_an_id_is_not_looked_up(self):
        stub = Stub(example(schemas()["Leaderboard"]))

        stub.client.leaderboards.get(ID)

        assert len(stub.requests) == 1

    @pytest.mark.parametrize("slug", ["../../tokens", "a/b", "a?b=c", "%2e%2e", "ä b"])
    def test_leads_to_no_other_path(self, slug):
        stub = Stub(BENCHMARK)

        stub.client.benchmarks.get(slug)

        path = stub.requests[0].url.raw_path.decode()
        assert path.startswith("/api/v1/benchmarks/slug/")
        assert path.count("/") == 5
        assert "?" not in path

    @pytest.mark.parametrize("nothing", ["", ".", ".."])
    def test_that_names_nothing_is_refused(self, nothing):
        stub = Stub(BENCHMARK)

        with pytest.raises(InvalidInput, match="Give an id"):
            stub.client.benchmarks.get(nothing)
        assert stub.requests == []

    def test_that_does_not_exist_is_not_remembered(self):
        stub = Stub(problem(404, "benchmark_not_found"), BENCHMARK, example(schemas()["Leaderboard"]))
        client = stub.client

        with pytest.raises(SdkError):
            client.leaderboards.get("arithmetic")
        assert client.leaderboards.get("arithmetic")


class TestWhatIsSent:
    def test_leaves_out_what_is_not_given(self):
        stub = Stub(SUBMISSION)

        stub.client.submissions.create(organization_id=ID, benchmark=ID, claims=[])

        assert stub.bodies == [{"organization_id": ID, "benchmark_id": ID, "claims": []}]

    def test_says_null_where_none_is_given(self):
        stub = Stub(BENCHMARK)

        stub.client.benchmarks.update(ID, license=None)

        assert stub.bodies == [{"license": None}]

    def test_may_be_models_or_mappings(self):
        stub = Stub(SUBMISSION)

        stub.client.submissions.create(
            organization_id=ID,
            benchmark=ID,
            claims=[
                MetricClaim(name="accuracy", value=0.5),
                {"name": "cost", "value": 1, "note": None},
            ],
            model=ModelReference(publisher="p", name="m"),
        )

        assert stub.bodies[0]["claims"] == [
            {"name": "accuracy", "value": 0.5},
            {"name": "cost", "value": 1, "note": None},
        ]
        assert stub.bodies[0]["model"] == {"publisher": "p", "name": "m", "version": ""}


class TestWhatIsRead:
    def test_may_be_written_as_the_api_wrote_it(self):
        stub = Stub(SUBMISSION)

        assert stub.client.submissions.get(ID).as_dict() == SUBMISSION


class TestThePackage:
    def test_gives_what_it_lists(self):
        assert all(getattr(llm_benchmark, name) is not None for name in llm_benchmark.__all__)
        assert set(llm_benchmark.__all__) <= set(dir(llm_benchmark))

    def test_has_nothing_else(self):
        with pytest.raises(AttributeError, match="no attribute 'Clint'"):
            _ = llm_benchmark.Clint
