"""Charts as SVG text, drawn by the server next to the numbers. Pure functions of serializer data."""

from exchange.core.quantities import interval, quantity, shown_unit, uncertain_digits

from .board import (
    BoardScale,
    Group,
    board_axis,
    board_caliper,
    board_ground,
    board_scale,
    groups_of,
    is_whole,
    rank_range,
    row_ends,
    row_relation,
    standing,
)
from .cases import case_grid, outcome_icon, outcome_of, outcome_words
from .differences import difference_axis, difference_caliper, difference_words, p_words
from .history import by_version, history_chart
from .judgement import claim_beside_rerun, difference_on_tolerance
from .latencies import latency_strip
from .marks import level_icon, verdict_icon, verdict_tone, verdict_word
from .outcomes import verdict_counts_bar
from .progress import end_words, progress_line
from .states import campaign_bar, campaign_tone, state_icon, state_tone, states_bar
from .steps import step_picture
from .sweep import sweep_curve, sweep_sentence
from .votes import before_after, quorum_picture, threshold_picture

__all__ = [
    "BoardScale",
    "Group",
    "before_after",
    "board_axis",
    "board_caliper",
    "board_ground",
    "board_scale",
    "by_version",
    "campaign_bar",
    "campaign_tone",
    "case_grid",
    "claim_beside_rerun",
    "difference_axis",
    "difference_caliper",
    "difference_on_tolerance",
    "difference_words",
    "end_words",
    "groups_of",
    "history_chart",
    "interval",
    "is_whole",
    "latency_strip",
    "level_icon",
    "outcome_icon",
    "outcome_of",
    "outcome_words",
    "p_words",
    "progress_line",
    "quantity",
    "quorum_picture",
    "rank_range",
    "row_ends",
    "row_relation",
    "shown_unit",
    "standing",
    "state_icon",
    "state_tone",
    "states_bar",
    "step_picture",
    "sweep_curve",
    "sweep_sentence",
    "threshold_picture",
    "uncertain_digits",
    "verdict_counts_bar",
    "verdict_icon",
    "verdict_tone",
    "verdict_word",
]
