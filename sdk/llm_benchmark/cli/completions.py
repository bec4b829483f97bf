"""`llm-benchmark completions`."""

from __future__ import annotations

import os

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, get_completion_class

from . import PROGRAM
from .frame.commands import Command

VARIABLE = "_LLM_BENCHMARK_COMPLETE"
SHELLS = ("bash", "zsh", "fish", "powershell")
_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = $commandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() }
    $env:COMP_WORDS = $words -join "`n"
    $env:COMP_INCOMPLETE = $wordToComplete
    $env:%(complete_var)s = "powershell_complete"
    try {
        %(prog_name)s | Where-Object { $_ } | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
        }
    } finally {
        Remove-Item Env:COMP_WORDS, Env:COMP_INCOMPLETE, Env:%(complete_var)s
    }
}
"""
_PLACES = {
    "bash": "~/.local/share/bash-completion/completions/llm-benchmark",
    "zsh": "a file _llm-benchmark in a folder of $fpath",
    "fish": "~/.config/fish/completions/llm-benchmark.fish",
    "powershell": "your $PROFILE",
}


class PowerShellComplete(ShellComplete):
    """A line `value<TAB>help` an item. What is a file is left to the shell."""

    name = "powershell"
    source_template = _POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        words = os.environ["COMP_WORDS"].split("\n")[1:]
        incomplete = os.environ["COMP_INCOMPLETE"]
        if incomplete and words and words[-1] == incomplete:
            words.pop()
        return words, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.value}\t{item.help or item.value}"

    def complete(self) -> str:
        found = self.get_completions(*self.get_completion_args())
        return "\n".join(self.format_completion(item) for item in found if item.type == "plain")


add_completion_class(PowerShellComplete)
_EPILOG = "\b\nWhere each shell looks:\n" + "\n".join(f"  {shell:11} {at}" for shell, at in _PLACES.items())


@click.command(
    "completions", cls=Command, epilog=_EPILOG,
    example="completions fish > ~/.config/fish/completions/llm-benchmark.fish",
)  # fmt: skip
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@click.pass_context
def completions(context: click.Context, shell: str) -> None:
    """Print what makes bash, zsh, fish or powershell complete commands and options."""
    kind = get_completion_class(shell)
    if kind is not None:
        click.echo(kind(context.find_root().command, {}, PROGRAM, VARIABLE).source())
