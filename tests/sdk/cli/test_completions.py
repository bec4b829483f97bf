import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("llm-benchmark")
ENVIRON = {**os.environ, "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}


def ask(shell, words, incomplete=""):
    """The program, as the shell's script calls it."""
    line = ["llm-benchmark", *words, *([incomplete] if incomplete else [])]
    environ = {**ENVIRON, "_LLM_BENCHMARK_COMPLETE": f"{shell}_complete", "COMP_INCOMPLETE": incomplete}
    environ["COMP_WORDS"] = "\n".join(line)
    ran = subprocess.run([PROGRAM], env=environ, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return ran.stdout.splitlines()


def shell(name, script):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    flags = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    ran = subprocess.run(
        [name, *flags, "-c", script], env=ENVIRON, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return ran.stdout.split()


class TestScript:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("bash", "complete -o nosort -F"),
            ("zsh", "#compdef llm-benchmark"),
            ("fish", "complete --no-files --command llm-benchmark"),
            ("powershell", "Register-ArgumentCompleter -Native -CommandName llm-benchmark"),
        ],
    )
    def test_is_the_shell_s_own(self, call, name, words):
        ended = call("completions", name)
        assert (ended.code, ended.err) == (0, "")
        assert words in ended.out
        assert "_LLM_BENCHMARK_COMPLETE" in ended.out

    def test_of_another_shell_is_refused(self, call):
        ended = call("completions", "tcsh")
        assert ended.code == 2
        assert "'bash', 'zsh', 'fish', 'powershell'" in ended.err


@pytest.mark.sockets
class TestPowerShell:
    def test_is_answered_with_a_value_and_what_it_does(self):
        assert ask("powershell", [], "lea") == ["leaderboard\tWho stands where on a benchmark."]

    def test_is_answered_with_the_commands_of_a_group(self):
        values = [line.split("\t")[0] for line in ask("powershell", ["config"])]
        assert values == ["show", "get", "set", "reset"]

    def test_is_answered_with_options_and_their_values(self):
        assert [line.split("\t")[0] for line in ask("powershell", ["benchmark", "list"], "--cat")] == [
            "--category"
        ]
        assert "accuracy\taccuracy" in ask("powershell", ["benchmark", "list", "--category"])

    def test_leaves_files_to_the_shell(self):
        assert ask("powershell", ["validate"], "x") == [""]


@pytest.mark.sockets
class TestShells:
    """Each script in its own shell, where that is installed."""

    def test_bash_completes_what_is_typed(self):
        script = """
        source <(llm-benchmark completions bash)
        COMP_WORDS=(llm-benchmark benchmark lis) COMP_CWORD=2
        _llm_benchmark_completion llm-benchmark
        echo "${COMPREPLY[@]}"
        """
        assert shell("bash", script) == ["list"]

    def test_fish_completes_what_is_typed(self):
        script = "llm-benchmark completions fish | source; complete --do-complete 'llm-benchmark conf'"
        assert shell("fish", script)[0] == "config"

    def test_zsh_takes_the_script_and_completes(self):
        script = """
        autoload -Uz compinit && compinit -u -D
        eval "$(llm-benchmark completions zsh)"
        _describe() { print -l -- ${(P)3} }
        words=(llm-benchmark conf) CURRENT=2
        _llm_benchmark_completion
        """
        assert shell("zsh", script)[0].startswith("config")
