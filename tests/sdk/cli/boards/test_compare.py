import pytest

from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission, question_benchmark

from .answers import answers, board, entry

ROWS = (entry(1, name="large"), entry(2, name="small"), entry(None, name="claimed"))


@pytest.mark.django_db
def test_compares_rows_named_in_every_way(call, exchange):
    made = question_benchmark()
    for value in (0.9, 0.7, 0.1):
        measured_quality(make_submission(benchmark=made), value=value)
    first, second, third = call("lb", made.slug, http=exchange).rows

    def compare(*arguments):
        ended = call("compare", made.slug, *arguments, http=exchange)
        assert ended.code == 0, ended.err
        return ended

    pairs = compare(first["model"].upper(), second["entry_id"], third["submission_id"]).rows
    assert [pair["difference"] for pair in pairs] == ["0.2", "0.8", "0.6"]
    assert {pair["test"] for pair in pairs} == {"mcnemar_exact"}
    assert all(float(pair["p_holm"]) >= float(pair["p"]) for pair in pairs)

    bare = first["model"].split("/")[1]
    found = compare(bare, third["model"], "-o", "json").json
    assert len(found["entries"]) == 2
    assert found["comparisons"][0]["method"] == "mcnemar_exact"

    shown = compare(bare, second["model"], third["model"], "-o", "table").out
    assert "+80.0\u00a0points" in shown
    assert "undecided" in shown
    assert "below 0.05" in shown
    assert "metric" in compare(bare, second["model"], "--all-metrics").rows[0]


class TestRefuses:
    @pytest.fixture
    def refusal(self, call, stub):
        return lambda *models: call("compare", "mmlu", *models, http=stub(answers(board(*ROWS))))

    def test_a_name_that_has_no_row_and_lists_those_there_are(self, refusal):
        ended = refusal("large", "nothing")
        assert ended.code == 5
        assert "It has: acme/large, acme/small." in ended.err

    def test_a_claim_that_nobody_has_measured(self, refusal):
        ended = refusal("large", "claimed")
        assert ended.code == 5
        assert "On mmlu, claimed was only claimed so far, not measured" in ended.err
        assert f"llm-benchmark verify {ROWS[2]['submission_id']}" in ended.err

    @pytest.mark.parametrize("count", [1, 11])
    def test_too_few_or_too_many(self, refusal, count):
        ended = refusal(*["large"] * count)
        assert ended.code == 2
        assert "Name 2 to 10 models" in ended.err

    def test_the_same_row_twice(self, refusal):
        ended = refusal("large", "acme/large")
        assert ended.code == 2
        assert "mean the same row" in ended.err
