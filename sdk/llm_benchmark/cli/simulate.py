"""`llm-benchmark simulate`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from llm_benchmark.errors import NotConfigured
from llm_benchmark.simulator import FAILURES, KINDS, LISTINGS, Behaviour, SimulatorConfig

from .frame.commands import Command
from .frame.failures import NotInstalled
from .frame.secret_sources import read_token


def _table(title: str, rows: Mapping[str, str]) -> str:
    lines = (
        textwrap.fill(f"{name:15} {what}", 76, initial_indent="  ", subsequent_indent=" " * 18)
        for name, what in rows.items()
    )
    return "\n".join(["\b", f"{title}:", *lines])


_EPILOG = "\n\n".join(
    [_table("Failures", FAILURES), _table("Lists of models (`listing` in --config)", LISTINGS)]
)


@click.command(
    "simulate", cls=Command, epilog=_EPILOG, example="simulate --port 9000 --ttft-ms 40 --itl-ms 8"
)
@click.option("--port", type=int, default=0, help="0: any free port (default).")
@click.option("--model", default="sim", show_default=True, help="Name of the simulated model.")
@click.option("--ttft-ms", type=float, default=0.0, help="Time to the first token.")
@click.option("--itl-ms", type=float, default=0.0, help="Time between two tokens.")
@click.option("--tokens", type=int, help="Length of an answer; default: what max_tokens asks for.")
@click.option("--answers", type=Path, metavar="FILE", help="JSON: prompt or its SHA-256 → answer.")
@click.option(
    "--kind", type=click.Choice([*KINDS]), default="chat", show_default=True, help="What it is for."
)
@click.option("--failure", metavar="MODE", help="See below.")
@click.option("--every", type=int, default=1, metavar="K", help="Fail at each K-th request only.")
@click.option("--fail-first", type=int, default=0, metavar="N", help="Fail at the first N requests only.")
@click.option("--retry-after", default="1", help="Header of a 429 or 503.")
@click.option("--strict", is_flag=True, help="Refuse unknown fields with 400.")
@click.option(
    "--config", type=Path, metavar="FILE", help='JSON: {"models": {"sim-a": {"ttft_ms": 40, …}, …}, …}.'
)
@click.option("--key-env", metavar="NAME", help="Variable that holds the key to ask for.")
def simulate(**options: Any) -> None:
    """Serve simulated models, always labelled as simulated: settable latency, answers and failures."""
    try:
        from llm_benchmark.simulator.server import run  # noqa: PLC0415  needs the extra `measure`
    except ModuleNotFoundError:
        raise NotInstalled("simulate", "measure") from None
    try:
        config = _config(**options)
    except (OSError, ValueError, TypeError, KeyError) as wrong:
        raise NotConfigured(str(wrong)) from None
    run(config, lambda port: click.echo(f"ready http://127.0.0.1:{port}/v1 (simulated)"))


def _config(
    *, port: int, model: str, answers: Path | None, config: Path | None, key_env: str | None, **given: Any
) -> SimulatorConfig:
    key = read_token(f"env:{key_env}", option="--key-env") if key_env else None
    if config:
        read = SimulatorConfig.from_json(json.loads(config.read_text()))
        return replace(read, api_key=key or read.api_key, port=port or read.port)
    behaviour = Behaviour(
        answers=json.loads(answers.read_text()) if answers else {}, output_tokens=given.pop("tokens"), **given
    )
    return SimulatorConfig(models={model: behaviour}, api_key=key, port=port)
