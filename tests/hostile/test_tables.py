from benchmarks.loads import RANGES

from . import tables

TEXT = tables.DOCUMENT.read_text(encoding="utf-8")


def test_the_document_shows_what_the_code_says():
    assert tables.written(TEXT) == TEXT, "put it there with `python -m tests.hostile.tables`"


def test_the_document_shows_the_loads_that_are_run():
    rows = [(tables.code(name), f"{least:,} to {most:,}") for name, (least, most) in RANGES.items()]

    assert f"<!-- table: loads -->\n{tables.table(('Field', 'From … to'), rows)}\n" in TEXT
