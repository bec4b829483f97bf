import pytest

from . import fences, session

pytestmark = pytest.mark.sockets


@pytest.fixture
def run(tmp_path):
    def write_and_run(text, **places):
        path = tmp_path / "page.md"
        path.write_text(text)
        return session.run(fences.read(path), tmp_path, places)

    return write_and_run


class TestRun:
    def test_keeps_variables_folder_and_names_from_block_to_block(self, run):
        text = """
```sh
export LLM_BENCHMARK_API_URL=http://here
quiet=1
mkdir in && cd in
```
```python
import os
here = os.environ["LLM_BENCHMARK_API_URL"]
```
```python
print(here)
```
```text
http://here
```
```sh
echo $quiet; basename $PWD
```
```text
1
in
```
"""
        assert run(text) == ""

    def test_runs_node(self, run):
        assert run("```js\nconsole.log(6 * 7)\n```\n```text\n42\n```\n") == ""

    def test_puts_this_run_in_place_of_what_the_document_names(self, run):
        assert run("```sh\necho HERE\n```\n```text\nHERE\n```\n", HERE="there") == ""

    def test_shows_what_else_was_printed(self, run):
        wrong = run("```sh\necho 1; echo 2 >&2\n```\n```text\n1\n```\n")
        assert wrong == "page.md, line 2 printed:\n1\n2\n\nand not:\n1\n"

    def test_stops_at_the_first_example_that_fails(self, run):
        wrong = run("```sh\necho 1\n```\n```sh\nfalse | cat\n```\n```sh\necho 3\n```\n")
        assert wrong == "page.md, line 5 ended with 1:\n"

    def test_stops_where_the_first_of_two_commands_fails(self, run):
        wrong = run("```sh\nfalse && echo 1\n```\n```sh\necho 2\n```\n")
        assert wrong == "page.md, line 2 ended with 1:\n"

    def test_does_not_pass_over_examples_after_an_exit(self, run):
        assert run("```sh\nexit\n```\n```sh\nfalse\n```\n") == "page.md, line 2 ended with 0:\n"

    def test_gives_commands_nothing_to_read(self, run):
        assert "ended with 1" in run("```sh\nread -r answer\n```\n")


class TestAgrees:
    @pytest.mark.parametrize(
        ("printed", "documented"),
        [
            ("id  0b7a\nend\n", "id …\nend"),
            ("46.7\N{NO-BREAK SPACE}%", "46.7 %"),
            ("Rank  Model\n────────────", "Rank Model\n──────────"),
            ("a\nb\nc\nd", "a\n…\nd"),
            ("a\nd", "a\n…\nd"),
            ("a\nb\nc", "a\n…"),
            ("1.0 (a|b)*", "1.0 (a|b)*"),
        ],
    )
    def test_takes_an_ellipsis_for_anything(self, printed, documented):
        assert session.agrees(printed, documented)

    @pytest.mark.parametrize(
        ("printed", "documented"),
        [("ab", "a.b"), ("a\nb", "a…"), ("1x0", "1.0"), ("a\nb\nd", "a\n…\nc"), ("a b", "ab")],
    )
    def test_is_exact_elsewhere(self, printed, documented):
        assert not session.agrees(printed, documented)
