"""Where mails go, from one variable."""

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

_USUAL_PORT = {"smtp": 25, "smtp+tls": 587, "smtps": 465}  # as in variables.py


def mail(url: str, *, folder: Path) -> dict[str, object]:
    """Django's settings for `smtp+tls://user:password@host:587`; without a URL, files in `folder`.

    `smtp` is plain, `smtp+tls` begins plain and changes over, `smtps` is TLS from the first byte.
    `?timeout=` is in seconds.
    """
    if not url:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(folder),
        }
    parts = urlsplit(url)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or _USUAL_PORT[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": float(parse_qs(parts.query).get("timeout", ["10"])[0]),
    }
