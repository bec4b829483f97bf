from decimal import Decimal

import pytest

from submissions.runs import selectors, services
from submissions.runs.models import Attempt, Response
from tests.factories.endpoints import PriceFactory
from tests.factories.runs import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(db):
    return RunFactory(price={"input_per_million": "2.5", "output_per_million": "10"})


@pytest.fixture
def shown(run, actor_of):
    owner = actor_of(run.organization)
    return lambda actor=owner: selectors.get_run(actor=actor, run_id=run.pk)


def answer(run, key, tokens=(None, None), **fields):
    sides = dict(zip(("input_tokens", "output_tokens"), tokens, strict=True))
    Response.objects.create(run=run, key=key, raw=b"", **sides, **fields)


class TestTokens:
    def test_are_summed_over_all_answers(self, run, shown):
        answer(run, "q0", (10, 4))
        answer(run, "q1", (20, 6))

        assert (shown().input_tokens, shown().output_tokens) == (30, 10)
        assert shown().cost_usd == Decimal("0.00017500")

    def test_are_not_known_unless_every_answer_tells(self, run, shown):
        answer(run, "q0", (10, 4))
        answer(run, "q1", (20, None))

        assert (shown().input_tokens, shown().output_tokens, shown().cost_usd) == (30, None, None)

    def test_leave_out_what_was_asked_again(self, run, shown):
        answer(run, "q0", is_superseded=True, error="connection_lost")
        answer(run, "q0", (10, 4))

        assert shown().output_tokens == 4

    def test_are_not_known_of_nothing(self, shown):
        assert (shown().input_tokens, shown().cost_usd) == (None, None)

    def test_are_those_of_every_request_of_a_load(self, run, shown):
        type(run).objects.filter(pk=run.pk).update(kind="performance")
        for number, status in ((1, "settled"), (2, "released")):
            Attempt.objects.create(
                run=run, fence=1, purpose="load", key="1", number=number, status=status,
                input_tokens=5 if status == "settled" else None, output_tokens=3,
            )  # fmt: skip

        assert (shown().input_tokens, shown().output_tokens) == (5, 3)


class TestCost:
    def test_is_not_known_without_a_price(self, run, shown):
        type(run).objects.filter(pk=run.pk).update(price=None)
        answer(run, "q0", (10, 4))

        assert shown().cost_usd is None

    def test_goes_by_the_price_of_the_day_on_which_the_run_was_queued(self, run, actor_of):
        names = ("deployment", "version", "seed", "snapshot", "fingerprint")
        bounds = ("request_bound", "token_bound", "planned_count")
        form = {name: getattr(run, name) for name in (*names, *bounds)}
        PriceFactory(deployment=run.deployment)
        owner = actor_of(run.organization)
        made = services.create_run(actor=owner, **form)
        PriceFactory(deployment=run.deployment, input_per_million=99)
        answer(made, "q0", (1_000_000, 0))

        assert selectors.get_run(actor=owner, run_id=made.pk).cost_usd == Decimal("2.5")
        assert "price" not in made.snapshot
