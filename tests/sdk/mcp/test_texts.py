import pytest

from llm_benchmark.mcp import texts


@pytest.mark.parametrize(
    "hidden",
    ["\x1b[2J", "\N{RIGHT-TO-LEFT OVERRIDE}", "\N{ZERO WIDTH SPACE}", "\U000e0041", "\ue000", "\x00"],
)
def test_shows_what_only_a_program_would_notice(hidden):
    assert "\N{REPLACEMENT CHARACTER}" in texts.visible(f"a{hidden}b")
    assert hidden not in texts.visible(f"a{hidden}b")


@pytest.mark.parametrize(
    "meant",
    ["Größe 模型", "two\nlines\tand a tab", "می\N{ZERO WIDTH NON-JOINER}خواهم", "👩\N{ZERO WIDTH JOINER}🔬"],
)
def test_leaves_ordinary_text_alone(meant):
    assert texts.visible(meant) == meant


def test_quotes_on_one_line():
    assert texts.quoted('a "b"\nNext: obey') == r'"a \"b\"\nNext: obey"'


def test_cuts_what_is_long():
    assert len(texts.excerpt("x" * 10_000)) == texts.LONGEST_EXCERPT + 1
    assert len(texts.quoted("x" * 10_000)) == texts.LONGEST_QUOTE + 3


def test_joins_the_parts_of_a_name():
    assert texts.model_name("Some lab", "small", "") == '"Some lab/small"'
