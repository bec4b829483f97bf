import pytest
from rich.cells import cell_len

from tests.factories.leaderboards import measured_quality, measured_speed
from tests.factories.submissions import make_load_submission, make_submission, question_benchmark

from .answers import answers, board, entry

THREE = (entry(1, 0.9, name="large"), entry(2, 0.7, name="middle"), entry(3, 0.3, name="small"))
SHARE = "\u00a0%"


@pytest.fixture
def lb(call, stub):
    """`lb(board, …)`: how the program shows it."""

    def show(shown, *arguments, **more):
        return call("leaderboard", "mmlu", *arguments, http=stub(answers(shown)), **more)

    return show


@pytest.fixture
def as_table(lb, monkeypatch):
    def show(shown, *arguments, width=100):
        monkeypatch.setenv("COLUMNS", str(width))
        return lb(shown, "-o", "table", *arguments).out

    return show


class TestBoard:
    def test_has_ranks_values_and_verdicts(self, as_table):
        out = as_table(board(*THREE))
        rows = [line.split() for line in out.splitlines() if SHARE in line]
        assert [row[:4] for row in rows] == [
            ["1", "large", "Acme", "90.0"], ["2", "middle", "Acme", "70.0"], ["3", "small", "Acme", "30.0"],
        ]  # fmt: skip
        assert all("consistent" in row and "platform" in row for row in rows)

    def test_shows_a_rank_that_is_a_range(self, as_table):
        assert "1–3" in as_table(board(entry(2, rank_low=1, rank_high=3)))

    def test_draws_the_intervals_on_one_scale(self, as_table):
        bars = [line for line in as_table(board(*THREE)).splitlines() if "├" in line]
        assert len(bars) == 3
        assert all(bar.index("├") < bar.index("●") < bar.index("┤") for bar in bars)
        starts = [bar.index("├") for bar in bars]
        assert starts == sorted(set(starts), reverse=True)

    def test_draws_nothing_where_there_is_no_interval(self, as_table):
        out = as_table(board(entry(low=None, high=None)))
        assert "Interval" not in out

    def test_says_what_ranks_and_what_can_be_told_apart(self, as_table):
        out = as_table(board(*THREE))
        assert out.startswith("MMLU 1.0.0 · ranked by Accuracy (higher is better)\n")
        assert "Of 2 neighbouring pairs only 1 can be told apart, so ranks are ranges." in out

    @pytest.mark.parametrize(
        ("count", "apart", "words"),
        [(1, 0, "One row has been measured"), (2, 0, "cannot be told apart"), (2, 1, "can be told apart")],
    )
    def test_says_what_few_rows_tell(self, as_table, count, apart, words):
        assert words in as_table(board(*THREE[:count], separable_neighbour_count=apart))

    def test_shows_claims_in_brackets_without_a_rank(self, as_table):
        out = as_table(board(*THREE, entry(None, name="claimed"), verified_only=False), "--all")
        [claim] = [line.split() for line in out.splitlines() if "claimed" in line and "Acme" in line]
        assert claim[:4] == ["–", "claimed", "Acme", "(80.0"]
        assert "In brackets: claimed, not measured again" in out

    def test_says_that_there_are_claims_and_more_rows(self, as_table):
        shown = board(*THREE, unranked_count=2, ranked_count=9, next_page_token="t")
        out = as_table(shown, "--limit", "3")
        assert "2 more claimed only: --all shows them." in out
        assert "3 of 9 rows: --limit 9 shows all." in out

    def test_names_no_limit_that_is_refused(self, as_table):
        shown = board(*THREE, ranked_count=2000, next_page_token="t")
        assert "llm-benchmark export writes all." in as_table(shown, "--limit", "3")

    def test_asks_for_an_edition_by_the_option_of_every_command(self, lb):
        asked = []
        lb(
            lambda request: asked.append(request.url.params["version"]) or board(),
            "--benchmark-version",
            "2.0.0",
        )
        assert asked == ["2.0.0"]

    def test_marks_what_is_simulated_and_what_is_a_demonstration(self, as_table):
        out = as_table(board(entry(is_simulated=True), is_demo=True))
        assert "large (simulated)" in out
        assert "demo data" in out

    def test_shows_a_refuted_claim_as_such(self, as_table):
        assert "refuted" in as_table(board(entry(verdict="inconclusive", claim_refuted=True)))

    @pytest.mark.parametrize("width", [40, 60, 80, 120])
    def test_fits_the_terminal_whatever_the_names(self, lb, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        names = ["通义千问-a-rather-long-name-2.5-72b-instruct", "short"]
        shown = board(*(entry(at, name=name) for at, name in enumerate(names, 1)))
        out = lb(shown, "--no-color", is_watched=True).out
        assert max(map(cell_len, out.splitlines())) <= width
        assert f"90.0{SHARE}" in out

    def test_gives_pipes_raw_numbers_and_ids(self, lb):
        [row] = lb(board(entry(value=1 / 3))).rows
        assert (row["rank"], row["value"], row["model"]) == ("1", repr(1 / 3), "acme/large")
        assert row["submission_id"] == entry(value=1 / 3)["submission_id"]

    def test_gives_programs_what_the_api_gives(self, lb):
        shown = board(*THREE)
        assert lb(shown, "-o", "json").json == shown

    def test_collects_rows_over_pages(self, lb, monkeypatch):
        pages = {"": board(THREE[0], next_page_token="two"), "two": board(*THREE[1:])}
        ended = lb(lambda request: pages[request.url.params.get("page_token", "")])
        assert [row["rank"] for row in ended.rows] == ["1", "2", "3"]

    def test_says_that_there_is_no_row(self, as_table):
        assert "No row yet. --all shows claims too." in as_table(board(unranked_count=3, ranked_count=0))


class TestAsked:
    @pytest.mark.parametrize("arguments", [["show"], ["mmlu", "--category", "accuracy"]])
    def test_for_nothing_or_for_two_things_is_refused(self, call, stub, arguments):
        ended = call("lb", *arguments, http=stub({}))
        assert ended.code == 2
        assert "Name either a benchmark or a --category" in ended.err

    def test_for_a_benchmark_that_is_none_says_where_they_are_listed(self, call, stub):
        import httpx

        refused = httpx.Response(404, json={"code": "benchmark_not_found", "detail": "There is none."})
        ended = call("lb", "nothing", http=stub({"GET /benchmarks/slug/nothing": refused}))
        assert ended.code == 5
        assert "Those that you may see: llm-benchmark benchmark list" in ended.err


@pytest.mark.django_db
class TestExchange:
    """Against the exchange itself."""

    @pytest.fixture
    def ask(self, call, exchange):
        return lambda *arguments: call("leaderboard", *arguments, http=exchange)

    def test_answers_with_a_board_its_category_and_a_model_s_history(self, ask):
        made = question_benchmark()
        measured_quality(make_submission(benchmark=made), value=0.9)
        make_submission(benchmark=made)

        assert [row["rank"] for row in ask(made.slug).rows] == ["1"]
        assert [row["rank"] for row in ask(made.slug, "--all").rows] == ["1", ""]
        [row] = ask("--category", "accuracy").rows
        assert (row["benchmark"], row["value"]) == (made.slug, "0.9")
        [measured] = ask("history", row["model"], "--benchmark", made.slug).rows
        assert (measured["value"], measured["verdict"]) == ("0.9", "consistent")
        assert ask("history", "nobody/nothing").code == 5
        assert "No board in safety has rows yet." in ask("-c", "safety", "-o", "table").out

    def test_shows_another_metric_under_the_same_ranks(self, ask):
        claim = make_load_submission()
        measured_speed(claim, ttft=41.0, low=39.0, high=44.0)
        slug = claim.version.benchmark.slug
        assert "shown: Request latency p50" in ask(slug, "--metric", "request_latency_p50", "-o", "table").out
        refused = ask(slug, "--metric", "speed")
        assert refused.code == 2
        assert "It has: ttft_p50, ttft_p95, request_latency_p50." in refused.err
