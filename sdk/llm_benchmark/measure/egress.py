"""Which addresses may be dialled: the form of an endpoint's URL, one look-up, one literal address.

A URL is checked when it is saved (`check_endpoint_url`) and again when it is dialled (`resolve`), where every
address the name stands for has to be allowed. What is dialled is the literal, so a name that changes its
mind between check and use changes nothing.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from .plans import EgressRules

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Lookup = Callable[[str, int], Sequence[str]]

USER_AGENT = "http-client/1.0"  # says nothing of who asks

_MAX_URL, _MAX_HOST = 2048, 253
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_API_KEY = re.compile(r"[A-Za-z0-9._~+/=-]{1,512}")

# Ports whose protocols can be talked into something by an HTTP request, or that are nobody's HTTP server.
_REFUSED_PORTS = frozenset(
    {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103}
    | {
        104,
        109,
        110,
        111,
        113,
        115,
        117,
        119,
        123,
        135,
        137,
        138,
        139,
        143,
        161,
        162,
        179,
        389,
        427,
        445,
        465,
    }
    | {
        512,
        513,
        514,
        515,
        526,
        530,
        531,
        532,
        540,
        548,
        554,
        556,
        563,
        587,
        601,
        636,
        873,
        989,
        990,
        993,
        995,
    }
    | {1080, 1099, 1433, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389}
    | {3659, 4045, 4190, 4369, 5060, 5061, 5432, 5433, 5671, 5672, 5900, 5984, 6000, 6379, 6380, 6443, 6566}
    | {6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017, 27018}
)

_LOCAL_NAMES = frozenset({"localhost", "metadata", "instance-data", "ip6-localhost", "ip6-loopback"})
_LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".localdomain", ".home.arpa", ".onion")

_PUBLIC_MESSAGES = {
    "address_not_public": "The endpoint's address is not public.",
    "host_not_public": "The endpoint's host is a name of a private network.",
    "host_unknown": "The endpoint's host has no address.",
    "port_refused": "The endpoint's port belongs to another protocol.",
}

# https://www.iana.org/assignments/iana-ipv4-special-registry; 168.63.129.16 is Azure's wire server.
_REFUSED_V4 = tuple(
    ipaddress.IPv4Network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
        *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"),
    )
)
# Only global unicast is ever dialled, which leaves out mapped IPv4, NAT64, ULA, link-local and multicast.
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
# https://www.iana.org/assignments/iana-ipv6-special-registry; 2001::/23 holds Teredo, ORCHID, benchmarking.
_REFUSED_V6 = tuple(
    ipaddress.IPv6Network(net)
    for net in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)


class EgressRefused(Exception):
    """An address or key is not allowed. `code` is for programs, `message` for the endpoint's owner."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def public_message(self) -> str:
        """The message without what only the owner may see: the endpoint's host, address and port."""
        return _PUBLIC_MESSAGES.get(self.code, self.message)


@dataclass(frozen=True, slots=True)
class EndpointUrl:
    """An endpoint's base URL or full URL, well-formed and in one spelling.

    `host` is lower case and without brackets; `path` has no trailing slash and may be empty.
    """

    scheme: Literal["http", "https"]
    host: str
    port: int
    path: str

    @property
    def host_and_port(self) -> str:
        """`host:port` as EGRESS_ALLOW lists it; IPv6 in brackets."""
        return f"{_bracketed(self.host)}:{self.port}"

    @property
    def host_header(self) -> str:
        is_default = self.port == _DEFAULT_PORTS[self.scheme]
        return _bracketed(self.host) if is_default else self.host_and_port

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host_header}{self.path}"


@dataclass(frozen=True, slots=True)
class Pinned:
    """The one address to dial. `server_hostname` is the name TLS has to prove (None for http)."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    address: str
    server_hostname: str | None
    operator_allowed: bool = False


def parse_endpoint_url(url: str) -> EndpointUrl:
    """Check the form of a base URL; addresses are judged by `check_endpoint_url` and `resolve`.

    Raises:
        EgressRefused: url_length, url_characters, url_scheme, url_userinfo, url_fragment, url_query,
            url_path, host_missing, host_length, host_trailing_dot, host_number_form, host_characters,
            port_range, port_refused.
    """
    if not 0 < len(url) <= _MAX_URL:
        raise EgressRefused("url_length", f"A URL has 1 to {_MAX_URL} characters.")
    if not url.isascii() or "\\" in url or any(c <= " " or c == "\x7f" for c in url):
        message = "Only printable ASCII without spaces and backslashes; write an international host as xn--…"
        raise EgressRefused("url_characters", message)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise EgressRefused("port_range", "The host or port of the URL cannot be read.") from None
    scheme = _scheme_of(parts.scheme)
    _refuse_extras(url, has_userinfo="@" in parts.netloc)
    port = _DEFAULT_PORTS[scheme] if port is None else port
    if port in _REFUSED_PORTS:
        raise EgressRefused("port_refused", f"Port {port} belongs to another protocol.")
    return EndpointUrl(scheme, _host_of(parts.netloc, parts.hostname), port, _path_of(parts.path))


def check_endpoint_url(url: str, rules: EgressRules) -> EndpointUrl:
    """`parse_endpoint_url`, and refuse what is plainly not public without looking a name up.

    Raises:
        EgressRefused: also address_not_public, host_not_public, host_refused.
    """
    endpoint = parse_endpoint_url(url)
    literal = _literal(endpoint.host)
    _refuse_own(endpoint, [literal] if literal else [], rules)
    if endpoint.host_and_port in rules.allow:
        return endpoint
    if literal and not is_public(literal):
        raise EgressRefused("address_not_public", f"{endpoint.host} is not a public address.")
    if endpoint.host in _LOCAL_NAMES or endpoint.host.endswith(_LOCAL_SUFFIXES):
        raise EgressRefused("host_not_public", f"{endpoint.host} is a name of a private network.")
    return endpoint


def system_lookup(host: str, port: int) -> Sequence[str]:
    """All addresses of a host, by the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def resolve(url: str | EndpointUrl, rules: EgressRules, *, lookup: Lookup = system_lookup) -> Pinned:
    """Look the host up once; every address has to be public, or `host:port` listed in `rules.allow`.

    Raises:
        EgressRefused: as `check_endpoint_url`, also host_unknown.
    """
    endpoint = check_endpoint_url(str(url), rules)
    allowed = endpoint.host_and_port in rules.allow
    addresses = _addresses_of(endpoint, search_domains=allowed, lookup=lookup)
    _refuse_own(endpoint, addresses, rules)
    # One bad apple spoils the answer: a mixed answer is how rebinding gets its chance.
    if not allowed and not all(is_public(address) for address in addresses):
        raise EgressRefused("address_not_public", f"{endpoint.host} leads to an address that is not public.")
    name = endpoint.host if endpoint.scheme == "https" else None
    return Pinned(endpoint.scheme, endpoint.host, endpoint.port, str(addresses[0]), name, allowed)


def is_public(address: str | Address) -> bool:
    """Whether this is an ordinary address of the public internet. Anything unreadable is not."""
    try:
        address = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _REFUSED_V4)
    return address in _GLOBAL_V6 and not any(address in network for network in _REFUSED_V6)


def check_api_key(key: str) -> str:
    """The key, if it can be put into a header and an environment without harm.

    Raises:
        EgressRefused: key_characters.
    """
    if not _API_KEY.fullmatch(key):
        message = "A key has 1 to 512 characters out of A-Z a-z 0-9 . _ ~ + / = -"
        raise EgressRefused("key_characters", message)
    return key


def _scheme_of(scheme: str) -> Literal["http", "https"]:
    if scheme == "http":
        return "http"
    if scheme == "https":
        return "https"
    raise EgressRefused("url_scheme", "Only http and https.")


def _refuse_extras(url: str, *, has_userinfo: bool) -> None:
    if has_userinfo:
        raise EgressRefused("url_userinfo", "Give the key as a credential, never inside the URL.")
    if "#" in url:
        raise EgressRefused("url_fragment", "A base URL has no fragment.")
    if "?" in url:
        raise EgressRefused("url_query", "A base URL has no query.")


def _host_of(netloc: str, hostname: str | None) -> str:
    host = (hostname or "").lower()
    if not host:
        raise EgressRefused("host_missing", "The URL names no host.")
    if len(host) > _MAX_HOST:
        raise EgressRefused("host_length", f"A host has at most {_MAX_HOST} characters.")
    if netloc.startswith("["):
        return _ipv6_of(host)
    if host.endswith("."):
        raise EgressRefused("host_trailing_dot", "Write the host without a trailing dot.")
    labels = host.split(".")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        return _ipv4_of(host)
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise EgressRefused("host_characters", "A host consists of letters, digits, hyphens and dots.")
    return host


def _ipv4_of(host: str) -> str:
    # Python reads only the usual four decimal numbers; 127.1, 0x7f000001 and 0177.0.0.1 are for others.
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise EgressRefused("host_number_form", "Write an IPv4 address as four decimal numbers.") from None


def _ipv6_of(host: str) -> str:
    try:
        return str(ipaddress.IPv6Address(host if "%" not in host else ""))
    except ValueError:
        raise EgressRefused("host_number_form", "This is not an IPv6 address without a zone.") from None


def _path_of(path: str) -> str:
    if "%" in path or "//" in path or any(part in {".", ".."} for part in path.split("/")):
        raise EgressRefused("url_path", "A base path has no escapes, no empty and no dotted segments.")
    return path.rstrip("/")


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _addresses_of(endpoint: EndpointUrl, *, search_domains: bool, lookup: Lookup) -> Sequence[Address]:
    literal = _literal(endpoint.host)
    if literal:
        return [literal]
    # The dot keeps the resolver from trying the machine's own search domains.
    name = endpoint.host if search_domains or "." not in endpoint.host else f"{endpoint.host}."
    try:
        addresses = [ipaddress.ip_address(found.split("%")[0]) for found in lookup(name, endpoint.port)]
    except (OSError, UnicodeError, ValueError):
        addresses = []
    if not addresses:
        raise EgressRefused("host_unknown", f"{endpoint.host} has no address.")
    return addresses


def _refuse_own(endpoint: EndpointUrl, addresses: Sequence[Address], rules: EgressRules) -> None:
    spellings = {endpoint.host_and_port, *(f"{_bracketed(str(a))}:{endpoint.port}" for a in addresses)}
    here = any(address.is_loopback or address.is_unspecified for address in addresses)
    if spellings & rules.refuse or (here and endpoint.port in _loopback_ports(rules)):
        raise EgressRefused("host_refused", "This address belongs to the platform itself.")


def _loopback_ports(rules: EgressRules) -> set[int]:
    """The ports of refused entries that stand for this machine, whatever their spelling."""
    ports = set()
    for entry in rules.refuse:
        host, _, port = entry.rpartition(":")
        address = _literal(host.strip("[]"))
        if host == "localhost" or (address and (address.is_loopback or address.is_unspecified)):
            ports.add(int(port))
    return ports
