"""`llm-benchmark simulate`."""

import argparse
import json
import os
import sys
from pathlib import Path

from llm_benchmark.simulator import FAILURES, Behaviour, SimulatorConfig


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "failures:\n" + "\n".join(f"  {name:15} {what}" for name, what in FAILURES.items())
    parser.add_argument("--port", type=int, default=0, help="0: any free port (default)")
    parser.add_argument("--model", default="sim", help="name of the simulated model")
    parser.add_argument("--ttft-ms", type=float, default=0.0, help="time to the first token")
    parser.add_argument("--itl-ms", type=float, default=0.0, help="time between two tokens")
    parser.add_argument("--tokens", type=int, help="length of an answer; default: what max_tokens asks for")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="JSON: prompt or its SHA-256 → answer")
    parser.add_argument("--failure", metavar="MODE", help="see below")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="fail at each K-th request only")
    parser.add_argument("--retry-after", default="1", help="header of a 429 or 503")
    parser.add_argument("--strict", action="store_true", help="refuse unknown fields with 400")
    parser.add_argument("--config", type=Path, metavar="FILE", help='JSON: {"models": {"sim-a": {…}, …}}')
    parser.add_argument("--api-key-env", metavar="NAME", help="variable that holds the key to ask for")


def run(options: argparse.Namespace) -> int:
    from llm_benchmark.simulator.server import run as serve  # noqa: PLC0415  (needs the extra `measure`)

    try:
        config = _config(options)
    except (OSError, ValueError, TypeError, KeyError) as wrong:
        print(f"llm-benchmark simulate: {wrong}", file=sys.stderr)
        return 2
    serve(config, lambda port: print(f"ready http://127.0.0.1:{port}/v1 (simulated)", flush=True))
    return 0


def _config(options: argparse.Namespace) -> SimulatorConfig:
    key = os.environ[options.api_key_env] if options.api_key_env else None
    if options.config:
        read = SimulatorConfig.from_json(json.loads(options.config.read_text()))
        return SimulatorConfig(
            models=read.models, api_key=key or read.api_key, port=options.port or read.port
        )
    behaviour = Behaviour(
        ttft_ms=options.ttft_ms,
        itl_ms=options.itl_ms,
        answers=json.loads(options.answers.read_text()) if options.answers else {},
        output_tokens=options.tokens,
        failure=options.failure,
        every=options.every,
        retry_after=options.retry_after,
        strict=options.strict,
    )
    return SimulatorConfig(models={options.model: behaviour}, api_key=key, port=options.port)
