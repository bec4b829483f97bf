"""`python -m exchange.supervisor up`: everything on this machine, until SIGTERM or Ctrl-C."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from exchange.embedded import DEFAULT_STATE_DIR, EmbeddedError

from .errors import StackError
from .supervisor import Supervisor


def main() -> int:
    options = _parser().parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        Supervisor(options.state_dir, port=options.port, grpc_port=options.grpc_port).run()
    except (StackError, EmbeddedError) as error:
        logging.getLogger(__name__).error("%s", error)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m exchange.supervisor", description=__doc__)
    up = parser.add_subparsers(required=True).add_parser("up", help="start, and stay until stopped")
    default = Path(os.environ.get("EXCHANGE_STATE_DIR", DEFAULT_STATE_DIR))
    up.add_argument("--state-dir", type=Path, default=default, help="data and logs (%(default)s)")
    up.add_argument("--port", type=int, default=8000, help="of the website and REST; 0: any free one")
    up.add_argument("--grpc-port", type=int, default=50051, help="of gRPC; 0: any free one")
    return parser


if __name__ == "__main__":
    sys.exit(main())
