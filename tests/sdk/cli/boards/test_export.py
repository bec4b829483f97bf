import csv
import io
import json
from contextlib import contextmanager

import pytest

from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission, question_benchmark


@pytest.mark.django_db
def test_prints_or_writes_a_board(call, exchange, tmp_path):
    made = question_benchmark()
    measured_quality(make_submission(benchmark=made), value=0.7)
    make_submission(benchmark=made)

    def export(*arguments):
        return call("export", made.slug, *arguments, http=exchange)

    [row] = csv.DictReader(io.StringIO(export().out))
    assert (row["rank"], row["value"]) == ("1", "0.7")
    assert [row["rank"] for row in export("-f", "json", "--all").json["items"]] == [1, None]

    file = tmp_path / "board.json"
    assert export("-f", "json", "--to", file, "-o", "table").out.startswith(f"Written to {file} (")
    assert len(json.loads(file.read_text())["items"]) == 1

    refused = export("--to", tmp_path / "none" / "board.csv")
    assert refused.code == 2
    assert "none" in refused.err


def test_leaves_nothing_where_it_is_refused(call, stub, tmp_path):
    assert call("export", "nothing", "--to", tmp_path / "board.csv", http=stub({})).code == 5
    assert list(tmp_path.glob("*.csv")) == []


@pytest.mark.django_db
def test_prints_no_row_beside_the_progress(call, exchange, monkeypatch):
    happened = []

    @contextmanager
    def watched(*_arguments, **_options):
        yield lambda *_: None
        happened.append("progress ended")

    monkeypatch.setattr("llm_benchmark.cli.frame.saving.progress", watched)
    monkeypatch.setattr("llm_benchmark.cli.frame.saving._print", lambda _path: happened.append("printed"))
    call("export", question_benchmark().slug, http=exchange)
    assert happened == ["progress ended", "printed"]
