"""How long the command line keeps people waiting: `python -m tests.bench.cli`.

Whole processes of the installed command, one after the other; the median of 25 each, with a bare interpreter
beside them. Each is called once before it counts, so that bytecode is there.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 25
PROGRAM = str(Path(sys.executable).with_name("llm-benchmark"))
CALLS = {
    "cli_python_ms": [sys.executable, "-c", "pass"],
    "cli_version_ms": [PROGRAM, "--version"],
    "cli_help_ms": [PROGRAM, "--help"],
}


def milliseconds(command):
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - began) * 1000


def main():
    for command in CALLS.values():
        milliseconds(command)
    took = {name: [] for name in CALLS}
    for _ in range(RUNS):
        for name, command in CALLS.items():
            took[name].append(milliseconds(command))
    for name, all_of_them in took.items():
        target = "  (target ≤ 150)" if name == "cli_help_ms" else ""
        print(f"FIGURE {name} {statistics.median(all_of_them):.0f} ms{target}")


if __name__ == "__main__":
    main()
