"""What `make demo` left behind: an account to log in with, and the two endpoints that it measured."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

USERNAME = "demo"
FILE = Path("demo") / "login.json"


@dataclass(frozen=True)
class Demo:
    """`egress_allow` lists the endpoints' addresses, not public ones, as EXCHANGE_EGRESS_ALLOW wants them."""

    username: str
    email: str
    password: str
    egress_allow: str = ""

    @classmethod
    def read(cls, state_dir: Path) -> Demo | None:
        """None where no demo has run."""
        try:
            return cls(**json.loads((state_dir / FILE).read_text()))
        except FileNotFoundError:
            return None

    @classmethod
    def prepare(cls, state_dir: Path, *, egress_allow: str) -> Demo:
        """The account of an earlier demo, or a new one; kept where only this user reads it."""
        known = cls.read(state_dir)
        password = known.password if known else secrets.token_urlsafe(12)
        demo = cls(USERNAME, f"{USERNAME}@example.org", password, egress_allow)
        path = state_dir / FILE
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(demo), file)
        return demo
