import pytest

from benchmarks.models import Benchmark
from exchange.core.models import IllegalTransition
from tests.factories.accounts import OrganizationFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def benchmark_row():
    return Benchmark.objects.create(
        organization=OrganizationFactory(), slug="a", name="A", kind="quality", category="accuracy"
    )


class TestMoveTo:
    def test_stores_the_state_with_its_changes(self, benchmark_row):
        benchmark_row.move_to("under_review", name="B")

        stored = Benchmark.objects.get()
        assert (stored.status, stored.name) == ("under_review", "B")

    def test_refuses_what_the_table_does_not_list(self, benchmark_row):
        with pytest.raises(IllegalTransition):
            benchmark_row.move_to("archived")

    def test_refuses_a_row_that_somebody_moved_meanwhile(self, benchmark_row):
        Benchmark.objects.get().move_to("active")

        with pytest.raises(IllegalTransition, match="meanwhile"):
            benchmark_row.move_to("under_review")
