"""Somebody who only reads: from the first page to the bytes behind a rank."""

import pytest

from exchange.web.words import VERDICTS

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def reader(people, lab):
    return people()


class TestReader:
    def test_comes_from_the_first_page_to_a_board(self, reader):
        reader.go("/")
        reader.look("home")
        reader.follow("All benchmarks")
        reader.look("benchmarks")
        reader.follow("lab-quality")
        reader.is_at("^/benchmarks/lab-quality$")
        reader.look("board")

    def test_asks_why_a_row_stands_where_it_stands(self, reader):
        reader.go("/benchmarks/lab-quality")
        reader.page.get_by_role("button", name="Why is able here?").click()
        reader.sees("Why able is at rank")
        reader.look("board-why")
        reader.follow("Submission and evidence", reader.page.locator(".why-row.on"))
        reader.is_at("^/submissions/")
        reader.sees(str(VERDICTS["consistent"]))
        reader.look("submission-held")

    def test_reads_every_case_and_the_model(self, reader):
        reader.follow("Every case, page by page")
        reader.look("cases")
        reader.page.go_back()
        reader.follow("All results of this model")
        reader.is_at("^/models/")
        reader.look("model")
        reader.go("/models")
        reader.look("models")

    def test_sees_refuted_and_waiting_claims_too(self, reader):
        reader.go("/benchmarks/lab-quality")
        reader.follow("With claims")
        reader.look("board-with-claims")
        reader.go("/submissions")
        reader.look("submissions")
        reader.follow("boasting", reader.main)
        reader.look("submission-refuted")

    def test_reads_a_board_of_speed(self, reader):
        reader.go("/benchmarks/lab-performance")
        reader.look("board-speed")
        reader.page.get_by_role("button", name="Why is chatty here?").click()
        reader.follow("Submission and evidence", reader.page.locator(".why-row.on"))
        reader.look("submission-speed")

    def test_compares_two_rows(self, reader):
        reader.go("/compare")
        reader.look("compare-choose")
        reader.select("benchmark_id", containing="lab-quality")
        reader.press("Show its rows")
        reader.look("compare-rows")
        for model in ("able", "boasting"):
            reader.main.get_by_label(model).check()
        reader.press("Compare", reader.main)
        reader.sees("What was compared")
        reader.look("compare")

    def test_takes_a_board_home(self, reader):
        reader.go("/benchmarks/lab-quality")
        for kind in ("CSV", "JSON"):
            with reader.page.expect_download() as download:
                reader.main.get_by_role("link", name=kind).click()
            assert "boasting" in download.value.path().read_text()

    def test_reads_boards_by_category(self, reader):
        reader.go("/categories")
        reader.look("categories")
        reader.follow("Accuracy", reader.main)
        reader.look("category")

    def test_reads_how_claims_are_judged(self, reader):
        reader.go("/")
        reader.follow("How we measure and judge")
        reader.is_at("^/methodology$")
        reader.look("methodology")

    def test_is_told_where_nothing_is(self, reader):
        with reader.watch.expecting(404):
            reader.go("/benchmarks/no-such-thing")
        reader.look("not-found")

    def test_changes_the_theme_and_keeps_it(self, reader):
        reader.go("/")
        for _ in range(2):
            reader.page.get_by_role("button", name="press to change").click()
        dark = reader.page.locator('html[data-theme="dark"]')
        dark.wait_for()
        reader.page.wait_for_load_state("networkidle")
        reader.page.reload()
        assert dark.count() == 1
