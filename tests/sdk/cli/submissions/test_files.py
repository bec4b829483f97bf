import pytest

from llm_benchmark.cli.submissions.files import Cases, located, read_cases, read_claim
from llm_benchmark.errors import FieldError, InvalidInput


@pytest.fixture
def write(tmp_path):
    """`write("claim.json", "{}")`: the file."""

    def make(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


def refused(read, *arguments):
    with pytest.raises(InvalidInput) as caught:
        read(*arguments)
    return caught.value


class TestReadClaim:
    def test_takes_names_and_the_apis_ids(self, write):
        claim, _cases = read_claim(write("claim.json", '{"benchmark_id": "mmlu", "organization": "acme"}'))

        assert claim == {"benchmark": "mmlu", "organization": "acme"}

    def test_reads_cases_beside_it_and_inside_it(self, write):
        write("cases.jsonl", '{"key": "q1", "score": 1}\n')

        _claim, beside = read_claim(write("a.toml", 'cases = "cases.jsonl"'))
        _claim, inside = read_claim(write("b.json", '{"cases": [{"key": "q1", "score": 1}]}'))

        assert beside.rows == inside.rows == [{"key": "q1", "score": 1}]
        assert (beside.lines, inside.lines) == ([1], [])

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("a.json", '{\n "score": \n}', "line 3"),
            ("a.json", "[1]", "holds no object"),
            ("a.json", "[" * 100_000, "nested too deeply"),
            ("a.json", b'{"notes": "a\n\xff"}', "line 2"),
            ("a.toml", "score = \n", "line 1"),
            ("a.json", '{"tittle": 1}', "tittle"),
            ("a.json", '{"cases": 3}', "cases is a list"),
        ],
    )
    def test_says_what_is_wrong_and_where(self, write, name, content, said):
        error = refused(read_claim, write(name, content))

        assert said in " ".join([str(error), *(wrong.field for wrong in error.errors)])

    def test_says_that_there_is_no_file(self, tmp_path):
        assert "cannot be read" in str(refused(read_claim, tmp_path / "claim.json"))


class TestReadCases:
    def test_counts_lines_past_blank_ones(self, write):
        cases = read_cases(
            write("c.jsonl", '\ufeff{"key": "q1", "score": 1}\r\n\r\n{"key": "q2", "score": 0}\n')
        )

        assert ([row["key"] for row in cases.rows], cases.lines) == (["q1", "q2"], [1, 3])

    def test_reads_csv_with_quoted_lines(self, write):
        cases = read_cases(write("c.csv", 'key,score,answer_digest\n"q\n1",0.5,\nq2,1,abc\n'))

        assert cases.rows == [
            {"key": "q\n1", "score": 0.5},
            {"key": "q2", "score": 1.0, "answer_digest": "abc"},
        ]
        assert cases.lines == [3, 4]

    def test_names_every_line_that_cannot_be_read(self, write):
        error = refused(read_cases, write("c.jsonl", '{"key": "q1"}\nnot json\n[]\n'))

        assert [wrong.field.rpartition(", ")[2] for wrong in error.errors] == ["line 2", "line 3"]

    @pytest.mark.parametrize(
        "content",
        [
            "key\nq1\n",
            "key,score,colour\nq1,1,red\n",
            "key,key,score\n",
            "key,score\nq1\n",
            "key,score\nq1,high\n",
            "",
        ],
    )
    def test_refuses_what_is_no_list_of_results(self, write, content):
        refused(read_cases, write("c.csv", content))


class TestLocated:
    def test_says_the_line_instead_of_the_place_in_the_list(self, write):
        cases = read_cases(write("c.jsonl", '{"key": "q1", "score": 1}\n\n{"key": "q2", "score": 2}\n'))
        errors = [
            FieldError(field, "x", "x") for field in ("cases[1].score", "cases", "cases[9]", "claims[0]")
        ]

        found = [error.field for error in located(InvalidInput("x", errors=errors), cases).errors]

        assert found[0].endswith("c.jsonl, line 3, score")
        assert found[1:] == ["cases", "cases[9]", "claims[0]"]

    def test_leaves_places_of_rows_that_came_from_no_file(self):
        errors = [FieldError("cases[1].score", "x", "x")]

        assert located(InvalidInput("x", errors=errors), Cases(rows=[{}, {}])).errors == errors
