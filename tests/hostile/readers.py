"""Starts `reader`."""

import json
import subprocess
import sys

PATIENCE_SECONDS = 300


def read_all(urls, *, key, seconds=10.0, env=None):
    """What the readers made of each of the base URLs, in one process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.reader"],
        input=json.dumps({"urls": urls, "key": key, "seconds": seconds}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        env=env,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def codes(found):
    return {reader: result["code"] for reader, result in found.items()}
