"""The manager's sweep: its own command line in its own environment, with a data folder that is new."""

import contextlib
import os
import sqlite3
import subprocess
import time
from pathlib import Path

from llm_benchmark.measure.tokenizer import seed_cache

LLMBENCH = Path(__file__).resolve().parents[3] / ".peers" / "manager" / "bin" / "llmbench"
SLUG, KEY_NAME = "simulated", "SIMULATED_PROVIDER"


class Manager:
    """A provider registered with the manager. `tokenizer` is where it may keep o200k_base."""

    def __init__(self, simulator, key, folder):
        self._folder = folder
        self._env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            "LLMBENCH_DATA_DIR": str(folder / "data"),
            "DATA_GYM_CACHE_DIR": str(seed_cache(folder / "tokenizer")),  # else AIPerf would fetch it
            "HF_HUB_OFFLINE": "1",
            "HOME": str(folder),
            KEY_NAME: key,
        }
        url = simulator.base_url.removesuffix("/v1")
        named = ("--slug", SLUG, "--name", "Simulated", "--credential-env", KEY_NAME)
        self._ask("provider", "add", "--url", url, *named)

    def sweep(self):
        """Seconds of one full run over all models, list included."""
        began = time.perf_counter()
        self._ask("provider", "discover", SLUG)
        self._ask("run", SLUG, "--mode", "full")
        return time.perf_counter() - began

    def states(self):
        """{model: state} of its own database, in lower case as ours."""
        with contextlib.closing(sqlite3.connect(self._folder / "data" / "llmbench.db")) as database:
            return {
                name: state.lower() for name, state in database.execute("SELECT model_id, status FROM models")
            }

    def _ask(self, *arguments):
        done = subprocess.run(
            [LLMBENCH, *arguments],
            check=True,
            capture_output=True,
            text=True,
            env=self._env,
            cwd=self._folder,
        )
        return done.stdout
