import datetime as dt
import socket
import ssl
import threading

import pytest
from celery import Celery
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from exchange.settings.jobs import broker


@pytest.fixture
def stranger(tmp_path):
    """The port of a server whose certificate nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2090, 1, 1, tzinfo=dt.UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path, pem = tmp_path / "stranger.pem", serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path.write_bytes(certificate.public_bytes(pem) + key.private_bytes(pem, *plain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=greet, args=(server, context), daemon=True).start()
        yield server.getsockname()[1]


def greet(server, context):
    """Shake hands with whoever comes, and leave."""
    while True:
        try:
            client, _address = server.accept()
        except OSError:
            return
        try:
            context.wrap_socket(client, server_side=True).close()
        except OSError:
            client.close()


class TestBroker:
    @pytest.mark.sockets
    def test_gives_no_password_to_a_server_that_nobody_vouches_for(self, stranger):
        app = Celery(set_as_current=False)
        app.config_from_object(broker(f"rediss://:password@localhost:{stranger}/0"), namespace="CELERY")
        with app.connection_for_write() as connection, pytest.raises(Exception, match="VERIFY_FAILED"):
            connection.ensure_connection(max_retries=1)

    def test_is_left_as_it_is_without_tls(self):
        assert "CELERY_BROKER_USE_SSL" not in broker("redis://localhost:6379/0")
