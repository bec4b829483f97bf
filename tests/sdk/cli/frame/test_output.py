import json
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, cleaned, show_facts, show_json, show_rows, wrapped

ESCAPE = "\x1b[31m"


@dataclass
class Row:
    name: str
    number: float | None = None
    note: str = ""

    def as_dict(self):
        return {"name": self.name, "number": self.number}


COLUMNS = [
    Column("Name", lambda row: row.name),
    Column("Number", lambda row: None if row.number is None else f"{row.number:.1f} %", "right",
           plain=lambda row: row.number),
    Column("A note", lambda row: row.note, is_spare=True),
]  # fmt: skip


@pytest.fixture
def shown(capsys, monkeypatch):
    """`shown(rows, "table", width=40)`: what is printed."""

    def show(rows, output, *, columns=COLUMNS, width=80):
        monkeypatch.setenv("COLUMNS", str(width))
        show_rows(Invocation(output=output), rows, columns, empty="None yet.")
        return capsys.readouterr().out

    return show


class TestTable:
    def test_stays_aligned_with_wide_and_narrow_characters(self, shown):
        lines = shown([Row("通义千问", 1), Row("e\u0301a", 22.5), Row("plain", 333)], "table").splitlines()
        ends = {cell_len(line[: line.index("%")]) for line in lines if "%" in line}
        assert len(ends) == 1

    def test_drops_spare_columns_before_it_wraps(self, shown):
        rows = [Row("name", 1, "n" * 60)]
        assert "A note" in shown(rows, "table", width=100)
        narrow = shown(rows, "table", width=40)
        assert "A note" not in narrow
        assert "1.0 %" in narrow

    @pytest.mark.parametrize("width", [40, 60, 80, 120])
    def test_fits_the_terminal_and_keeps_numbers_whole(self, shown, width):
        lines = shown([Row("a long name of a model " * 4, 123.4, "note")], "table", width=width).splitlines()
        assert max(map(cell_len, lines)) <= width
        assert any("123.4 %" in line for line in lines)

    def test_says_what_to_do_where_there_are_none(self, shown):
        assert shown([], "table") == "None yet.\n"

    def test_shows_a_dash_for_nothing(self, shown):
        assert shown([Row("x")], "table").splitlines()[-1].split() == ["x", "–", "–"]

    def test_cannot_be_steered_by_a_name(self, shown):
        out = shown([Row(f"{ESCAPE}red\nnext\u202e", 1)], "table")
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "red next" in out

    @pytest.mark.parametrize("name", ["[bold]x[/bold]", ":smile:", "[red", "{x}"])
    def test_takes_names_literally(self, shown, name):
        assert name in shown([Row(name, 1)], "table")


class TestPlain:
    def test_has_a_header_and_tabs_and_raw_numbers(self, shown):
        out = shown([Row("x", 0.1 + 0.2, "two\twords\nhere")], "plain")
        assert out == "name\tnumber\ta_note\nx\t0.30000000000000004\ttwo words here\n"

    def test_leaves_nothing_where_there_is_no_value(self, shown):
        assert shown([Row("x")], "plain").splitlines()[1] == "x\t\t"

    def test_has_the_header_alone_where_there_are_none(self, shown):
        assert shown([], "plain") == "name\tnumber\ta_note\n"

    def test_shows_columns_of_its_own(self, shown):
        columns = [Column("Drawn", lambda _: "*", only="table"), Column("Id", lambda _: 7, only="plain")]
        assert shown([Row("x")], "plain", columns=columns) == "id\n7\n"
        assert "Id" not in shown([Row("x")], "table", columns=columns)


class TestJson:
    def test_is_what_the_rows_are(self, shown):
        assert json.loads(shown([Row("x", 1.5)], "json")) == [{"name": "x", "number": 1.5}]

    def test_says_the_same_without_steering_the_terminal(self, capsys):
        text = f"{ESCAPE}\u202e\x9b2J 通义"
        show_json({"text": text})
        out = capsys.readouterr().out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "\x9b" not in out
        assert "通义" in out
        assert json.loads(out) == {"text": text}


class TestFacts:
    FACTS = (
        ("Name", "x"),
        ("When", datetime(2026, 12, 1, 9, 5, tzinfo=UTC)),
        ("Some", ["a", "b"]),
        ("No", None),
    )

    def test_are_lines_of_name_and_value(self, capsys):
        show_facts(Invocation(output="table"), {}, self.FACTS)
        lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
        assert [(name, value.strip()) for name, value in lines] == [
            ("Name", "x"), ("When", "2026-12-01 09:05 UTC"), ("Some", "a, b"),
        ]  # fmt: skip

    def test_are_tabbed_in_pipes(self, capsys):
        show_facts(Invocation(output="plain"), {}, self.FACTS)
        assert "when\t2026-12-01T09:05:00+00:00\n" in capsys.readouterr().out


class TestColors:
    STUB = {"GET /benchmarks": {"items": [], "next_page_token": ""}}

    def header(self, call, *arguments):
        return call("config", "show", "-o", "table", *arguments, is_watched=True).out

    def test_are_used_on_a_terminal(self, call):
        assert "\x1b[1m" in self.header(call)

    def test_are_not_used_in_pipes(self, call):
        assert "\x1b" not in call("config", "show", "-o", "table").out

    @pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
    def test_are_turned_off_by_the_environment(self, call, monkeypatch, name, value):
        monkeypatch.setenv(name, value)
        assert "\x1b" not in self.header(call)

    def test_are_turned_off_by_an_option(self, call):
        assert "\x1b" not in self.header(call, "--no-color")


def test_a_terminal_gets_tables_and_a_pipe_plain_lines(call):
    assert "─" in call("config", "show", is_watched=True).out
    assert call("config", "show").out.startswith("name\tvalue\t")


@pytest.mark.parametrize(
    "unseen", ["\x00", "\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028", "\ufeff", "\ud800"]
)
def test_cleaned_replaces(unseen):
    assert cleaned(f"a{unseen}b") == "a\N{REPLACEMENT CHARACTER}b"


def test_cleaned_keeps_lines_and_all_writing():
    assert cleaned("a\n\tb é 通 עברית 👩‍🔬") == "a\n\tb é 通 עברית 👩‍🔬"


def test_wrapped_keeps_long_words_whole(call, monkeypatch):
    from tests.sdk.cli.conftest import Stream

    monkeypatch.setenv("COLUMNS", "30")
    text = f"see {'x' * 50} there"
    assert wrapped(text, Stream(is_terminal=True)).splitlines() == ["see", "x" * 50, "there"]
