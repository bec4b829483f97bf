import pytest

from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.progress import progress
from tests.sdk.cli.conftest import Stream


class TestProgress:
    @pytest.mark.parametrize("is_terminal", [True, False])
    def test_shows_a_phase_as_it_is_named(self, monkeypatch, is_terminal):
        """Files are named by others: `[/a]` is no markup, and an escape steers nothing."""
        err = Stream(is_terminal=is_terminal)
        monkeypatch.setattr("sys.stderr", err)

        with progress(Invocation(is_colorless=True)) as tell:
            tell(1, 2, "Sending x[/a]\x1b]0;title\x07.txt")

        assert "Sending x[/a]" in err.text
        assert "\x1b]0;title" not in err.text
