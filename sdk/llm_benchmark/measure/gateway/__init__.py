"""The gateway: a child process between AIPerf and one provider that holds the key, watches and records."""

from .bounds import Bounds
from .handle import Gateway, GatewayBroken
from .journal import JournalEntry, JournalReader, SentLine, read_bodies, read_journal

__all__ = [
    "Bounds",
    "Gateway",
    "GatewayBroken",
    "JournalEntry",
    "JournalReader",
    "SentLine",
    "read_bodies",
    "read_journal",
]
