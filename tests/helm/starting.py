"""Production's settings take the environment that the chart gives, in a process of its own."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .manifest import name_of
from .references import environ_of
from .rendering import ROOT

COMMAND = (sys.executable, "-m", "exchange", "manage", "check", "--deploy", "--fail-level", "WARNING")


def refused(manifest):
    """Of web and of migrate, which is given most."""
    for pod in manifest.pods:
        if pod.component in ("web", "migrate"):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                given = environ_of(manifest, pod, pod.spec["containers"][0], folder)
                env = {**given, "EXCHANGE_STATE_DIR": name, "PATH": os.defpath}
                done = subprocess.run(COMMAND, check=False, capture_output=True, text=True, env=env, cwd=ROOT)
            if done.returncode:
                yield f"{name_of(pod.owner)}: {done.stdout}{done.stderr}"
