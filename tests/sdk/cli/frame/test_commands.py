import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from llm_benchmark.cli.frame.commands import Command, Group
from llm_benchmark.cli.root import ALIASES, COMMANDS, root

PROGRAM = Path(sys.executable).with_name("llm-benchmark")
HEAVY = {"httpx", "rich", "msgspec", "llm_benchmark.client", "llm_benchmark.measure", "llm_benchmark.models"}


def all_commands(group=root, path=()):
    """Each command and group below the root: its words, and itself."""
    context = click.Context(group, info_name="x")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from all_commands(command, (*path, name))


EVERY = list(all_commands())
NAMES = [" ".join(words) for words, _command in EVERY]


class TestHelp:
    @pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
    def test_lists_every_command_and_alias(self, call, arguments):
        ended = call(*arguments)

        assert ended.code == 0
        assert ended.err == ""
        for name in COMMANDS:
            assert f"\n  {name}" in ended.out
        assert "leaderboard, lb" in ended.out

    def test_fits_eighty_columns_with_each_command_on_one_line(self, call):
        lines = call("--help").out.splitlines()
        commands = lines[lines.index("Commands:") + 1 : lines.index("Commands:") + 1 + len(COMMANDS)]

        assert max(map(len, lines)) <= 80
        assert [line.split()[0].rstrip(",") for line in commands] == list(COMMANDS)

    @pytest.mark.parametrize(("words", "command"), EVERY, ids=NAMES)
    def test_of_every_command_has_a_sentence_and_an_example_that_fit(self, call, words, command):
        ended = call(*words, "--help")

        assert ended.code == 0
        assert isinstance(command, Command | Group)
        assert command.help
        assert command.help.split("\n\n")[0].rstrip().endswith(".")
        assert "\nExample" in ended.out
        assert f"llm-benchmark {words[0]}" in ended.out
        assert max(map(len, ended.out.splitlines())) <= 80

    @pytest.mark.parametrize(("words", "command"), EVERY, ids=NAMES)
    def test_explains_every_option(self, words, command):
        unexplained = [
            option.name
            for option in command.params
            if isinstance(option, click.Option) and not option.hidden and not option.help
        ]
        assert unexplained == []

    def test_of_a_group_without_a_command_is_shown_as_well(self, call):
        ended = call("benchmark")
        assert (ended.code, ended.err) == (0, "")
        assert "Usage: llm-benchmark benchmark" in ended.out

    def test_tells_of_the_commands_elsewhere_what_these_say_themselves(self):
        for (*path, name), command in EVERY:
            if not path:
                assert command.get_short_help_str(500)
                assert COMMANDS[name][1].endswith(".")

    @pytest.mark.sockets
    def test_waits_for_nothing_heavy(self):
        code = (
            "import sys; from llm_benchmark.cli import main; main(['--help']); "
            "print('loaded', *sys.modules, file=sys.stderr)"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        loaded = set(ran.stderr.split()[1:])
        assert "click" in loaded
        assert loaded & HEAVY == set()


class TestNames:
    @pytest.mark.parametrize(("alias", "name"), ALIASES.items())
    def test_an_alias_is_the_command(self, call, alias, name):
        assert f"Usage: llm-benchmark {name} " in call(alias, "--help").out

    def test_an_unknown_command_is_refused_with_the_nearest_one(self, call):
        ended = call("bnchmark")
        assert ended.code == 2
        assert ended.err == (
            "llm-benchmark: There is no command 'bnchmark'. Did you mean 'benchmark'?\n"
            "  Usage: llm-benchmark [OPTIONS] COMMAND [ARGS]...\n"
            "  Help: llm-benchmark --help\n"
        )

    def test_an_unknown_command_of_a_group_is_refused_with_the_nearest_one(self, call):
        assert "no command 'benchmark lst'. Did you mean 'benchmark list'?" in call("benchmark", "lst").err

    def test_nothing_near_is_suggested_where_nothing_is_near(self, call):
        assert "Did you mean" not in call("qqqqqq").err

    def test_an_unknown_option_is_refused_with_the_nearest_one(self, call):
        ended = call("benchmark", "list", "--limt", "3")
        assert ended.code == 2
        assert "Did you mean '--limit'?" in ended.err
        assert "Help: llm-benchmark benchmark list --help" in ended.err


BENCHMARKS = {"GET /benchmarks": {"items": [], "next_page_token": ""}}


class TestProgramOptions:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["-o", "json", "benchmark", "list"],
            ["benchmark", "-o", "json", "list"],
            ["benchmark", "list", "-o", "json"],
            ["b", "list", "--output=json", "--limit", "3"],
        ],
    )
    def test_may_stand_anywhere(self, call, stub, arguments):
        ended = call(*arguments, http=stub(BENCHMARKS))
        assert (ended.code, ended.json) == (0, [])

    def test_name_another_exchange(self, call, stub):
        http = stub(BENCHMARKS)
        call("benchmark", "list", "--api-url", "https://exchange.example/api/v1/", http=http)
        assert str(http.requests[0].url).startswith("https://exchange.example/api/v1/benchmarks?")

    def test_are_not_repeated_in_the_help_of_each_command(self, call):
        text = call("benchmark", "list", "--help").out
        assert "--api-url URL" not in text
        assert "Also: -o, --api-url, --token, -v, --no-color" in text

    def test_log_requests_without_secrets(self, call, stub, monkeypatch, capfd):
        monkeypatch.setenv("LLM_BENCHMARK_TOKEN", "lbx_pat_secret")
        ended = call("benchmark", "list", "-v", "--query", "word", http=stub(BENCHMARKS))
        assert "GET /api/v1/benchmarks" in ended.err
        assert "lbx_pat_secret" not in ended.err


class TestDefaultCommand:
    BOARDS = {"GET /leaderboards/categories/accuracy": {
        "category": "accuracy", "verified_only": True, "boards": [], "models": [], "is_demo": False,
    }}  # fmt: skip

    @pytest.mark.parametrize("named", [[], ["show"]])
    def test_may_be_left_out_before_its_options(self, call, stub, named):
        ended = call("lb", *named, "--category", "accuracy", "-o", "json", http=stub(self.BOARDS))
        assert ended.json["category"] == "accuracy"

    def test_is_meant_by_an_argument_that_names_no_command(self, call, stub):
        ended = call("-o", "plain", "lb", "-o", "json", "mmlu", http=stub({}))
        assert ended.code == 5

    def test_shows_its_options_in_the_help_of_the_group(self, call):
        text = call("leaderboard", "--help").out
        assert "Options of show, which may be left out:" in text
        assert "--verified-only / --all" in text


@pytest.mark.sockets
class TestProcess:
    """The installed command, as shells start it."""

    def run(self, command, **more):
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, **more)

    def test_ends_quietly_where_its_reader_has_enough(self):
        for command in ("--help", "config show -o table", "config show -o json", "completions fish"):
            ran = self.run(f"set -o pipefail; {PROGRAM} {command} | (exec <&-; sleep 0.5)")
            assert (ran.returncode, ran.stderr) == (0, ""), command

    def test_prints_what_the_encoding_of_the_terminal_lacks(self):
        environ = {**os.environ, "PYTHONIOENCODING": "ascii", "LLM_BENCHMARK_OUTPUT": "table"}
        ran = self.run(f"{PROGRAM} config get organization; {PROGRAM} config show", env=environ)
        assert "Traceback" not in ran.stderr
        assert "api_url" in ran.stdout

    def test_runs_as_a_module_too(self):
        ran = self.run(f"{sys.executable} -m llm_benchmark.cli --version")
        assert ran.stdout == "llm-benchmark, version 0.1.0\n"
