"""Somebody writes a benchmark: its words, its first edition, and the way to its reviewers."""

import json

import pytest

from .world import log_in

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

CASES = "\n".join(
    json.dumps({"key": f"c{n}", "prompt": f"{n} times {n}?", "reference": str(n * n), "scorer": "numeric_v1"})
    for n in range(12)
)


@pytest.fixture(scope="module")
def author(people, stack):
    return log_in(people(), stack, "ada", organization="Ada’s bench")


class TestAuthor:
    def test_says_what_it_is_about(self, author):
        author.go("/benchmarks")
        author.follow("New benchmark")
        author.look("benchmark-new")
        author.select("organization_id", containing="Ada’s bench")
        author.fill(
            name="Squares", slug="squares", kind="quality", category="accuracy", license="mit",
            description="Squares of small numbers.", tags="arithmetic, small",
        )  # fmt: skip
        author.press("Save the draft")
        author.is_at("^/benchmarks/squares/versions/new$")
        author.look("version-new")

    def test_is_told_by_line_what_is_wrong(self, author):
        author.fill(test_cases='{"key": "c0", "prompt": "0 times 0?"}\nnonsense')
        with author.watch.expecting(400):
            author.press("Save the draft")
        author.look("version-refused")

    def test_writes_the_first_edition(self, author):
        author.fill(test_cases=CASES, cases_public=True)
        author.press("Save the draft")
        author.sees("What we read")
        author.look("version-draft")

    def test_publishes_it(self, author):
        author.page.locator("#publish").get_by_role("checkbox").check()
        author.press("Publish 1.0.0 for ever")
        author.is_at("^/benchmarks/squares$")
        author.look("benchmark-draft")

    def test_changes_what_is_said_of_it(self, author):
        author.follow("Change what is said of it")
        author.look("benchmark-edit")
        author.fill(description="Squares of small whole numbers.")
        author.press("Save", author.main)
        author.sees("Squares of small whole numbers.")

    def test_submits_it_for_review(self, author):
        author.follow("Submit for review")
        author.look("benchmark-submit")
        author.press("Submit for review", author.main)
        author.sees("Under review")
        author.look("benchmark-under-review")
