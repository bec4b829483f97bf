import pytest

from llm_benchmark.cli.frame.row_files import RowForm, finite, read_rows
from llm_benchmark.errors import InvalidInput

FORM = RowForm(
    name="rows", what="rows", example='{"key": "a"}', required=("key", "n"), optional=("note",),
    read={"n": lambda cell: finite(cell, f"{cell!r} is no number.")},
)  # fmt: skip


@pytest.fixture
def read(tmp_path):
    def go(text):
        path = tmp_path / "rows"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_rows(path, FORM)

    return go


class TestReads:
    def test_json_lines_and_where_they_stand(self, read):
        rows, lines = read('\ufeff{"key": "a", "n": 1}\r\n\r\n{"key": "b", "n": 2, "more": []}\r\n')
        assert rows == [{"key": "a", "n": 1}, {"key": "b", "n": 2, "more": []}]
        assert lines == [1, 3]

    def test_csv_with_quoted_lines_and_empty_cells(self, read):
        rows, lines = read('key,n,note\n"a\nb",1,\nc,2.5,"x, y"\n')
        assert rows == [{"key": "a\nb", "n": 1.0}, {"key": "c", "n": 2.5, "note": "x, y"}]
        assert lines == [3, 4]


class TestRefuses:
    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ('{"key": "a"}\n[1]\n', 2, "not one JSON object"),
            ('{"key": "a"}\n{"key": \n', 2, "not one JSON object"),
            ("key,value\na,1\n", 1, "names the columns: key, n"),
            ("key,n,key\na,1,b\n", 1, "names the columns"),
            ("key,n\na\n", 2, "has 1 cells; the first line names 2"),
            ("key,n\na,much\n", 2, "'much' is no number."),
            ("key,n\na,nan\n", 2, "'nan' is no number."),
            ('{"key": NaN}\n', 1, "not one JSON object"),
            ('key,n\n"a,1\n', 2, "no CSV"),
        ],
    )
    def test_a_line_by_its_number(self, read, text, line, words):
        with pytest.raises(InvalidInput) as refused:
            read(text)
        [error] = refused.value.errors
        assert error.field.endswith(f", line {line}")
        assert words in error.message

    def test_every_wrong_line_at_once(self, read):
        with pytest.raises(InvalidInput) as refused:
            read("key,n\na,x\nb,1\nc,y\n")
        assert [error.field[-6:] for error in refused.value.errors] == ["line 2", "line 4"]

    @pytest.mark.parametrize("text", ["", "\n", "key,n\n"])
    def test_a_file_without_rows(self, read, text):
        with pytest.raises(InvalidInput, match="holds no rows"):
            read(text)

    def test_what_is_no_text(self, read):
        with pytest.raises(InvalidInput, match="line 2: this is not UTF-8"):
            read(b"key,n\n\xff,1\n")
