"""Secrets come from a file, a variable, standard input or a hidden prompt, never from the command line.

Arguments of a program are in the shell's history and in everybody's list of processes.
"""

import os
import sys
from pathlib import Path

import click

from llm_benchmark.errors import NotConfigured

SOURCE = "SOURCE"
SOURCE_HELP = "- for standard input, @FILE, or env:NAME"


def read_secret(source: str, *, option: str) -> str:
    """The secret at `-` (standard input, or typed unseen on a terminal), `@FILE` or `env:NAME`.

    Args:
        option: what a refusal names, such as `--key`.

    Raises:
        NotConfigured: the source is none of these, cannot be read, or holds nothing.
    """
    secret = _content(source, option).rstrip("\r\n")
    if not secret.strip():
        raise NotConfigured(f"{option} {source} holds nothing.")
    return secret


def read_token(source: str, *, option: str = "--token") -> str:
    """The same for what goes into a header: printable ASCII without blanks."""
    token = read_secret(source, option=option).strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NotConfigured(f"{option} {source} holds something else than one token.")
    return token


def ask_secret(label: str, *, instead: str) -> str:
    """What somebody types unseen.

    Args:
        instead: what to do where nobody can type.

    Raises:
        NotConfigured: there is no terminal.
    """
    if not sys.stdin.isatty():
        raise NotConfigured(f"{label} cannot be asked for without a terminal. {instead}")
    typed: str = click.prompt(label, hide_input=True, err=True)
    return typed


def _content(source: str, option: str) -> str:
    if source == "-":
        return ask_secret(option, instead="") if sys.stdin.isatty() else sys.stdin.readline()
    if source.startswith("@"):
        return _first_line(Path(source[1:]).expanduser(), option)
    if source.startswith("env:"):
        return os.environ.get(source[4:], "")
    raise NotConfigured(
        f"{option} takes no secret itself, since others can see a command's arguments. "
        f"Use {option} - and type it, {option} @FILE, or {option} env:NAME."
    )


def _first_line(path: Path, option: str) -> str:
    try:
        return path.read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise NotConfigured(f"{option}: {path} cannot be read: {error}.") from None
