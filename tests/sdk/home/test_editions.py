import json

import pytest

from llm_benchmark import home
from llm_benchmark.errors import InvalidInput
from llm_benchmark.home.errors import CasesArePrivate

from . import editions as e


class TestEdition:
    def test_renders_the_prompts_by_the_template(self):
        version = e.version(prompt_template="Add: {prompt}")

        edition = home.edition("sums", version, e.shown_cases())

        assert edition.questions[0].prompt == "Add: What is 1 + 1000?"

    def test_refuses_a_version_whose_cases_are_not_to_be_had(self):
        with pytest.raises(CasesArePrivate, match="name a file"):
            home.edition("sums", e.version(cases_public=False))

    @pytest.mark.parametrize(
        "cases",
        [
            e.CASES[:-1],
            [*e.CASES, e.case(99)],
            e.CASES[::-1],
            [{**e.CASES[0], "reference": "7"}, *e.CASES[1:]],
        ],
    )
    def test_refuses_other_cases_than_the_published(self, cases):
        with pytest.raises(home.CasesDiffer, match="unchanged and in the published order"):
            home.edition("sums", e.version(), e.shown_cases(cases))

    def test_refuses_a_draft(self):
        with pytest.raises(InvalidInput) as refused:
            home.edition("sums", e.version(content_hash=None), e.shown_cases())
        assert refused.value.code == "version_not_published"

    def test_refuses_what_is_measured_elsewhere(self):
        with pytest.raises(InvalidInput) as refused:
            home.edition("sums", e.version(kind="external"), e.shown_cases())
        assert refused.value.code == "not_measured_here"


class TestReadCases:
    def test_reads_what_was_published_with_defaults_left_out(self, tmp_path):
        path = tmp_path / "cases.jsonl"
        needed = ("key", "prompt", "reference", "scorer")
        lines = [json.dumps({name: case[name] for name in needed}) for case in e.CASES]
        path.write_text("\n".join(lines) + "\n\n")

        edition = home.edition("sums", e.version(cases_public=False), home.read_cases(path))

        assert len(edition.questions) == e.COUNT

    def test_takes_only_a_line_feed_for_the_end_of_a_line(self, tmp_path):
        path = tmp_path / "cases.jsonl"
        prompt = "One\u2028two\x85three?"
        path.write_text(json.dumps({**e.CASES[0], "prompt": prompt}, ensure_ascii=False) + "\r\n")

        assert [case.prompt for case in home.read_cases(path)] == [prompt]

    @pytest.mark.parametrize(
        "line", ["{", "[1]", "7", '{"key": "a"}', '{"key": 1, "prompt": "", "reference": ""}']
    )
    def test_names_the_line_that_is_none(self, tmp_path, line):
        path = tmp_path / "cases.jsonl"
        path.write_text(f"{json.dumps(e.CASES[0])}\n{line}\n")

        with pytest.raises(InvalidInput, match="Line 2 of") as refused:
            home.read_cases(path)
        assert refused.value.errors[0].field == "cases[1]"

    def test_refuses_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(InvalidInput, match="cannot be read"):
            home.read_cases(tmp_path / "none.jsonl")
