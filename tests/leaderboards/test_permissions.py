"""Every service and selector of leaderboards × who asks."""

import pytest

from leaderboards import selectors, services
from tests.contract.matrix import NOTHING, YES, World, check, lasting, row
from tests.factories.benchmarks import BenchmarkFactory
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission

NO_BENCHMARK = "benchmark_not_found"
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)

EVERYBODY = row(YES)


class Boards(World):
    """A measured claim on a public benchmark, and one on a private benchmark of the organization."""

    def __init__(self):
        super().__init__()
        self.open = make_submission(organization=self.organization)
        measured_quality(self.open, value=0.8)
        private = BenchmarkFactory(organization=self.organization, visibility="private", active=True)
        self.closed = make_submission(
            organization=self.organization,
            benchmark=private,
            cases=[{"key": "q1", "score": 1.0}, {"key": "q2", "score": 0.0}],
            claims=[{"name": "accuracy", "value": 0.5, "sample_count": None}],
        )
        measured_quality(self.closed, value=0.8)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Boards()


def benchmark(which):
    return lambda world: {"benchmark_id": getattr(world, which).version.benchmark_id}


def model(which):
    return lambda world: {"model_id": getattr(world, which).model_id}


MATRIX = {
    "get_leaderboard (public)": (EVERYBODY, benchmark("open")),
    "get_leaderboard (private)": (row(NO_BENCHMARK, **OWN), benchmark("closed")),
    "list_boards": (EVERYBODY, lambda _: {"limit": 10}),
    "list_boards_of_model (public)": (EVERYBODY, model("open")),
    "list_boards_of_model (private)": (row(NOTHING, **OWN), model("closed")),
}
OUTSIDE = {
    "of a version whose visibility its caller has asked": {"board_of", "rows_page"},
    "projections, and what they ask": {
        "follow_submission",
        "follow_verification",
        "place",
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
    check(MATRIX, what, world, services, selectors)
