"""The program's two files: what `config set` keeps, and the tokens that `auth login` keeps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from llm_benchmark import private_files
from llm_benchmark.errors import NotConfigured

HOME = "LLM_BENCHMARK_HOME"


def directory() -> Path:
    """`LLM_BENCHMARK_HOME`, else where the system keeps settings."""
    return Path(os.environ.get(HOME) or click.get_app_dir("llm-benchmark"))


def read_config() -> dict[str, str]:
    return _read(directory() / "config.json", lambda value: isinstance(value, str))


def write_config(config: dict[str, str]) -> None:
    _write(directory() / "config.json", config)


def read_credentials() -> dict[str, dict[str, Any]]:
    """Address of an exchange → its token and what is known of it. A token is sent to no other address."""
    return _read(directory() / "credentials.json", _is_credential)


def write_credentials(credentials: dict[str, dict[str, Any]]) -> None:
    _write(directory() / "credentials.json", credentials)


def keep_credential(api_url: str, credential: dict[str, Any] | None) -> None:
    """Keep it, or None: forget the one that is kept. What another call of the program keeps stays."""
    with private_files.alone(directory()):
        others = {url: kept for url, kept in read_credentials().items() if url != api_url}
        write_credentials(others if credential is None else {**others, api_url: credential})


def _is_credential(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("token"), str)


def _read(path: Path, is_kept: Callable[[Any], bool]) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise NotConfigured(f"{path} cannot be read: {error}. Mend it, or delete it.") from None
    if not isinstance(found, dict) or not all(map(is_kept, found.values())):
        raise NotConfigured(f"{path} holds something else than is kept there. Mend it, or delete it.")
    return found


def _write(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    private_files.replace(path, json.dumps(content, indent=2, ensure_ascii=False).encode())
