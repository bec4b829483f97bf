"""Every service and selector of leaderboards × who asks."""

import pytest

from leaderboards import comparing, exports, history, selectors, services
from tests.contract.matrix import NOTHING, YES, World, check, lasting, nothing_else, row
from tests.factories.benchmarks import BenchmarkFactory
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission

NO_BENCHMARK = "benchmark_not_found"
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)

EVERYBODY = row(YES)


class Boards(World):
    """Two measured claims on a public benchmark, and two on a private benchmark of the organization."""

    def __init__(self):
        super().__init__()
        private = BenchmarkFactory(organization=self.organization, visibility="private", active=True)
        asked = {
            "cases": [{"key": "q1", "score": 1.0}, {"key": "q2", "score": 0.0}],
            "claims": [{"name": "accuracy", "value": 0.5, "sample_count": None}],
        }
        self.open = make_submission(organization=self.organization)
        again = {"organization": self.organization, "benchmark": self.open.version.benchmark}
        self.open_too = make_submission(**again)
        self.closed, self.closed_too = (
            make_submission(organization=self.organization, benchmark=private, **asked) for _ in range(2)
        )
        for submission in (self.open, self.open_too, self.closed, self.closed_too):
            measured_quality(submission, value=0.8)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Boards()


def benchmark(which):
    return lambda world: {"benchmark_id": getattr(world, which).version.benchmark_id}


def model(which):
    return lambda world: {"model_id": getattr(world, which).model_id}


def models(which):
    """Of both rows of a board."""
    return lambda world: {
        **benchmark(which)(world),
        "model_ids": [getattr(world, which).model_id, getattr(world, f"{which}_too").model_id],
    }


def two(which):
    """Both rows of a board."""
    return lambda world: {
        **benchmark(which)(world),
        "submission_ids": [getattr(world, which).pk, getattr(world, f"{which}_too").pk],
    }


MATRIX = {
    "get_leaderboard (public)": (EVERYBODY, benchmark("open")),
    "get_leaderboard (private)": (row(NO_BENCHMARK, **OWN), benchmark("closed")),
    "get_export (public)": (EVERYBODY, benchmark("open")),
    "get_export (private)": (row(NO_BENCHMARK, **OWN), benchmark("closed")),
    "list_category_boards": (EVERYBODY, lambda _: {"category": "accuracy"}),
    "count_boards_by_category": (EVERYBODY, nothing_else),
    "list_named_entries (public)": (EVERYBODY, lambda world: {"submission_ids": [world.open.pk]}),
    "list_named_entries (private)": (
        row("entry_not_found", **OWN),
        lambda world: {"submission_ids": [world.closed.pk]},
    ),
    "list_best_entries (public)": (EVERYBODY, models("open")),
    "list_best_entries (private)": (row(NO_BENCHMARK, **OWN), models("closed")),
    "compare_models (public)": (EVERYBODY, two("open")),
    "compare_models (private)": (row(NO_BENCHMARK, **OWN), two("closed")),
    "compare_models (one of them private)": (
        row("entry_not_found", **dict.fromkeys(OWN, "not_comparable")),
        lambda world: {**benchmark("open")(world), "submission_ids": [world.open.pk, world.closed.pk]},
    ),
    "list_model_measurements (public)": (EVERYBODY, model("open")),
    "list_model_measurements (private)": (
        row("model_not_found", **dict.fromkeys(OWN, NOTHING)),
        model("closed"),
    ),
    "list_boards": (EVERYBODY, lambda _: {"limit": 10}),
    "list_boards_of_model (public)": (EVERYBODY, model("open")),
    "list_boards_of_model (private)": (row(NOTHING, **OWN), model("closed")),
}
OUTSIDE = {
    "of versions whose visibility their caller has asked": {
        "board_of",
        "boards_of",
        "rows_page",
        "find_row",
        "list_organizations_on",
        "unmeasured_claims",
        "waiting_rows",
        "whole_entries",
        "whole_claims",
    },
    "arithmetic": {"is_higher_better", "board_order"},
    "projections, and what they ask": {
        "follow_submission",
        "follow_verification",
        "place",
        "computed_row",
        "rebuild",
        "placeable",
        "row_key",
        "latest_decided",
        "submission_of",
        "submission_of_verification",
    },
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, selectors, comparing, history, exports)
