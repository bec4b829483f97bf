"""The command line, `llm-benchmark`. Each command is one module, imported only when it runs.

A command parses, calls the client (`invocation.client`) or the engine, and shows with `output`. What it
refuses raises an `SdkError`; `failures` says it in words and as an exit code.
"""

import os
import sys
from collections.abc import Sequence

PROGRAM = "llm-benchmark"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    try:
        if "_LLM_BENCHMARK_COMPLETE" in os.environ:
            from . import completions  # noqa: F401, PLC0415  tells click of one more shell
        from .frame.failures import run  # noqa: PLC0415  `python -m llm_benchmark.cli` imports this package first
        from .root import root  # noqa: PLC0415
    except KeyboardInterrupt:
        return 130
    return run(root, list(sys.argv[1:] if argv is None else argv))
