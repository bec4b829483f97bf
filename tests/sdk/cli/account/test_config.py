import json
import stat

import pytest

from llm_benchmark.cli.frame import home_files
from llm_benchmark.errors import NotConfigured


def sources(ended):
    return {row["name"]: (row["value"], row["from"]) for row in ended.rows}


class TestShow:
    def test_says_where_each_value_comes_from(self, call, monkeypatch):
        call("config", "set", "organization", "acme")
        monkeypatch.setenv("LLM_BENCHMARK_TIMEOUT", "5")
        ended = call("config", "show", "-o", "plain")
        assert sources(ended) == {
            "api_url": ("http://127.0.0.1:8000", "default"),
            "organization": ("acme", "config set"),
            "output": ("plain", "--output"),
            "timeout": ("5", "LLM_BENCHMARK_TIMEOUT"),
        }

    def test_an_option_wins_over_the_environment_and_that_over_the_file(self, call, monkeypatch):
        call("config", "set", "api_url", "https://kept.example")
        assert sources(call("config", "show"))["api_url"] == ("https://kept.example", "config set")
        monkeypatch.setenv("LLM_BENCHMARK_API_URL", "https://environment.example")
        assert sources(call("config", "show"))["api_url"][1] == "LLM_BENCHMARK_API_URL"
        ended = call("config", "show", "--api-url", "https://option.example")
        assert sources(ended)["api_url"] == ("https://option.example", "--api-url")

    def test_gives_programs_json(self, call):
        assert [one["name"] for one in call("config", "show", "-o", "json").json] == [
            "api_url", "organization", "output", "timeout",
        ]  # fmt: skip


class TestSet:
    def test_keeps_what_is_asked_for_afterwards(self, call, stub):
        call("config", "set", "api_url", "https://exchange.example/api/v1/")
        http = stub({"GET /benchmarks": {"items": [], "next_page_token": ""}})
        call("benchmark", "list", http=http)
        assert http.requests[0].url.host == "exchange.example"
        assert call("config", "get", "api_url").out == "https://exchange.example\n"
        assert call("config", "get", "api_url", "-o", "json").json == "https://exchange.example"

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("api_url", "exchange.example"),
            ("api_url", "https://me:secret@exchange.example"),
            ("organization", "Not A Slug"),
            ("output", "xml"),
            ("timeout", "0"),
            ("timeout", "soon"),
        ],
    )
    def test_refuses_what_could_not_be_used(self, call, machine, name, value):
        ended = call("config", "set", name, value)
        assert (ended.code, ended.out) == (2, "")
        assert not (machine / "config.json").exists()

    def test_refuses_a_name_that_is_none(self, call):
        ended = call("config", "set", "token", "x")
        assert ended.code == 2
        assert "'api_url', 'organization', 'output', 'timeout'" in ended.err

    def test_says_that_the_environment_wins(self, call, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_TIMEOUT", "5")
        ended = call("config", "set", "timeout", "9", "-o", "table")
        assert "LLM_BENCHMARK_TIMEOUT wins over it: 5" in ended.out

    def test_is_for_the_owner_s_eyes(self, call, machine):
        call("config", "set", "timeout", "9")
        assert stat.S_IMODE((machine / "config.json").stat().st_mode) == 0o600
        assert stat.S_IMODE(machine.stat().st_mode) == 0o700


class TestGet:
    def test_refuses_what_is_not_set(self, call):
        ended = call("config", "get", "organization")
        assert (ended.code, ended.out) == (2, "")
        assert "llm-benchmark config set organization VALUE" in ended.err


class TestReset:
    def test_forgets_one(self, call, machine):
        call("config", "set", "timeout", "9")
        call("config", "set", "organization", "acme")
        call("config", "reset", "timeout")
        assert json.loads((machine / "config.json").read_text()) == {"organization": "acme"}

    def test_forgets_all_and_stays_logged_in(self, call, machine):
        home_files.write_credentials({"http://127.0.0.1:8000": {"token": "t"}})
        call("config", "set", "timeout", "9")
        call("config", "reset")
        assert json.loads((machine / "config.json").read_text()) == {}
        assert home_files.read_credentials()["http://127.0.0.1:8000"]["token"] == "t"


class TestBrokenFile:
    @pytest.mark.parametrize(
        "content", ["{", "[]", "\udcff", '{"api_url": 5}', pytest.param("[" * 100_000, id="nested")]
    )
    def test_is_named_with_what_to_do(self, call, machine, content):
        machine.mkdir()
        (machine / "config.json").write_text(content, errors="surrogateescape")
        ended = call("benchmark", "list")
        assert ended.code == 2
        assert "config.json" in ended.err
        assert "Mend it, or delete it." in ended.err

    @pytest.mark.parametrize("entry", ["lbx_pat_a", {"token": 5}, {}])
    def test_of_tokens_is_named_too(self, call, machine, entry):
        machine.mkdir()
        (machine / "credentials.json").write_text(json.dumps({"http://127.0.0.1:8000": entry}))
        ended = call("auth", "status")
        assert (ended.code, "credentials.json" in ended.err) == (2, True)

    def test_may_begin_with_a_byte_order_mark(self, machine):
        machine.mkdir()
        (machine / "config.json").write_bytes(b'\xef\xbb\xbf{"timeout": "9"}\r\n')
        assert home_files.read_config() == {"timeout": "9"}

    def test_leaves_what_was_there_where_writing_fails(self, machine, monkeypatch):
        home_files.write_config({"timeout": "9"})
        with pytest.raises(TypeError):
            home_files.write_config({"timeout": object()})
        assert home_files.read_config() == {"timeout": "9"}
        assert [path.name for path in machine.iterdir()] == ["config.json"]

    def test_a_value_edited_by_hand_is_checked_too(self, call):
        home_files.write_config({"output": "xml"})
        ended = call("config", "show")
        assert (ended.code, ended.err) == (
            2, "llm-benchmark: config set: 'xml' is none of table, json, plain.\n",
        )  # fmt: skip


def test_reading_refuses_what_is_no_object(machine):
    machine.mkdir()
    (machine / "credentials.json").write_text("7")
    with pytest.raises(NotConfigured, match="something else than is kept"):
        home_files.read_credentials()
