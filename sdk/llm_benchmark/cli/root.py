"""`llm-benchmark` and the list of its commands."""

import click

from llm_benchmark import __version__

from . import PROGRAM
from .frame.commands import AFTER_HELP, Group, show_program_options

_HERE = __package__
COMMANDS = {
    "benchmark": (f"{_HERE}.benchmarks.benchmark:benchmark", "Find, write and publish benchmarks."),
    "submit": (
        f"{_HERE}.submissions.submit:submit",
        "Submit a claimed result; list, show and withdraw claims.",
    ),
    "validate": (
        f"{_HERE}.submissions.validate:validate",
        "Say what is wrong with a claim or benchmark; store nothing.",
    ),
    "verify": (f"{_HERE}.submissions.verify:verify", "Have the exchange measure a claim again."),
    "leaderboard": (f"{_HERE}.boards.leaderboard:leaderboard", "Who stands where on a benchmark."),
    "compare": (f"{_HERE}.boards.compare:compare", "Compare models, with the tests behind each difference."),
    "export": (f"{_HERE}.boards.export:export", "Save a board as CSV or JSON."),
    "proposal": (f"{_HERE}.governance.proposal:proposal", "Read, write, discuss and vote on proposals."),
    "provider": (
        f"{_HERE}.measuring.provider:provider",
        "Endpoints of your organization and the models they serve.",
    ),
    "key": (f"{_HERE}.measuring.key:key", "Keys of providers that this machine keeps."),
    "campaign": (f"{_HERE}.campaigns.campaign:campaign", "Check and measure what your endpoints serve."),
    "model": (f"{_HERE}.campaigns.model:model", "How a model of yours stands, what for, what it costs."),
    "results": (f"{_HERE}.campaigns.campaign:list_results", "What a campaign found: campaign results."),
    "history": (f"{_HERE}.campaigns.model:history", "How a model of yours stood: model history."),
    "run": (f"{_HERE}.measuring.run:run", "Measure a model at home with the engine of the exchange."),
    "reproduce": (f"{_HERE}.measuring.reproduce:reproduce", "Measure somebody's claim on your own endpoint."),
    "verify-bundle": (f"{_HERE}.measuring.verify_bundle:verify_bundle", "Check a bundle offline."),
    "auth": (f"{_HERE}.account.auth:auth", "Log in, see who you are, log out."),
    "config": (f"{_HERE}.account.config:config", "What this machine keeps: address, organization, output."),
    "completions": (f"{_HERE}.completions:completions", "Print the completions of a shell."),
    "mcp": (f"{_HERE}.mcp:mcp", "Serve the exchange to agents (Model Context Protocol)."),
    "simulate": (
        f"{_HERE}.simulate:simulate",
        "Serve simulated models: set latency, answers, failures.",
    ),
    "serve-model": (f"{_HERE}.serve_model:serve_model", "Serve a small real model."),
}
ALIASES = {"b": "benchmark", "s": "submit", "lb": "leaderboard", "p": "proposal"}


@show_program_options
@click.group(
    name=PROGRAM, cls=Group, lazy=COMMANDS, aliases=ALIASES, context_settings=AFTER_HELP,
    example="benchmark list\nleaderboard mmlu --limit 10",
)  # fmt: skip
@click.version_option(__version__, prog_name=PROGRAM)
def root() -> None:
    """Compare language models by numbers that somebody else has measured again."""
