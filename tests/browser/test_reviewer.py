"""A reviewer works through the queue: one benchmark is sent back, one approved."""

import pytest

from .world import log_in, unreviewed_benchmark

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def reviewer(people, stack, lab):
    for name in ("Sums to send back", "Sums to approve"):
        unreviewed_benchmark(lab, name.lower().replace(" ", "-"), name)
    return log_in(people(), stack, "rita", role="reviewer")


class TestReviewer:
    def test_finds_what_waits(self, reviewer):
        reviewer.go("/review")
        reviewer.sees("Sums to approve")
        reviewer.look("review-queue")

    def test_sends_one_back_and_has_to_say_why(self, reviewer):
        reviewer.follow("Send back: Sums to send back")
        reviewer.fill(reason="No.")
        with reviewer.watch.expecting(400):
            reviewer.press("Send back", reviewer.main)
        reviewer.look("review-refused")
        reviewer.fill(reason="Ten questions are too few to tell two models apart.")
        reviewer.press("Send back", reviewer.main)
        reviewer.is_at("^/review$")
        assert reviewer.main.get_by_text("Sums to send back").count() == 0

    def test_approves_one_with_a_reason(self, reviewer):
        reviewer.follow("Approve: Sums to approve")
        reviewer.fill(reason="Clear questions, a fitting rule, cases that everybody can check.")
        reviewer.look("review-approve")
        reviewer.press("Approve", reviewer.main)
        reviewer.is_at("^/review$")

    def test_sees_it_active_with_the_reason(self, reviewer):
        reviewer.go("/benchmarks/sums-to-approve")
        reviewer.sees("Clear questions, a fitting rule")
        reviewer.look("benchmark-approved")
