import pytest

from exchange.core import spreadsheets

HOSTILE = [
    '=HYPERLINK("http://evil.example")', "+1+cmd|' /C calc'!A0", "@SUM(1)", "-2+3", "\t=1", "\r=1", "\n=1",
    "＝1+1", "＋1", "－1", "＠A", " =1", "\u200b=1", "\ufeff=1",
]  # fmt: skip


class TestCell:
    @pytest.mark.parametrize("text", HOSTILE, ids=ascii)
    def test_takes_the_meaning_from_a_formula(self, text):
        assert spreadsheets.cell(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["plain", "a=b", "1-2", "x@y.example", ""])
    def test_leaves_other_texts_alone(self, text):
        assert spreadsheets.cell(text) == text

    @pytest.mark.parametrize("number", [-5, -0.25, 0, 1e-9])
    def test_leaves_numbers_numbers(self, number):
        assert spreadsheets.cell(number) == number

    @pytest.mark.parametrize(("value", "text"), [(None, ""), (True, "true"), (False, "false")])
    def test_spells_what_is_neither(self, value, text):
        assert spreadsheets.cell(value) == text
