"""How variables are read. Settings read the environment through this alone."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from .variables import FILE, PREFIX, UNSAFE_WITHOUT_PREFIX, VARIABLES

MOST_CHARACTERS = 1_000_000
YES, NO = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


class Environment:
    """The values of `VARIABLES`; an empty variable is one that is not set.

    Every reader takes a variable's name and raises ImproperlyConfigured, naming it, for a value that
    will not do. Raises the same at once for names beginning with EXCHANGE_ that nobody reads.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._known = {variable.name: variable for variable in VARIABLES}
        self._values = {name: value for name, value in environ.items() if value}
        self._refuse_unknown()

    def has(self, name: str) -> bool:
        return bool(self._given(name))

    def text(self, name: str) -> str:
        """A server's address may hold a password: a refusal does not show it."""
        text, schemes = self._given(name) or self._known[name].default, self._known[name].schemes
        if text and schemes and not _names_a_host(text, schemes):
            wanted = " or ".join(f"{scheme}://" for scheme in schemes)
            raise ImproperlyConfigured(
                f"{name} is not {wanted} with a host, and a number for a port. In a user name or a password, "
                "@ : / ? # % are written %40 %3A %2F %3F %23 %25."
            )
        return text

    def number(self, name: str, *, least: float = 0) -> float:
        text = self.text(name)
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value < float("inf"):
            raise _refusal(name, text, f"a number from {least:g} up")
        return value

    def count(self, name: str, *, least: int = 0) -> int:
        text = self.text(name)
        if not text.isascii() or not text.isdecimal() or int(text) < least:
            raise _refusal(name, text, f"a whole number from {least} up")
        return int(text)

    def flag(self, name: str, *, default: str = "") -> bool:
        text = (self._given(name) or default or self._known[name].default).lower()
        if text not in YES | NO:
            raise _refusal(name, text, "1 or 0")
        return text in YES

    def choice(self, name: str, *choices: str) -> str:
        text = self.text(name)
        if text not in choices:
            raise _refusal(name, text, f"one of {', '.join(choices)}")
        return text

    def web_address(self, name: str) -> str:
        """`https://host`, with or without a port and a path; no slash at the end."""
        text = self.text(name)
        parts = urlsplit(text)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise _refusal(name, text, "http://… or https://…")
        return text.rstrip("/")

    def hosts(self, name: str) -> list[str]:
        """Host names by commas, sorted."""
        names = sorted(self.words(name))
        for host in names:
            if "/" in host or (":" in host and not (host.startswith("[") and host.endswith("]"))):
                raise _refusal(name, host, "host names alone, without https:// and without a port")
        return names

    def words(self, name: str) -> frozenset[str]:
        """Values by commas."""
        return frozenset(filter(None, (word.strip() for word in self.text(name).split(","))))

    def addresses(self, name: str) -> frozenset[str]:
        """`host:port` pairs by commas."""
        pairs = self.words(name)
        for pair in pairs:
            _split_address(name, pair)
        return pairs

    def address(self, name: str) -> tuple[str, int]:
        """`host:port`, the host without the brackets of IPv6."""
        return _split_address(name, self.text(name))

    def bounds(self, name: str) -> tuple[int, int, int]:
        """Three whole numbers by commas: least, usual and most."""
        text = self.text(name)
        try:
            least, usual, most = map(int, text.split(","))
        except ValueError:
            least, usual, most = 0, 1, 0
        if not 0 <= least <= usual <= most:
            raise _refusal(name, text, "least,usual,most seconds, such as 3600,86400,604800")
        return least, usual, most

    def mapping(self, name: str) -> dict[str, str]:
        """A JSON object of strings, each named once. What it holds is not shown in a refusal."""
        try:
            value = json.loads(self.text(name) or "{}", object_pairs_hook=_named_once)
        except ValueError:
            value = None
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            raise ImproperlyConfigured(
                f"{name} is not one JSON object of strings, each with a name of its own."
            )
        return value

    def require(self) -> None:
        """Raise ImproperlyConfigured with all that production needs and does not have."""
        missing = [one.name for one in VARIABLES if one.needed and not self.has(one.name)]
        if missing:
            lines = [f"  {name}: {self._known[name].help}" for name in missing]
            raise ImproperlyConfigured("\n".join(["Production has no default for these; set them:", *lines]))

    def _given(self, name: str) -> str:
        variable = self._known[name]
        path = self._values.get(name + FILE) if variable.secret else None
        if path is None:
            return self._values.get(name, "")
        if name in self._values:
            raise ImproperlyConfigured(f"{name} and {name}{FILE} are both set: keep one.")
        try:
            with Path(path).open(encoding="utf-8") as file:
                text = file.read(MOST_CHARACTERS + 1)
            if len(text) > MOST_CHARACTERS:
                raise OSError("it is too large for a secret")
            return text.strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{name}{FILE}: {path} cannot be read: {error}") from error

    def _refuse_unknown(self) -> None:
        known = {*self._known, *(one.name + FILE for one in VARIABLES if one.secret)}
        for name in sorted(self._values):
            if name.startswith(PREFIX) and name not in known:
                near = difflib.get_close_matches(name, known, 1, cutoff=0)[0]
                raise ImproperlyConfigured(f"{name} is no variable of the exchange. Did you mean {near}?")
        for name in UNSAFE_WITHOUT_PREFIX:
            if name in self._values and not self.has(PREFIX + name):
                raise ImproperlyConfigured(f"{name} is not read: its name is {PREFIX}{name}.")


def _names_a_host(text: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _named_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """JSON keeps the last of two, and an earlier key would be lost unseen."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _split_address(name: str, text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or port is None or parts.path or parts.username is not None:
        raise _refusal(name, text, "host:port")
    return host, port


def _refusal(name: str, text: str, wanted: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} is {text!r}; it must be {wanted}.")
