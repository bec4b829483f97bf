"""The keyring of the operating system, through the package `keyring`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from .errors import KeyGone

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "llm-benchmark"
# The systems' own. Others that can be installed are a plain file, a null, or unknown to us.
_REAL = frozenset(
    f"keyring.backends.{name}" for name in ("macOS", "Windows", "SecretService", "libsecret", "kwallet")
)
_CHAIN = "keyring.backends.chainer"


class _Held(msgspec.Struct, forbid_unknown_fields=True):
    """What one entry of the keyring says."""

    origin: str
    key: str


def find_keyring() -> KeyringBackend | None:
    """The one to use; None where there is none, or none that protects what it is given."""
    try:
        import keyring  # noqa: PLC0415  of the extra `keys`, and slow to import
    except ImportError:
        return None
    backend = keyring.get_keyring()
    return backend if is_real(backend) else None


def is_real(backend: KeyringBackend) -> bool:
    """Whether it is a system's own and works here. A chain is as good as the worst of its links."""
    module = type(backend).__module__
    if module == _CHAIN:
        links = list(getattr(backend, "backends", ()))
        return bool(links) and all(map(is_real, links))
    try:
        return module in _REAL and backend.priority > 0
    except RuntimeError:  # how a backend says that it cannot work here
        return False


def put(backend: KeyringBackend, name: str, origin: str, key: str) -> bool:
    """False: it does not take it, such as because it is locked."""
    from keyring.errors import KeyringError  # noqa: PLC0415  as above

    try:
        backend.set_password(SERVICE, name, msgspec.json.encode(_Held(origin, key)).decode())
    except KeyringError:
        return False
    return True


def get(backend: KeyringBackend | None, name: str) -> tuple[str, str]:
    """Origin and key. Raises KeyGone."""
    from keyring.errors import KeyringError  # noqa: PLC0415  as above

    try:
        found = backend.get_password(SERVICE, name) if backend else None
        held = msgspec.json.decode(found or "", type=_Held)
    except (KeyringError, msgspec.MsgspecError):
        raise KeyGone(f"The keyring does not give the key {name}. Unlock it, or set the key again.") from None
    return held.origin, held.key


def drop(backend: KeyringBackend | None, name: str) -> None:
    """Also when it is gone already."""
    from keyring.errors import KeyringError  # noqa: PLC0415  as above

    try:
        if backend:
            backend.delete_password(SERVICE, name)
    except KeyringError:
        return
