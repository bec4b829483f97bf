"""The command line. Each command is one module that is imported only when it runs."""

import argparse
import importlib
import sys
from collections.abc import Sequence

from llm_benchmark import __version__

COMMANDS = {
    "serve-model": "serve a small real model as an OpenAI-compatible endpoint",
    "simulate": "serve simulated models: settable latency, answers and failures",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="llm-benchmark", description="Measure, submit and reproduce.")
    parser.add_argument("--version", action="version", version=f"llm-benchmark {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name in arguments:
            module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code
