from types import SimpleNamespace

import pytest

from llm_benchmark.cli.frame.drawing import DRAWN, TYPED, glyphs_of, judgement_lines
from llm_benchmark.quantities import NO_BREAK


def judgement(**changes):
    found = {
        "claim": 0.8, "measured": 0.3, "measured_low": 0.15, "measured_high": 0.52, "tolerance": 0.02,
        "difference": -0.5, "difference_low": -0.72, "difference_high": -0.19,
    }  # fmt: skip
    return SimpleNamespace(**{**found, **changes})


def drawn(*, unit="", is_points=True, width=80, glyphs=DRAWN, **changes):
    lines = judgement_lines(
        judgement(**changes), title="Accuracy", unit=unit, is_points=is_points, width=width, glyphs=glyphs
    )
    return [line.replace(NO_BREAK, " ") for line in lines]


class TestJudgementLines:
    def test_draw_claim_and_rerun_above_each_other_on_one_scale(self):
        title, claimed, measured, scale, *_words = drawn()

        assert title == "Accuracy"
        assert claimed.strip() == "░░◇░░"
        assert measured.strip().strip("─├┤") == "●"
        assert measured.index("├") < measured.index("●") < measured.index("┤") < claimed.index("◇")
        assert (scale.split()[0], scale.split()[2]) == ("9.6", "87.4")

    def test_say_the_numbers(self):
        assert drawn()[-3:] == [
            "  ◇ claimed        80.0 %",
            "  ● measured again 30.0 % (95 %: 15.0 to 52.0 %)",
            "  ░ tolerance ±2 points; difference −50.0 points (−72.0 to −19.0)",
        ]

    @pytest.mark.parametrize("width", [40, 80, 200])
    def test_fit_the_terminal(self, width):
        assert all(len(line) <= width for line in drawn(width=width)[:4])

    def test_draw_the_tolerance_of_a_ratio_around_the_claim(self):
        lines = drawn(
            unit="ms", is_points=False, claim=100.0, measured=104.0, measured_low=95.0, measured_high=113.0,
            difference=1.04, difference_low=None, difference_high=None, tolerance=0.15,
        )  # fmt: skip

        assert lines[-1] == "  ░ tolerance ±15 %; difference +4.0 %"
        assert lines[1].strip().startswith("░")
        assert lines[1].strip().endswith("░")

    def test_run_an_open_side_to_the_edge(self):
        measured = drawn(measured_high=None)[2]

        assert measured.endswith("─")
        assert "┤" not in measured

    def test_invent_no_interval(self):
        lines = drawn(measured_low=None, measured_high=None)

        assert lines[2].strip() == "●"
        assert "  ● measured again 30.0 %" in lines

    def test_draw_nothing_where_nothing_was_measured(self):
        lines = drawn(measured=None, measured_low=None, measured_high=None, difference=None)

        assert lines == ["Accuracy", "  ◇ claimed        80.0 %", "  ● measured again –"]

    def test_stay_within_shares(self):
        scale = drawn(claim=1.0, measured=0.99, measured_low=0.97, measured_high=1.0)[3]

        assert scale.endswith(" 100.0 %")


class TestGlyphs:
    @pytest.mark.parametrize("encoding", ["ascii", "latin-1", None, "no-such-encoding"])
    def test_are_typed_where_the_terminal_has_no_others(self, encoding):
        assert glyphs_of(encoding) is TYPED

    def test_are_drawn_in_unicode(self):
        assert glyphs_of("utf-8") is DRAWN

    def test_typed_ones_are_ascii(self):
        picture = drawn(glyphs=TYPED)[1:3]

        assert "".join(picture).isascii()
