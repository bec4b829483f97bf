"""What a running stack tells other processes of the same user, in a file that only they read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from exchange.embedded.record import write_private

STATUS_FILE = "stack.json"


@dataclass(frozen=True)
class Status:
    """`env` is what an operator's command needs beside it, the owner's URL included."""

    pid: int
    ready: bool
    base_url: str
    grpc_address: str
    pids: dict[str, int | None]
    restarts: dict[str, int]
    env: dict[str, str]

    def write(self, state_dir: Path) -> None:
        write_private(state_dir / STATUS_FILE, json.dumps(asdict(self), indent=1))

    @classmethod
    def read(cls, state_dir: Path) -> Status | None:
        """None when no stack has written it, or it is gone."""
        try:
            return cls(**json.loads((state_dir / STATUS_FILE).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
