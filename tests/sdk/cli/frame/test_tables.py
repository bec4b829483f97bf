import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from llm_benchmark.cli.frame.output import Column
from llm_benchmark.cli.frame.tables import print_facts, print_table

NAME = Column("Name", lambda row: row[0])
COUNT = Column("Count", lambda row: row[1], "right")
NOTE = Column("A note", lambda row: row[2], is_spare=True)


def printed(rows, columns, width):
    out = Console(file=io.StringIO(), width=width, color_system=None)
    print_table(out, rows, columns)
    return out.file.getvalue().splitlines()


class TestFacts:
    def print(self, facts, width):
        out = Console(file=io.StringIO(), width=width, color_system=None)
        print_facts(out, facts)
        return out.file.getvalue().splitlines()

    def test_hang_under_their_value(self):
        assert self.print([("Name", "x"), ("Description", "some words to fold away here now")], 40) == [
            "Name         x",
            "Description  some words to fold away",
            "             here now",
        ]

    def test_keep_addresses_whole(self):
        url = "https://exchange.example/" + "x" * 60
        assert self.print([("Page", url)], 40) == [f"Page  {url}"]

    def test_keep_the_lines_of_a_text(self):
        assert self.print([("Text", "one\ntwo")], 40) == ["Text  one", "      two"]


class TestTable:
    def test_puts_numbers_under_each_other_and_leaves_no_blanks_at_the_end(self):
        assert printed([("a", 1, "x"), ("long", 1000, "")], [NAME, COUNT, NOTE], 80) == [
            "Name  Count  A note",
            "───────────────────",
            "a         1  x",
            "long   1000  –",
        ]

    def test_counts_wide_characters_twice(self):
        lines = printed([("通义", 1, ""), ("abcd", 2, "")], [NAME, COUNT], 80)
        assert lines[2:] == ["通义      1", "abcd      2"]

    def test_leaves_spare_columns_out_from_the_right(self):
        columns = [NAME, NOTE, Column("Last", lambda _row: "last", is_spare=True)]
        rows = [("name", 1, "note")]
        assert printed(rows, columns, 80)[0].split() == ["Name", "A", "note", "Last"]
        assert printed(rows, columns, 14)[0].split() == ["Name", "A", "note"]
        assert printed(rows, columns, 8)[0].split() == ["Name"]

    def test_folds_text_between_words_before_it_breaks_them(self):
        lines = printed([("one long name of a model", 7, "")], [NAME, COUNT], 16)
        assert lines[2:] == ["one long       7", "name of a", "model"]

    def test_breaks_a_word_only_where_nothing_else_helps(self):
        lines = printed([("x" * 30, 12345, "")], [NAME, COUNT], 20)
        assert max(map(cell_len, lines)) <= 20
        assert "12345" in lines[2]

    def test_keeps_what_is_whole(self):
        key = Column("ID", lambda row: row[0], is_whole=True)
        lines = printed(
            [("0123456789", 1, "some words to be folded away")], [key, Column("T", lambda r: r[2])], 20
        )
        assert lines[2].startswith("0123456789  ")

    @pytest.mark.parametrize("width", [20, 33, 40, 80])
    def test_is_as_wide_as_the_terminal_at_most(self, width):
        rows = [("a name with words and averylongword" * 2, 123456, "note " * 9)]
        assert max(map(cell_len, printed(rows, [NAME, COUNT, NOTE], width))) <= width
