import re
from xml.etree import ElementTree as ET

import pytest
from django.utils.safestring import SafeString

from exchange.core.quantities import certain_length, inner_half, interval, quantity
from exchange.web import charts
from exchange.web.charts.svg import Scale, readable, scale_around
from tests.web import board_pages
from tests.web import fixtures as fx
from tests.web.pages import performance, refuted

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=a onload='b'>"
PERCENT = re.compile(r'(?:x|x1|x2|cx|width)="(-?[\d.]+)%"')


def performance_judgements():
    return performance()["verification"]["judgements"]


def drawn():
    """Every chart on data of every kind."""
    board, speeds = fx.leaderboard(), fx.performance_board()
    pairs, ratios = board_pages.comparison()["comparisons"], board_pages.comparison()["other_comparisons"]
    refuted_judgement = refuted()["verification"]["judgements"][0]
    return {
        "claim": charts.claim_beside_rerun(fx.judgement(), fx.ACCURACY),
        "claim in ms": charts.claim_beside_rerun(performance_judgements()[1], fx.LATENCY),
        "difference": charts.difference_on_tolerance(fx.judgement(), fx.ACCURACY, "quality"),
        "difference refuted": charts.difference_on_tolerance(refuted_judgement, fx.ACCURACY, "quality"),
        "ratio": charts.difference_on_tolerance(performance_judgements()[0], fx.TTFT, "performance"),
        "open ratio": charts.difference_on_tolerance(performance_judgements()[1], fx.LATENCY, "performance"),
        "ratio without interval": charts.difference_on_tolerance(
            performance_judgements()[2], fx.THROUGHPUT, "performance"
        ),
        "cases": charts.case_grid(fx.cases()),
        "outcomes": charts.verdict_counts_bar({"confirmed": 3, "refuted": 1, "failed": 1}),
        "latencies": charts.latency_strip([40.0 + n % 7 for n in range(72)], fx.TTFT),
        "one latency": charts.latency_strip([40.0], fx.TTFT),
        "row": charts.board_caliper(board["items"][0], charts.board_scale(board)),
        "claimed row": charts.board_caliper(board["items"][-1], charts.board_scale(board)),
        "row in ms": charts.board_caliper(speeds["items"][2], charts.board_scale(speeds)),
        "axis": charts.board_axis(charts.board_scale(board)),
        "pair": charts.difference_caliper(pairs[0], pairs),
        "pair axis": charts.difference_axis(pairs),
        "pair of ratios": charts.difference_caliper(ratios[0], ratios),
        "pair without an interval": charts.difference_caliper(ratios[1], ratios),
        "history": charts.history_chart(charts.by_version(board_pages.measurements())[0]),
        "history of one": charts.history_chart(charts.by_version(board_pages.measurements())[1]),
        "states": charts.states_bar({"active": 3, "failed": 1, "splendid": 1}),
        "campaign": charts.campaign_bar({"active": 3, "auth_error": 1}, 9),
        "sweep": charts.sweep_curve(fx.sweep()),
        "sweep of one": charts.sweep_curve(fx.sweep(levels=fx.sweep()["levels"][3:4], peak=8)),
        **{f"step {name}": charts.step_picture(name) for name in ("claim", "measure", "rule", "rank")},
    }


IN_TABLES = ("row", "claimed row", "row in ms", "axis", "states", "campaign")
WITH_TABLE = [name for name in drawn() if name not in IN_TABLES and not name.startswith(("step", "pair"))]


class TestEveryChart:
    @pytest.mark.parametrize("name", drawn())
    def test_is_a_named_image_of_well_formed_markup(self, name):
        root = ET.fromstring(f"<div>{drawn()[name]}</div>")

        image = next(node for node in root.iter("svg") if node.get("role") == "img")
        assert len(image.find("title").text) > 10

    @pytest.mark.parametrize("name", drawn())
    def test_keeps_percent_coordinates_inside_the_picture(self, name):
        found = [float(value) for value in PERCENT.findall(drawn()[name])]

        assert all(0 <= value <= 100 for value in found)

    @pytest.mark.parametrize("name", WITH_TABLE)
    def test_has_its_numbers_in_a_folded_table(self, name):
        root = ET.fromstring(f"<div>{drawn()[name]}</div>")

        cells = [cell for details in root.iter("details") for cell in details.iter("td")]
        assert cells

    @pytest.mark.parametrize("name", drawn())
    def test_carries_no_style_and_no_script(self, name):
        assert not re.search(r"style=|<script|<style|\son\w+=", drawn()[name])


class TestHostileText:
    def test_is_escaped_in_titles_and_units(self):
        bad = fx.TTFT | {"title": HOSTILE, "unit": HOSTILE}

        found = [
            charts.claim_beside_rerun(performance_judgements()[0], bad),
            charts.difference_on_tolerance(performance_judgements()[0], bad, "performance"),
            charts.latency_strip([1.0, 2.0], bad),
            charts.board_axis(charts.board_scale(fx.leaderboard(unit=HOSTILE))),
            charts.uncertain_digits(1.5, 1.0, 2.0, HOSTILE),
        ]

        assert all(isinstance(chart, SafeString) for chart in found)
        assert not any("<script" in chart or "<img" in chart for chart in found)

    def test_is_escaped_in_verdicts_that_nobody_knows(self):
        assert "<" not in charts.verdict_word(HOSTILE).replace(HOSTILE, "")
        assert "script" not in charts.verdict_icon(HOSTILE)
        assert "script" not in charts.level_icon(HOSTILE)


class TestMissingData:
    def test_draws_nothing_without_a_claim(self):
        assert charts.claim_beside_rerun(fx.judgement(claim=None), fx.ACCURACY) == ""
        assert charts.difference_on_tolerance(fx.judgement(difference=None), fx.ACCURACY, "quality") == ""

    def test_draws_nothing_of_nothing(self):
        assert (
            charts.case_grid([]) == charts.verdict_counts_bar({}) == charts.latency_strip([], fx.TTFT) == ""
        )
        assert charts.board_scale(fx.leaderboard(items=[])) is None

    def test_invents_no_interval(self):
        entry = fx.entry(1, "m", "p", 0.5, 100) | {"low": None, "high": None}
        drawing = charts.board_caliper(entry, charts.board_scale(fx.leaderboard()))

        assert "jaw" not in drawing
        assert "core" not in drawing
        assert "no interval" in drawing

    def test_leaves_an_open_side_without_a_jaw(self):
        drawing = charts.difference_on_tolerance(performance_judgements()[1], fx.LATENCY, "performance")

        assert drawing.count('class="jaw"') == 1
        assert "at least" in drawing


class TestDifference:
    def test_says_that_a_confirmed_one_lies_inside(self):
        drawing = charts.difference_on_tolerance(fx.judgement(), fx.ACCURACY, "quality")

        assert "+0.1 points, 90 % interval −1.1 points to +1.3 points: wholly inside" in drawing

    def test_puts_half_and_twice_equally_far_from_the_middle(self):
        scale = Scale(1 / 3, 3, log=True)

        assert scale.share(2) - 50 == pytest.approx(50 - scale.share(0.5))

    @pytest.mark.parametrize(
        ("metric", "left"), [(fx.TTFT, "← better than claimed"), (fx.THROUGHPUT, "← worse than claimed")]
    )
    def test_names_the_sides_by_the_direction_of_the_metric(self, metric, left):
        assert left in charts.difference_on_tolerance(performance_judgements()[0], metric, "performance")


class TestDigits:
    @pytest.mark.parametrize(
        ("text", "half", "certain"),
        [
            ("93.1", 1.6, "9"),
            ("93.12", 0.4, "93"),
            ("54.8", 12, ""),
            ("1,234", 60, "1,2"),
            ("7.25", 0.01, "7.2"),
            ("7.25", 0.001, "7.25"),
        ],
    )
    def test_are_certain_down_to_the_half_width(self, text, half, certain):
        assert text[: certain_length(text, half)] == certain

    def test_of_a_share_are_percent_points(self):
        assert charts.uncertain_digits(0.931, 0.915, 0.947, "ratio") == '9<span class="u">3.1</span>'

    def test_of_the_unknown_are_a_dash(self):
        assert "–" in charts.uncertain_digits(None, None, None, "ms")

    @pytest.mark.parametrize(
        ("value", "unit", "words"),
        [(0.86, "ratio", "86.0 %"), (52.41, "ms", "52.4 ms"), (1204.0, "ms", "1,204 ms"), (None, "ms", "–")],
    )
    def test_come_with_the_unit(self, value, unit, words):
        assert quantity(value, unit).replace("\u00a0", " ") == words

    def test_of_an_interval_open_above_say_at_least(self):
        assert interval(1.0, None, "ms").startswith("at least 1.00")


class TestInnerHalf:
    def test_is_told_where_the_interval_is_wilsons(self):
        low, high = inner_half(fx.entry(1, "m", "p", 0.861, 1000))

        assert (low, high) == pytest.approx((0.8535, 0.8682), abs=2e-4)

    def test_is_not_told_by_another_interval(self):
        assert inner_half(fx.entry(1, "m", "p", 0.861, 1000) | {"low": 0.8}) is None


class TestBoard:
    def test_brackets_ties_and_puts_claims_last(self):
        groups = charts.groups_of(fx.leaderboard()["items"])

        assert [group.size for group in groups] == [4, 3, 1, 2, 2]
        assert [group.is_tie for group in groups] == [True, True, False, True, False]
        assert not groups[-1].is_ranked

    def test_keeps_rows_without_a_tie_group_apart(self):
        rows = [fx.entry(at, "m", "p", 0.5, 10) for at in (1, 2)]

        assert [group.size for group in charts.groups_of(rows)] == [1, 1]

    @pytest.mark.parametrize(("ends", "words"), [((3, 11), "3–11"), ((3, 3), "3"), ((None, None), "3")])
    def test_prints_a_rank_range(self, ends, words):
        row = fx.entry(3, "m", "p", 0.5, 10) | {"rank_low": ends[0], "rank_high": ends[1]}

        assert charts.rank_range(row) == words

    def test_prints_no_rank_for_a_claim(self):
        assert charts.rank_range(fx.claim_entry(1, "m", "p", 0.5)) == "–"

    def test_knows_that_lower_is_better_for_latencies(self):
        board = fx.performance_board()

        assert charts.standing(board["items"][0], board).worse == ["SmolLM2 135M Instruct"]
        assert len(charts.standing(board["items"][2], board).better) == 2

    def test_counts_by_the_rank_range_and_names_nobody_when_it_shows_a_part_only(self):
        board = fx.leaderboard(ranked_count=400)
        row = board["items"][0] | {"rank_low": 3, "rank_high": 10}
        found = charts.standing(row, board)

        assert (found.better_count, found.same_count, found.worse_count) == (2, 7, 390)
        assert found.better == found.same == found.worse == []

    def test_counts_the_rows_that_it_names(self):
        board = fx.leaderboard()
        for row in board["items"][:10]:
            found = charts.standing(row, board)
            named = (len(found.better), len(found.same), len(found.worse))
            assert named == (found.better_count, found.same_count, found.worse_count)

    @pytest.mark.parametrize(
        ("reference", "relations"), [(0, ["", "same", "worse"]), (8, ["better", "better", "better"])]
    )
    def test_tells_each_row_by_a_chosen_one(self, reference, relations):
        rows = fx.leaderboard()["items"]
        found = [
            charts.row_relation(row, rows[reference], "higher_is_better")
            for row in (rows[0], rows[1], rows[7])
        ]

        assert found == relations

    def test_turns_the_relation_where_lower_is_better(self):
        rows = fx.performance_board()["items"]

        assert charts.row_relation(rows[2], rows[0], "lower_is_better") == "worse"

    def test_tells_nothing_of_a_claim_or_without_a_chosen_row(self):
        rows = fx.leaderboard()["items"]

        assert charts.row_relation(rows[-1], rows[0], "higher_is_better") == ""
        assert charts.row_relation(rows[0], None, "higher_is_better") == ""

    def test_draws_its_band_at_the_chosen_row(self):
        board = fx.leaderboard()

        assert charts.board_scale(board, reference=board["items"][4]).reference is board["items"][4]

    def test_marks_the_best_row_as_reference(self):
        assert charts.board_scale(fx.leaderboard()).reference["model_name"] == "Kestrel 4 Large"


class TestDifferencesOfPairs:
    def test_are_points_of_shares_and_percent_of_the_rest(self):
        shown = board_pages.comparison()
        shares, ratios = shown["comparisons"], shown["other_comparisons"]

        assert charts.difference_words(shares[1]) == "+4.2\u00a0points (+1.1 to +7.3)"
        assert charts.difference_words(ratios[0]) == "−21.0\u00a0% (−26.1 to −15.5)"
        assert charts.difference_words(ratios[1]) == "−21.0\u00a0%"

    @pytest.mark.parametrize(
        ("p", "words"), [(None, "–"), (0.0004, "< 0.001"), (0.0216, "0.022"), (1.0, "1.000")]
    )
    def test_come_with_p_values_that_people_can_read(self, p, words):
        assert charts.p_words(p) == words

    def test_have_zero_on_their_scale(self):
        assert 'class="zero"' in charts.difference_caliper(*self.alone())

    def alone(self):
        pairs = board_pages.comparison()["comparisons"][1:2]
        return pairs[0], pairs


class TestHistory:
    def test_keeps_versions_apart_in_the_order_of_their_newest_measurement(self):
        found = charts.by_version(board_pages.measurements())

        assert [[item["value"] for item in items] for items in found] == [[0.871, 0.79, 0.85, 0.82], [41.3]]

    def test_draws_nothing_without_a_value(self):
        assert charts.history_chart([board_pages.measurement(1, 0.5) | {"value": None}]) == ""

    def test_leaves_an_open_side_without_a_jaw(self):
        drawing = charts.history_chart([board_pages.measurement(1, 0.5) | {"high": None}])

        assert drawing.count('class="jaw"') == 1


class TestScale:
    @pytest.mark.parametrize(("value", "place"), [(-5, "0%"), (5, "50%"), (99, "100%")])
    def test_holds_values_outside_at_its_edge(self, value, place):
        assert Scale(0, 10).at(value) == place

    @pytest.mark.parametrize("values", [[0.5], [0.0, 1.0], [1e-6, 2e-6], [0.0], [12000.0, 12001.0]])
    def test_has_round_ends_around_its_values(self, values):
        scale, ticks = scale_around(values, floor=0.0)

        assert scale.low <= min(values) <= max(values) <= scale.high
        assert 3 <= len(ticks) <= 9


class TestReadableLabels:
    def test_keeps_labels_that_have_room(self):
        assert readable(["41", "42", "43", "44", "45 ms"]) == ["41", "42", "43", "44", "45 ms"]

    def test_blanks_the_label_that_the_last_one_would_touch(self):
        labels = ["295.5", "296.0", "296.5", "297.0", "297.5", "298.0 ms"]

        assert readable(labels) == [*labels[:4], "", labels[5]]

    def test_blanks_every_other_one_in_a_crowd(self):
        kept = [label for label in readable([f"{n}.000" for n in range(100, 109)]) if label]

        assert kept == ["100.000", "102.000", "104.000", "106.000", "108.000"]


class TestCases:
    @pytest.mark.parametrize(
        ("claimed", "measured", "outcome"),
        [
            (1, 1, "both"),
            (0, 1, "ours"),
            (1, 0, "claim"),
            (0, 0, "neither"),
            (0.5, 1, "ours"),
            (None, 1, "unknown"),
            (1, None, "unknown"),
        ],
    )
    def test_have_five_outcomes(self, claimed, measured, outcome):
        assert charts.outcome_of(fx.case(1, claimed, measured)) == outcome

    def test_are_counted_in_the_title(self):
        drawing = charts.case_grid([fx.case(1, 1, 1), fx.case(2, 0, 1), fx.case(3, 1, 0)])

        assert "3 cases: 1 right both times, 1 right only in our run, 1 right only in the claim" in drawing


class TestLatencyStrip:
    def test_states_p95_from_72_requests(self):
        assert "p95 4" in charts.latency_strip([40.0] * 71 + [41.0], fx.TTFT)
        assert "too few requests" in charts.latency_strip([40.0] * 70 + [41.0], fx.TTFT)

    def test_draws_every_request(self):
        assert charts.latency_strip([40.0 + n / 10 for n in range(20)], fx.TTFT).count("<circle") == 20


class TestStatesBar:
    def test_says_how_many_stand_how(self):
        bar = charts.states_bar({"failed": 1, "active": 3, "new": 0})

        assert "<title>4 deployments: 3 active, 1 failed.</title>" in bar

    def test_is_empty_without_deployments(self):
        assert charts.states_bar({}) == ""


class TestCampaignBar:
    def test_leaves_room_for_what_is_to_do(self):
        bar = charts.campaign_bar({"active": 3}, 4)

        assert "<title>3 of 4 models done.</title>" in bar
        assert "to do" in bar
        assert "to do" not in charts.campaign_bar({"active": 4}, 4)

    def test_is_empty_before_its_rows_are_known(self):
        assert charts.campaign_bar({}, 0) == ""


class TestSweepCurve:
    def test_says_where_the_knee_is_and_what_came_out_at_most(self):
        assert charts.sweep_sentence(fx.sweep()) == (
            "The knee is at 8 requests at a time, where a request takes 380\u00a0ms. "
            "The most that came out is 3,136\u00a0tokens/s, at 16."
        )

    def test_hollows_levels_with_failures(self):
        assert charts.sweep_curve(fx.sweep()).count('class="hollow"') == 2  # one on each curve

    def test_draws_requests_where_no_tokens_were_counted(self):
        levels = [level | {"output_tokens_per_second": None} for level in fx.sweep()["levels"]]

        assert "Throughput, requests/s" in charts.sweep_curve(fx.sweep(levels=levels, peak=None))

    def test_is_empty_where_nothing_answered(self):
        silent = dict.fromkeys(("output_tokens_per_second", "requests_per_second", "request_latency_p50"))
        levels = [level | silent for level in fx.sweep()["levels"]]

        assert charts.sweep_curve(fx.sweep(levels=levels, knee=None, peak=None)) == ""
        assert charts.sweep_sentence(fx.sweep(knee=None)) == "No level of the sweep was answered."
