"""Test cases as authors have them, and where each one stands."""

from benchmarks.web.case_rows import read_cases


class TestPlaces:
    def test_are_called_by_line_and_key(self):
        assert read_cases('{"key": "q1"}').at(0) == "Line 1 (q1)"

    def test_leave_out_a_key_that_no_page_could_show(self):
        for key in (r"a\ud800", r"a\u0000"):
            assert read_cases(f'{{"key": "{key}"}}').at(0) == "Line 1"
