import pytest

from . import fences


@pytest.fixture
def read(tmp_path):
    def write_and_read(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        return fences.read(path)

    return write_and_read


class TestRead:
    def test_takes_text_for_what_the_example_above_prints(self, read):
        [example] = read("Say\n\n```sh\necho 1\n```\n\nwhich prints\n\n```text\n1\n```\n").examples
        assert (example.language, example.text, example.printed, example.line) == ("sh", "echo 1\n", "1\n", 4)

    def test_lets_a_reason_hold_for_the_next_block_alone(self, read):
        found = read("<!-- not run: asks -->\n```sh\nask\n```\n\n```sh\necho 1\n```\n")
        assert [example.text for example in found.run] == ["echo 1\n"]
        assert found.left_out == ["page.md, line 3: asks"]

    def test_reads_blocks_inside_lists(self, read):
        [example] = read("- so:\n\n  ```python\n  if 1:\n      print(1)\n  ```\n").examples
        assert example.text == "if 1:\n    print(1)\n"

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("```\nls\n```\n", "a block without a language"),
            ("```ruby\nputs 1\n```\n", "nobody runs 'ruby'"),
            ("```text\n1\n```\n", "nothing above it"),
            ("```json\n{1}\n```\n", "no JSON"),
            ("```sh\necho 1\n", "a fence is not closed"),
            ("<!-- not run: a drawing -->\n```\n+--+\n```\n", "a block without a language"),
        ],
    )
    def test_names_what_nobody_could_run(self, read, text, problem):
        [found] = read(text).problems
        assert problem in found
