"""The keys of this machine by name: where each is, and what it may be sent to."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from llm_benchmark import private_files
from llm_benchmark.errors import InvalidInput
from llm_benchmark.measure.egress import EgressRefused, check_api_key, parse_endpoint_url
from llm_benchmark.models import Model

from . import system, vault
from .errors import KeyBoundElsewhere, KeyGone, KeyUnknown, NoPlaceForKeys

Place = Literal["keyring", "vault", "environment"]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Passphrase(Protocol):
    def __call__(self, *, is_new: bool) -> str: ...


class KeptKey(Model, frozen=True, kw_only=True):
    """What may be shown of a key. `variable`: the name of the one in which it is, in the environment."""

    name: str
    origin: str
    place: Place
    variable: str = ""


class _Entry(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    origin: str
    place: Place
    variable: str = ""
    sealed: bytes = b""


class _Book(msgspec.Struct, forbid_unknown_fields=True, rename={"form": "schema"}):
    """The file. The salt is the vault's."""

    form: Literal["llm-benchmark-keys-v1"] = "llm-benchmark-keys-v1"
    salt: bytes = b""
    keys: dict[str, _Entry] = {}

    def in_vault(self) -> dict[str, _Entry]:
        return {name: entry for name, entry in self.keys.items() if entry.place == "vault"}


class Keys:
    """The keys that are kept in a folder of its own.

    Args:
        passphrase: gives that of the vault, or a new one (`is_new`); called only where it is needed.
    """

    def __init__(
        self, folder: Path, *, passphrase: Passphrase, environ: Mapping[str, str] = os.environ
    ) -> None:
        self._folder, self._file = folder, folder / "keys.json"
        self._passphrase, self._environ = passphrase, environ

    def keep(self, name: str, url: str, key: str) -> KeptKey:
        """In the keyring, or else in the vault; in place of one of that name.

        Raises:
            InvalidInput: name, address or key cannot be used.
            NoPlaceForKeys: neither is there.
            VaultShut: the passphrase is not that of the other keys.
        """
        origin = _origin_of(url)
        _check("key", lambda: check_api_key(key))
        with self._changing(name) as book:
            backend = system.find_keyring()
            if backend and system.put(backend, name, origin, key):
                entry = _Entry(origin, "keyring")
            else:
                entry = self._sealed(book, name, origin, key)
            self._replace(book, name, entry)
        return _shown(name, entry)

    def refer(self, name: str, url: str, variable: str) -> KeptKey:
        """Keep the name of a variable, which is read at each use. Raises InvalidInput."""
        origin = _origin_of(url)
        if not _VARIABLE.fullmatch(variable):
            raise InvalidInput.of("variable", "variable_name", f"{variable!r} is no name of a variable.")
        with self._changing(name) as book:
            entry = _Entry(origin, "environment", variable)
            self._replace(book, name, entry)
        return _shown(name, entry)

    def listed(self) -> list[KeptKey]:
        """By name."""
        return [_shown(name, entry) for name, entry in sorted(self._read().keys.items())]

    def remove(self, name: str) -> KeptKey:
        """Raises KeyUnknown."""
        with self._changing(name) as book:
            entry = _found(book, name)
            self._replace(book, name, None)
        return _shown(name, entry)

    def key_for(self, name: str, url: str) -> str:
        """The key, to be sent to this address.

        Raises:
            KeyUnknown, KeyGone, VaultShut: it is not there, or not to be had.
            KeyBoundElsewhere: it was kept for another origin.
        """
        book, origin = self._read(), _origin_of(url)
        entry = _found(book, name)
        bound_to, key = entry.origin, ""
        if entry.origin == origin:
            bound_to, key = self._opened(book, name, entry)
        if bound_to != origin:
            raise KeyBoundElsewhere(f"The key {name} is for {bound_to}, and is not sent to {origin}.")
        return _usable(name, key)

    def _opened(self, book: _Book, name: str, entry: _Entry) -> tuple[str, str]:
        """Origin and key as the place itself has them, which the file alone cannot change."""
        if entry.place == "keyring":
            return system.get(system.find_keyring(), name)
        if entry.place == "environment":
            return entry.origin, self._environ.get(entry.variable, "").strip()
        _require_vault()
        vault_key = vault.derive(self._passphrase(is_new=False), book.salt)
        return entry.origin, vault.open_sealed(vault_key, entry.sealed, name=name, origin=entry.origin)

    def _sealed(self, book: _Book, name: str, origin: str, key: str) -> _Entry:
        """Under the passphrase that opens the others, too."""
        _require_vault()
        others = book.in_vault()
        if not others:
            book.salt = os.urandom(vault.SALT_BYTES)
        vault_key = vault.derive(self._passphrase(is_new=not others), book.salt)
        for other, entry in list(others.items())[:1]:
            vault.open_sealed(vault_key, entry.sealed, name=other, origin=entry.origin)
        sealed = vault.seal(vault_key, key, name=name, origin=origin)
        return _Entry(origin, "vault", sealed=sealed)

    def _replace(self, book: _Book, name: str, entry: _Entry | None) -> None:
        before = book.keys.pop(name, None)
        if before and before.place == "keyring" and (entry is None or entry.place != "keyring"):
            system.drop(system.find_keyring(), name)
        if entry is not None:
            book.keys[name] = entry
        private_files.write(self._file, msgspec.json.format(msgspec.json.encode(book), indent=2))

    @contextmanager
    def _changing(self, name: str) -> Iterator[_Book]:
        if not _NAME.fullmatch(name):
            message = "A key's name has 1 to 100 characters out of A-Z a-z 0-9 . _ -"
            raise InvalidInput.of("name", "key_name", message)
        private_files.make_folder(self._folder)
        with private_files.alone(self._folder):
            yield self._read()

    def _read(self) -> _Book:
        content = private_files.read(self._file)
        try:
            return _Book() if content is None else msgspec.json.decode(content, type=_Book)
        except msgspec.MsgspecError as wrong:
            raise private_files.UnsafeFile(
                f"{self._file} cannot be read: {wrong}. Mend it, or delete it."
            ) from None


def _found(book: _Book, name: str) -> _Entry:
    entry = book.keys.get(name)
    if entry is None:
        names = ", ".join(sorted(book.keys)) or "none"
        raise KeyUnknown(f"No key is kept as {name}. Those that are: {names}.")
    return entry


def _usable(name: str, key: str) -> str:
    try:
        return check_api_key(key)
    except EgressRefused:
        raise KeyGone(f"What is kept as {name} leads to no key. Set it again, or set its variable.") from None


def _require_vault() -> None:
    if not vault.is_installed():
        raise NoPlaceForKeys(
            "No keyring of the system is found, and the vault needs more: "
            'pip install "llm-benchmark-exchange[keys]". Or name a variable with --env.'
        )


def _origin_of(url: str) -> str:
    """`https://host:port`: what a key is bound to."""
    found = _check("url", lambda: parse_endpoint_url(url))
    return f"{found.scheme}://{found.host_and_port}"


def _check(field: str, check: Callable[[], Any]) -> Any:
    try:
        return check()
    except EgressRefused as refused:
        raise InvalidInput.of(field, refused.code, refused.message) from None


def _shown(name: str, entry: _Entry) -> KeptKey:
    return KeptKey(name=name, origin=entry.origin, place=entry.place, variable=entry.variable)
