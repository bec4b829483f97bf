"""`llm-benchmark serve-model`."""

import argparse
import os
import sys

from llm_benchmark import model_server


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, help="0: any free port (default)")
    parser.add_argument("--parallel", type=int, default=1, choices=(1, 2), help="requests answered at once")
    parser.add_argument("--api-key-env", metavar="NAME", help="variable that holds the key to ask for")


def run(options: argparse.Namespace) -> int:
    key = os.environ[options.api_key_env] if options.api_key_env else None
    try:
        model_server.run(options.port, parallel=options.parallel, api_key=key, ready=_say_ready)
    except model_server.ModelNotInstalled as missing:
        print(missing, file=sys.stderr)
        return 3
    return 0


def _say_ready(port: int) -> None:
    print(f"ready http://127.0.0.1:{port}/v1 {model_server.MODEL_NAME}", flush=True)
