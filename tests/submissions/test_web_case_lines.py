import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from exchange.core.errors import InvalidInput
from submissions.web import case_lines
from submissions.web.case_lines import as_number, read_cases, text_of

DIGEST = "a" * 64


def complaints(text):
    with pytest.raises(InvalidInput) as refusal:
        read_cases(text)
    return [error.message for error in refusal.value.errors]


class TestReadCases:
    def test_reads_json_lines_and_keeps_where_they_stand(self):
        found = read_cases('\ufeff{"key": "q1", "score": 1}\r\n\r\n{"key": "q2", "score": 0.5}\n')

        assert found.rows == [{"key": "q1", "score": 1}, {"key": "q2", "score": 0.5}]
        assert found.lines == [1, 3]

    def test_reads_csv_by_the_names_of_its_columns(self):
        found = read_cases(f"score,key,answer_digest\n1,q1,{DIGEST}\n\n0,q2,\n")

        assert found.rows == [
            {"score": 1.0, "key": "q1", "answer_digest": DIGEST},
            {"score": 0.0, "key": "q2"},
        ]
        assert found.lines == [2, 4]

    def test_counts_the_lines_of_a_quoted_cell(self):
        assert read_cases('key,score\n"q\n1",1\nq2,0\n').lines == [3, 4]

    @pytest.mark.parametrize("text", ["", "  \n\n", "\ufeff"])
    def test_finds_nothing_where_there_is_nothing(self, text):
        assert read_cases(text).rows == []

    def test_leaves_what_is_no_number_for_the_form_to_refuse(self):
        assert read_cases("key,score\nq1,much\n").rows == [{"key": "q1", "score": "much"}]

    def test_names_each_line_that_is_no_object(self):
        said = complaints('{"key": "q1", "score": 1}\n[1]\n{"key":\n"q2"')

        assert [message.split(" is ")[0] for message in said] == ["Line 2", "Line 3", "Line 4"]

    def test_lists_no_more_than_people_read(self):
        assert len(complaints("{\n" * 500)) == 20

    def test_survives_what_is_nested_too_deeply(self):
        assert complaints('{"a":' * 100_000)[0].startswith("Line 1 is not one JSON object")

    @pytest.mark.parametrize("head", ["key", "key,score,colour", "key,key,score", "q1,1"])
    def test_says_which_columns_a_csv_has(self, head):
        (said,) = complaints(f"{head}\nq1,1\n")

        assert said.startswith("Line 1 names the columns of a CSV: key, score")

    def test_names_a_row_with_another_number_of_cells(self):
        assert complaints("key,score\nq1,1,2\n") == ["Line 2 has 3 cells; the first line names 2 columns."]

    @pytest.mark.parametrize("row", ['"q1,1', f"{'q' * 200_000},1"])
    def test_names_a_row_that_is_no_csv(self, row):
        assert complaints(f"key,score\n{row}")[-1].endswith("cannot be read as CSV.")


class TestTextOf:
    def test_refuses_a_file_that_is_too_large_before_it_reads_it(self, monkeypatch):
        monkeypatch.setattr(case_lines, "MOST_BYTES", 3)

        with pytest.raises(InvalidInput):
            text_of(SimpleUploadedFile("cases.csv", b"1234"))

    def test_names_the_line_that_is_no_text(self):
        with pytest.raises(InvalidInput, match="Line 2 is not UTF-8 text"):
            text_of(SimpleUploadedFile("cases.csv", b"key,score\nq\xff,1\n"))


class TestAsNumber:
    @pytest.mark.parametrize(
        ("text", "number"),
        [("0.861", 0.861), ("86.1 %", 0.861), ("86.05%", 0.8605), ("86.1\u00a0%", 0.861), (" 1e-3 ", 0.001)],
    )
    def test_takes_a_share_with_and_without_its_sign(self, text, number):
        assert as_number(text, is_share=True) == number

    @pytest.mark.parametrize("text", ["much", "12,5", "5 %", "", "--1"])
    def test_keeps_what_is_no_number(self, text):
        assert as_number(text) == text

    @pytest.mark.parametrize("text", ["1E+9999999999%", "sNaN%"])
    def test_keeps_a_share_that_no_number_holds(self, text):
        assert as_number(text, is_share=True) == text
