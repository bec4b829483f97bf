import socket
import sys

import pytest
from click.testing import CliRunner

from llm_benchmark.cli.frame.failures import NotInstalled
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.mcp import mcp
from llm_benchmark.errors import NotConfigured


def run(*arguments):
    return CliRunner().invoke(mcp, arguments, obj=Invocation(), catch_exceptions=False)


def test_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)

    with pytest.raises(NotInstalled) as caught:
        run()

    assert 'pip install "llm-benchmark-exchange[mcp]"' in str(caught.value)
    assert caught.value.exit_code == 10


def test_takes_no_token_from_where_the_protocol_comes():
    with pytest.raises(NotConfigured, match="carries the protocol"):
        run("--token", "-")


@pytest.mark.parametrize(("is_terminal", "said"), [(True, "Waiting for an agent's client"), (False, "")])
def test_tells_a_person_what_it_waits_for(monkeypatch, capsys, is_terminal, said):
    monkeypatch.setattr("llm_benchmark.mcp.serving.serve_stdio", lambda *_, **__: None)
    monkeypatch.setattr("sys.stdin.isatty", lambda: is_terminal, raising=False)
    mcp.main([], obj=Invocation(), standalone_mode=False)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.partition(";")[0] == said


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_refuses_to_listen_everywhere_without_names(host):
    with pytest.raises(NotConfigured, match="--known-as"):
        run("--transport", "http", "--host", host)


def test_says_that_a_port_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(NotConfigured, match="--port"):
        run("--transport", "http", "--port", str(taken.getsockname()[1]))


def test_answers_only_to_names_that_it_knows():
    from llm_benchmark.mcp.serving import allowed_hosts

    assert "localhost:*" in allowed_hosts("127.0.0.1", ())
    assert allowed_hosts("10.0.0.7", ["agents.example"]) == [
        "10.0.0.7", "10.0.0.7:*", "agents.example", "agents.example:*",
    ]  # fmt: skip
