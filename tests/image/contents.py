"""What is in an image, and what must not be."""

import re

NEVER = ("tests", "docker", "docs", "helm", "k8s", "protos", "requirements", "sdk")
PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}")
OURS = 10001


def packages(root):
    """Names of the installed distributions."""
    found = (root / "opt/venv/lib").glob("python3*/site-packages/*.dist-info")
    return {path.name.split("-")[0].lower().replace("_", "-") for path in found}


def wrong(root):
    """One sentence a finding; none is good."""
    app = root / "app"
    for path in app.rglob("*"):
        if path.name in {".env", ".git"} or (path.parent == app and path.name in NEVER):
            yield f"{path.relative_to(root)} is in it"
        if path.is_file() and PRIVATE_KEY.search(path.read_bytes()):
            yield f"{path.relative_to(root)} holds a private key"
    for folder in (app, root / "opt"):
        yield from (
            f"{path.relative_to(root)} {problem}" for path in folder.rglob("*") for problem in _of(path)
        )
    yield from (f"{path.name} of pip is in it" for path in root.glob("opt/venv/bin/pip*"))


def _of(path):
    status = path.lstat()
    if status.st_uid == OURS:
        yield "belongs to the user that runs it"
    if not path.is_symlink() and status.st_mode & 0o022:
        yield "may be written by others"
    if path.is_symlink() or not path.is_file():
        return
    if not status.st_mode & 0o004:
        yield "cannot be read by the user that runs it"
    if path.suffix == ".py" and not _compiled(path):
        yield "is not compiled"


def _compiled(path):
    return any((path.parent / "__pycache__").glob(f"{path.stem}.cpython-*.pyc"))
