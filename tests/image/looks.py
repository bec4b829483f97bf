"""What can be said of docker/ without building anything."""

import json
import re
import subprocess

import yaml

from . import tools
from .store import CHECKOUT

DOCKER = CHECKOUT / "docker"
_SETTABLE = re.compile(r"\$\{[A-Z_]+:-([^}]*)\}")


def findings():
    """One sentence each."""
    yield from _hadolint()
    yield from _compose()


def compose():
    """The compose file with nothing set."""
    return yaml.safe_load(_SETTABLE.sub(r"\1", (DOCKER / "compose.yaml").read_text()))


def _hadolint():
    argv = [tools.HADOLINT, DOCKER / "Dockerfile"]
    done = subprocess.run(argv, check=False, capture_output=True, text=True)
    yield from (done.stdout + done.stderr).splitlines() or (
        [f"hadolint: {done.returncode}"] * bool(done.returncode)
    )


def _compose():
    """By the compose specification."""
    from compose_spec import PyCompose

    try:
        PyCompose.from_json(json.dumps(compose())).validate()
    except ValueError as error:
        yield f"compose.yaml: {error}"
