"""What EXCHANGE_EVIDENCE_URL says: a folder of this machine, or a bucket."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Folder:
    path: Path


@dataclass(frozen=True, slots=True)
class Bucket:
    """`prefix` is "" or ends with a slash; `public` is where clients reach the server, "" for nowhere."""

    name: str
    prefix: str
    public: str = ""

    def at(self, name: str) -> dict[str, str]:
        """How boto3 is told of an object."""
        return {"Bucket": self.name, "Key": self.prefix + name}


def parse(url: str) -> Folder | Bucket:
    """`file:///folder` or `s3://bucket/prefix`, which `?public=https://s3.example.org` may follow.

    Raises ValueError, saying what is wrong with any other.
    """
    parts = urlsplit(url)
    if parts.scheme == "file":
        return _folder(parts)
    if parts.scheme == "s3":
        return _bucket(parts)
    raise ValueError("it must be file:///folder or s3://bucket/prefix")


def _folder(parts: SplitResult) -> Folder:
    path = Path(unquote(parts.path))
    if parts.netloc or parts.query or parts.fragment or not path.is_absolute() or not path.name:
        raise ValueError("after file:// comes the path of a folder, from / on")
    return Folder(path)


def _bucket(parts: SplitResult) -> Bucket:
    if not _BUCKET.fullmatch(parts.netloc):
        raise ValueError("after s3:// comes the name of a bucket, and nothing but its prefix behind it")
    prefix = unquote(parts.path).strip("/")
    return Bucket(parts.netloc, f"{prefix}/" if prefix else "", _public(parts))


def _public(parts: SplitResult) -> str:
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    public = options.pop("public", "")
    server = urlsplit(public)
    is_server = server.scheme in {"http", "https"} and server.netloc and not server.path.strip("/")
    if options or parts.fragment or (parts.query and not is_server):
        raise ValueError("an s3:// address may end with ?public=https://s3.example.org and with nothing else")
    return public
