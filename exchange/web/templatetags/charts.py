"""`{% load charts %}`: the charts of `exchange.web.charts` and their numbers as tags and filters."""

from django import template

from exchange.web import charts

register = template.Library()

for tag in (
    charts.before_after,
    charts.board_axis,
    charts.board_caliper,
    charts.board_ground,
    charts.board_scale,
    charts.campaign_bar,
    charts.case_grid,
    charts.claim_beside_rerun,
    charts.difference_axis,
    charts.difference_caliper,
    charts.difference_on_tolerance,
    charts.history_chart,
    charts.end_words,
    charts.interval,
    charts.latency_strip,
    charts.level_icon,
    charts.outcome_icon,
    charts.progress_line,
    charts.quantity,
    charts.quorum_picture,
    charts.row_ends,
    charts.row_relation,
    charts.standing,
    charts.state_icon,
    charts.states_bar,
    charts.step_picture,
    charts.sweep_curve,
    charts.threshold_picture,
    charts.uncertain_digits,
    charts.verdict_counts_bar,
    charts.verdict_icon,
):
    register.simple_tag(tag)

for filter_ in (
    charts.by_version,
    charts.campaign_tone,
    charts.difference_words,
    charts.groups_of,
    charts.is_whole,
    charts.outcome_of,
    charts.outcome_words,
    charts.p_words,
    charts.rank_range,
    charts.shown_unit,
    charts.state_tone,
    charts.sweep_sentence,
    charts.verdict_tone,
):
    register.filter(filter_.__name__, filter_)
