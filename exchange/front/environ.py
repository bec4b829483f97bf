"""A request of Granian's as WSGI's environ."""

from __future__ import annotations

import sys
from typing import IO, Any

from django.utils.translation import gettext as _

from exchange.core.errors import InvalidInput

from .answers import StoredFile


def environ_of(scope: Any, body: IO[bytes], length: int) -> dict[str, Any]:
    """PEP 3333's, of a request whose body is there. A header with `_` is none: it could pass for another.

    Granian shows ASCII alone. InvalidInput where a client hides by it what a proxy has appended.
    """
    if "x-forwarded-for" in scope.headers and scope.headers.get("x-forwarded-for") is None:
        raise InvalidInput(_("X-Forwarded-For is not ASCII."))
    host, _colon, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "CONTENT_LENGTH": str(length),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": StoredFile,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name or name in {"content-length", "transfer-encoding"}:
            continue
        key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
        joined = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joined}{value}" if key in environ else value
    return environ
