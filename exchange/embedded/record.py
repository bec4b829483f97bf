"""Passwords and ports of the embedded servers, kept in a file that only their starter reads."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path

USERS = ("postgres", "exchange_owner", "exchange_app", "valkey")


@dataclass
class Record:
    path: Path
    passwords: dict[str, str] = field(default_factory=dict, repr=False)
    ports: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Record:
        """Read the file, or draw new passwords and write it."""
        if path.exists():
            return cls(path, **json.loads(path.read_text(encoding="utf-8")))
        record = cls(path, {user: secrets.token_urlsafe(24) for user in USERS})
        record.save()
        return record

    def set_port(self, name: str, port: int) -> None:
        if self.ports.get(name) != port:
            self.ports[name] = port
            self.save()

    def save(self) -> None:
        content = {key: value for key, value in asdict(self).items() if key != "path"}
        write_private(self.path, json.dumps(content, indent=1))


def write_private(path: Path, text: str) -> None:
    """Replace the file at once by one that only its owner reads."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)
