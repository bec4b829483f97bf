import json

import pytest

from llm_benchmark.cli.benchmarks.files import read_benchmark
from llm_benchmark.cli.benchmarks.writing import EXAMPLE
from llm_benchmark.errors import InvalidInput

METRIC = {"name": "accuracy", "title": "Accuracy", "direction": "higher_is_better", "kind": "proportion",
          "is_primary": True}  # fmt: skip
CASE = {"key": "a", "prompt": "1 + 1 =", "reference": "2", "scorer": "numeric_v1"}
ABOUT = {"slug": "sums", "name": "Sums", "kind": "quality", "category": "accuracy"}
EDITION = {"version": "1.0.0", "metrics": [METRIC], "test_cases": [CASE]}


@pytest.fixture
def read(tmp_path):
    def go(document, name="benchmark.json"):
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return read_benchmark(path)

    return go


@pytest.fixture
def wrong(read):
    """`wrong(about, edition)`: field → code of all that is wrong."""

    def go(about=ABOUT, edition=EDITION, **more):
        with pytest.raises(InvalidInput) as refused:
            read({"benchmark": about, "version": edition, **more})
        return {error.field: error.code for error in refused.value.errors}

    return go


class TestReads:
    def test_the_example(self):
        found = read_benchmark(EXAMPLE)
        assert found.benchmark["slug"] == "two-digit-sums"
        assert [case["key"] for case in found.version["test_cases"]] == ["a", "b"]

    def test_a_benchmark_without_an_edition(self, read):
        assert read({"benchmark": ABOUT}).version == {}

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("cases.jsonl", json.dumps(CASE) + "\n"),
            (
                "cases.csv",
                "key,prompt,reference,scorer,weight,tags,group\na,1 + 1 =,2,numeric_v1,2,x; y,sums\n",
            ),
        ],
    )
    def test_cases_from_a_file_beside_it(self, read, tmp_path, name, text):
        (tmp_path / name).write_text(text)
        found = read({"benchmark": ABOUT, "version": {**EDITION, "test_cases": name}})
        assert found.version["test_cases"][0]["reference"] == "2"
        assert found.cases.place_of(0) == f"{tmp_path / name}, line {1 if name == 'cases.jsonl' else 2}"


class TestNames:
    def test_all_that_is_wrong_at_once(self, wrong):
        about = {"slug": "sums", "kind": "qualty", "category": 7, "colour": "red"}
        assert wrong(about) == {
            "benchmark.colour": "unknown_field", "benchmark.name": "required",
            "benchmark.kind": "wrong_form", "benchmark.category": "wrong_form",
        }  # fmt: skip

    def test_fields_inside_the_edition(self, wrong):
        edition = {"version": 1.0, "metrics": [{**METRIC, "nme": 1}], "generation": {"temperature": "hot"}}
        assert wrong(edition=edition) == {
            "version": "wrong_form", "metrics[0]": "wrong_form", "generation.temperature": "wrong_form",
        }  # fmt: skip

    def test_a_list_that_is_none(self, wrong):
        assert wrong(edition={**EDITION, "metrics": METRIC}) == {"metrics": "not_a_list"}

    def test_what_the_content_lacks(self, wrong):
        cases = [CASE, CASE, {**CASE, "key": "c", "scorer": "guess"}]
        edition = {
            "version": "1.0.0", "prompt_template": "x", "test_cases": cases,
            "metrics": [{**METRIC, "is_primary": False}],
        }  # fmt: skip
        assert wrong(edition=edition) == {
            "metrics": "no_primary_metric", "prompt_template": "prompt_placeholder_missing",
            "test_cases[1].key": "duplicate_case_key", "test_cases[2].scorer": "unknown_scorer",
        }  # fmt: skip

    def test_the_line_of_a_case_in_its_file(self, read, tmp_path):
        (tmp_path / "cases.jsonl").write_text(json.dumps({**CASE, "scorer": "guess"}) + "\n")
        with pytest.raises(InvalidInput) as refused:
            read({"benchmark": ABOUT, "version": {**EDITION, "test_cases": "cases.jsonl"}})
        assert refused.value.errors[0].field == f"{tmp_path / 'cases.jsonl'}, line 1, scorer"

    def test_tables_that_there_are_none_of(self, wrong):
        assert wrong(extra={}) == {"extra": "unknown_field"}

    def test_a_choice_with_those_there_are(self, read):
        with pytest.raises(InvalidInput) as refused:
            read({"benchmark": {**ABOUT, "kind": "qualty"}})
        assert "It is one of quality, performance, external." in refused.value.errors[0].message


class TestRefuses:
    @pytest.mark.parametrize(
        ("name", "text", "words"),
        [
            ("a.json", "[1]", "holds no object"),
            ("a.json", '{"benchmark": ', "line 1, column 15: this is no JSON"),
            ("a.toml", "[benchmark\n", "is no TOML"),
            ("a.json", '{"model": "x"}', "describes no benchmark"),
            ("a.json", '{"benchmark": {}, "version": "1.0.0"}', "describes no benchmark"),
        ],
    )
    def test_what_is_no_benchmark(self, read, name, text, words):
        with pytest.raises(InvalidInput, match=words):
            read(text, name)

    @pytest.mark.parametrize("number", ["nan", "inf"])
    def test_numbers_that_json_does_not_have(self, read, number):
        toml = f'[benchmark]\nslug = "s"\nname = "S"\nkind = "quality"\ncategory = {number}\n'
        with pytest.raises(InvalidInput, match="not finite"):
            read(toml, "a.toml")
