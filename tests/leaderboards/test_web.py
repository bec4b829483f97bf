import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.models import Benchmark
from leaderboards.models import Entry
from leaderboards.web import views
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission, question_benchmark

pytestmark = pytest.mark.django_db


def measured(benchmark, *values):
    """A row for each value, as many questions right; the rows in board order."""
    for value in values:
        right = [f"q{n}" for n in range(round(value * 10))]
        measured_quality(
            make_submission(benchmark=benchmark), value=value, right=right, low=value - 0.1, high=value + 0.05
        )
    return list(Entry.objects.filter(version__benchmark=benchmark).order_by("-value"))


@pytest.fixture
def benchmark():
    return question_benchmark(cases_public=True)


@pytest.fixture
def entries(benchmark):
    return measured(benchmark, 0.9, 0.5, 0.1)


def html(client, path, query=None, status=200):
    answer = client.get(path, query or {})
    assert answer.status_code == status
    return answer.content.decode()


class TestBoardPage:
    def test_keeps_ranks_when_a_search_leaves_rows_out(self, client, benchmark, entries):
        name = entries[2].submission.model.name
        page = html(client, f"/benchmarks/{benchmark.slug}", {"query": name})

        assert f'id="row-{entries[2].pk}"' in page
        assert f'id="row-{entries[0].pk}"' not in page
        assert "Ranks are those of all 3 measured rows." in page

    def test_holds_the_rows_against_the_chosen_one_also_where_a_filter_left_it_out(
        self, client, benchmark, entries
    ):
        name = entries[0].submission.model.name
        path = f"/benchmarks/{benchmark.slug}"
        whole = html(client, path, {"ref": str(entries[1].pk)})
        part = html(client, path, {"ref": str(entries[1].pk), "query": name})

        assert (whole.count('data-rel="better"'), whole.count('data-rel="worse"')) == (1, 1)
        assert part.count('data-rel="better"') == 1

    @pytest.mark.parametrize("ref", ["nonsense", "\0", "00000000-0000-4000-8000-000000000001"])
    def test_ignores_a_chosen_row_that_is_none(self, client, benchmark, entries, ref):
        assert "data-rel" not in html(client, f"/benchmarks/{benchmark.slug}", {"ref": ref})

    def test_exports_what_it_shows(self, client, benchmark, entries):
        page = html(client, f"/benchmarks/{benchmark.slug}", {"verified_only": "false", "query": "a b"})

        path = f"/api/v1/benchmarks/{benchmark.pk}/leaderboard/export"
        link = f"{path}?query=a+b&verified_only=false&format=csv"
        assert link.replace("&", "&amp;") in page
        assert client.get(link).status_code == 200

    def test_refuses_a_filter_that_is_none(self, client, benchmark):
        html(client, f"/benchmarks/{benchmark.slug}", {"organization_id": "nobody"}, status=400)


class TestComparePage:
    def test_takes_what_the_boxes_of_a_board_send(self, client, benchmark, entries):
        ids = [str(entry.pk) for entry in entries]
        page = html(client, "/compare", {"benchmark_id": benchmark.pk, "entry_ids": ids})

        assert "Of 3 pairs" in page
        assert page.count("McNemar’s exact test") == 3
        assert "8 questions on which they differ" in page

    def test_says_one_sentence_of_two(self, client, benchmark, entries):
        ids = ",".join(str(entry.pk) for entry in entries[::2])
        page = html(client, "/compare", {"benchmark_id": benchmark.pk, "entry_ids": ids})

        assert f"{entries[0].submission.model.name} is better than" in page

    def test_takes_models(self, client, benchmark, entries):
        models = ",".join(str(entry.model_id) for entry in entries)
        assert "Of 3 pairs" in html(client, "/compare", {"benchmark_id": benchmark.pk, "models": models})

    def test_offers_boards_and_then_rows(self, client, benchmark, entries):
        assert str(benchmark.pk) in html(client, "/compare")
        assert html(client, "/compare", {"benchmark_id": benchmark.pk}).count('name="entry_ids"') == 3

    def test_keeps_the_mark_of_a_lone_row(self, client, benchmark, entries):
        query = {"benchmark_id": benchmark.pk, "entry_ids": str(entries[0].pk)}
        assert html(client, "/compare", query).count("checked") == 1

    def test_says_what_is_unlike(self, client, benchmark, entries):
        [foreign] = measured(question_benchmark(), 0.5)
        query = {"benchmark_id": benchmark.pk, "entry_ids": [str(entries[0].pk), str(foreign.pk)]}
        page = html(client, "/compare", query, status=409)

        assert "These rows cannot be compared" in page
        assert foreign.version.benchmark.name in page

    def test_does_not_tell_of_a_private_row(self, client, benchmark, entries):
        [foreign] = measured(question_benchmark(), 0.5)
        Benchmark.objects.filter(pk=foreign.version.benchmark_id).update(visibility="private")
        query = {"benchmark_id": benchmark.pk, "entry_ids": [str(entries[0].pk), str(foreign.pk)]}
        html(client, "/compare", query, status=404)
        html(client, "/compare", {"benchmark_id": foreign.version.benchmark_id}, status=404)

    @pytest.mark.parametrize("query", [{"benchmark_id": "x"}, {"benchmark_id": "x", "entry_ids": "y,z"}])
    def test_refuses_what_is_no_id(self, client, query):
        html(client, "/compare", query, status=400)


class TestCategoryPages:
    def test_count_boards_and_show_them_side_by_side(self, client, benchmark, entries):
        assert "1 board" in html(client, "/categories")
        page = html(client, "/categories/accuracy")

        assert benchmark.name in page
        assert f"?ref={entries[0].pk}#row-{entries[0].pk}" in page

    def test_say_when_nothing_measures_it(self, client):
        assert "No active benchmark measures this yet" in html(client, "/categories/safety")

    def test_are_not_there_for_what_is_no_category(self, client):
        html(client, "/categories/beauty", status=404)


class TestModelPage:
    def test_draws_each_measurement_over_time(self, client, benchmark):
        submission = make_submission(benchmark=benchmark)
        for value in (0.5, 0.9):
            measured_quality(submission, value=value)
        page = html(client, f"/models/{submission.model_id}")

        assert "Accuracy measured 2 times: 50.0" in page
        assert page.count("on the board") >= 1

    def test_says_when_it_shows_the_newest_measurements_alone(self, client, benchmark, monkeypatch):
        submission = make_submission(benchmark=benchmark)
        for value in (0.5, 0.9):
            measured_quality(submission, value=value)
        assert "newest" not in html(client, f"/models/{submission.model_id}")
        monkeypatch.setattr(views, "HISTORY", {"size": 1, "token": ""})

        page = html(client, f"/models/{submission.model_id}")
        assert f'/api/v1/models/{submission.model_id}/history"' in page

    def test_draws_nothing_of_a_private_claim(self, client, benchmark):
        submission = make_submission(benchmark=benchmark, visibility="unlisted")
        measured_quality(submission, value=0.5)

        assert "over time" not in html(client, f"/models/{submission.model_id}")


class TestCost:
    def test_of_each_page_is_the_same_for_few_rows_and_for_many(self, client, benchmark):
        submission = make_submission(benchmark=benchmark)
        few = self.grown(client, benchmark, submission, 2)

        many = self.grown(client, benchmark, submission, 7)
        assert few == many
        assert max(few.values()) < 30

    def grown(self, client, benchmark, submission, count):
        """Page -> queries, with so many more rows, measurements of one model and boards."""
        entries = measured(benchmark, *[(n + 1) / 10 for n in range(count)])
        for n in range(count):
            measured_quality(submission, value=n / 10)
            measured_quality(
                make_submission(deployment=submission.deployment, organization=submission.organization),
                value=0.8,
            )
        ids = [str(entry.pk) for entry in entries[: count + 1]]
        pages = {
            "home": ("/", {}),
            "board": (f"/benchmarks/{benchmark.slug}", {"ref": ids[0], "query": "a"}),
            "category": ("/categories/accuracy", {}),
            "model": (f"/models/{submission.model_id}", {}),
            "compare": ("/compare", {"benchmark_id": benchmark.pk, "entry_ids": ids}),
        }
        found = {}
        for name, (path, query) in pages.items():
            html(client, path, query)
            with CaptureQueriesContext(connection) as queries:
                html(client, path, query)
            found[name] = len(queries)
        return found
