import random
from datetime import UTC, datetime, timedelta

import pytest

from exchange.web.charts import end_words, progress_line
from exchange.web.charts.progress import LEAST_DONE, expected_end

BEGAN = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
NOW = BEGAN + timedelta(minutes=10)


def running(done=100, planned=200, began=BEGAN):
    return {"done_count": done, "planned_count": planned, "started_at": began}


def minutes(ends):
    return [(end - NOW).total_seconds() / 60 for end in ends]


class TestExpectedEnd:
    def test_is_about_as_far_away_as_the_pace_says(self):
        low, high = minutes(expected_end(running(), NOW))

        assert low < 10 < high

    def test_is_narrower_the_more_is_done(self):
        early, late = (minutes(expected_end(running(n, 2 * n), NOW)) for n in (10, 1000))

        assert late[1] - late[0] < early[1] - early[0]

    @pytest.mark.parametrize("done", [0, LEAST_DONE - 1, 200])
    def test_is_not_known_before_there_is_a_pace_nor_after_the_end(self, done):
        assert expected_end(running(done), NOW) is None

    def test_is_not_known_before_the_beginning(self):
        assert expected_end(running(began=None), NOW) is None
        assert expected_end(running(began=NOW), NOW) is None

    def test_holds_the_true_end_in_nine_of_ten_cases(self):
        """Requests that end at random moments: a Poisson process, seen after 20 of 60."""
        rng, inside, trials = random.Random(7), 0, 2000
        for _ in range(trials):
            gaps = [rng.expovariate(1.0) for _ in range(60)]
            now, end = (BEGAN + timedelta(seconds=sum(gaps[:n])) for n in (20, 60))
            low, high = expected_end(running(20, 60), now)
            inside += low <= end <= high
        assert inside / trials == pytest.approx(0.9, abs=0.02)


class TestWords:
    def test_give_a_range_and_the_day_when_it_is_another_one(self):
        late = datetime(2026, 12, 1, 23, 50, tzinfo=UTC)

        words = end_words(running(began=late - timedelta(minutes=30)), late)

        assert words.startswith("At this pace it ends between 2 Dec, 00:1")

    def test_give_seconds_when_the_end_is_near(self):
        words = end_words(running(began=NOW - timedelta(seconds=60)), NOW)

        assert "between 09:10:4" in words

    def test_are_empty_without_a_pace(self):
        assert end_words(running(1), NOW) == ""
        assert progress_line(running(1), NOW) == ""


class TestProgressLine:
    def test_says_in_its_title_what_it_draws(self):
        svg = progress_line(running(), NOW)

        assert "<title>Began 09:00, now 09:10. At this pace it ends between" in svg
        assert svg.count('class="jaw"') == 2

    def test_takes_times_as_the_api_writes_them(self):
        assert progress_line(running(began=BEGAN.isoformat()), NOW) == progress_line(running(), NOW)
