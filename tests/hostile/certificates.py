"""Certificates for 127.0.0.1, good and bad, and the authority that signed them."""

import ssl
from datetime import timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.utils import timezone

HOST = x509.IPAddress(ip_address("127.0.0.1"))
OTHER = x509.DNSName("other.example.org")
DAY = timedelta(days=1)


class Authority:
    """Signs; `path` is its own certificate as SSL_CERT_FILE takes it."""

    def __init__(self, folder):
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = _name("an authority of the tests")
        self.path = folder / "authority.pem"
        extensions = [(x509.BasicConstraints(ca=True, path_length=0), True)]
        certificate = _signed(self._name, self._name, self._key, self._key, extensions=extensions)
        self.path.write_bytes(_pem(certificate))

    def context(self, name, *, host=HOST, days=2, is_signed=True):
        """What a server of that name shows; without our signature it has its own."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(name)
        issuer, signer = (self._name, self._key) if is_signed else (subject, key)
        extensions = [(x509.SubjectAlternativeName([host]), False)]
        certificate = _signed(subject, issuer, key, signer, days=days, extensions=extensions)
        path = self._folder / f"{name}.pem"
        path.write_bytes(_pem(certificate) + _private(key))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _signed(subject, issuer, key, signer, *, extensions, days=2):
    """Valid from ten days ago on; `days` from now on, or until so many days ago."""
    now = timezone.now()
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
    builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - 10 * DAY).not_valid_after(now + days * DAY)
    for extension, is_critical in extensions:
        builder = builder.add_extension(extension, is_critical)
    return builder.sign(signer, hashes.SHA256())


def _pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private(key):
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
