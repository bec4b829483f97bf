"""The certificate of the gRPC door."""

import ssl
from pathlib import Path

import grpc
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def credentials() -> grpc.ServerCredentials | None:
    """Of the files that the settings name; None when they name none, as behind a proxy that ends TLS.

    Raises:
        ImproperlyConfigured: naming the variable that has to be mended.
    """
    paths = {name: str(getattr(settings, name)) for name in ("GRPC_TLS_CERT", "GRPC_TLS_KEY")}
    if not any(paths.values()):
        return None
    certificate, key = (_read(name, path) for name, path in paths.items())
    _check_pair(*paths.values())
    return grpc.ssl_server_credentials([(key, certificate)])


def _read(name: str, path: str) -> bytes:
    if not path:
        raise ImproperlyConfigured(f"Set EXCHANGE_{name} too: a certificate and its key come together.")
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ImproperlyConfigured(f"EXCHANGE_{name}: {path} cannot be read: {error.strerror}.") from error


def _check_pair(certificate: str, key: str) -> None:
    """gRPC itself would start, and refuse every client."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        message = (
            "EXCHANGE_GRPC_TLS_CERT and EXCHANGE_GRPC_TLS_KEY are not a PEM certificate "
            "and its key without a password"
        )
        raise ImproperlyConfigured(f"{message}: {error.reason or error}.") from error
