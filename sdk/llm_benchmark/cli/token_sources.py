"""Secrets come from a file, a variable, standard input or a prompt, never from the command line itself.

Arguments of a program are in the shell's history and in everybody's list of processes.
"""

import os
import sys
from pathlib import Path

from llm_benchmark.errors import NotConfigured


def read_token(source: str) -> str:
    """The token at `-` (standard input), `@FILE` or `env:NAME`.

    Raises:
        NotConfigured: the source is none of these, cannot be read, or holds nothing.
    """
    return _stripped(source, _content(source))


def _content(source: str) -> str:
    if source == "-":
        return sys.stdin.readline()
    if source.startswith("@"):
        try:
            return Path(source[1:]).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise NotConfigured(f"--token: {source[1:]} cannot be read: {error}.") from None
    if source.startswith("env:"):
        return os.environ.get(source[4:], "")
    raise NotConfigured(
        "--token takes no token itself, since others can see a command's arguments. "
        "Use --token - and type it, --token @FILE, --token env:NAME, or LLM_BENCHMARK_TOKEN."
    )


def _stripped(source: str, content: str) -> str:
    token = content.strip()
    if not token:
        raise NotConfigured(f"--token {source} holds nothing.")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NotConfigured(f"--token {source} holds something else than one token.")
    return token
