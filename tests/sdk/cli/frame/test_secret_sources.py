import pytest

from llm_benchmark.cli.frame.secret_sources import ask_secret, read_secret, read_token
from llm_benchmark.errors import NotConfigured
from tests.sdk.cli.conftest import Stream


@pytest.fixture
def stdin(monkeypatch):
    def put(text, *, is_terminal=False):
        monkeypatch.setattr("sys.stdin", Stream(text, is_terminal=is_terminal))

    return put


class TestReadToken:
    def test_reads_standard_input(self, stdin):
        stdin("lbx_pat_1\nmore")
        assert read_token("-") == "lbx_pat_1"

    def test_reads_a_file(self, tmp_path):
        (tmp_path / "token").write_text("lbx_pat_2\n")
        assert read_token(f"@{tmp_path / 'token'}") == "lbx_pat_2"

    def test_reads_a_variable(self, monkeypatch):
        monkeypatch.setenv("MY_TOKEN", " lbx_pat_3 ")
        assert read_token("env:MY_TOKEN") == "lbx_pat_3"

    def test_refuses_a_secret_as_argument_without_repeating_it(self):
        with pytest.raises(NotConfigured) as refused:
            read_token("lbx_pat_secret")
        assert "others can see" in str(refused.value)
        assert "lbx_pat_secret" not in str(refused.value)

    @pytest.mark.parametrize("content", ["", "\n", "two words", "schlüssel", "tab\tbed"])
    def test_refuses_what_is_no_token(self, monkeypatch, content):
        monkeypatch.setenv("MY_TOKEN", content)
        with pytest.raises(NotConfigured, match="--token env:MY_TOKEN holds"):
            read_token("env:MY_TOKEN")

    def test_refuses_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(NotConfigured, match="cannot be read"):
            read_token(f"@{tmp_path / 'none'}")


class TestReadSecret:
    def test_keeps_blanks_and_every_letter(self, stdin):
        stdin(" päss word \r\n")
        assert read_secret("-", option="--password-stdin") == " päss word "

    def test_names_the_option_that_was_used(self, stdin):
        stdin("")
        with pytest.raises(NotConfigured, match=r"--key - holds nothing\."):
            read_secret("-", option="--key")


class TestAskSecret:
    def test_refuses_where_nobody_can_type(self, stdin):
        stdin("typed\n")
        with pytest.raises(
            NotConfigured, match=r"Password cannot be asked for without a terminal\. Do this\."
        ):
            ask_secret("Password", instead="Do this.")

    def test_does_not_show_what_is_typed(self, stdin, monkeypatch):
        asked = {}
        monkeypatch.setattr("click.prompt", lambda label, **how: asked.update(how, label=label) or "typed")
        stdin("", is_terminal=True)
        assert read_secret("-", option="--token") == "typed"
        assert (asked["hide_input"], asked["err"]) == (True, True)


def test_no_command_takes_a_secret_as_it_is(call):
    ended = call("benchmark", "list", "--token", "lbx_pat_secret")
    assert ended.code == 2
    assert "lbx_pat_secret" not in ended.err + ended.out
