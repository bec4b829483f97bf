from pathlib import Path

import pytest

from exchange.settings.mail import mail

FOLDER = Path("/srv/mail")


def test_without_a_server_mails_are_files():
    found = mail("", folder=FOLDER)
    assert found["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
    assert found["EMAIL_FILE_PATH"] == "/srv/mail"


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://mail.example.org", 587, True, False),
        ("smtps://mail.example.org", 465, False, True),
        ("smtp+tls://mail.example.org:2525", 2525, True, False),
    ],
)
def test_the_scheme_says_how_and_where(url, port, tls, ssl):
    found = mail(url, folder=FOLDER)
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == ("mail.example.org", port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    assert found["EMAIL_TIMEOUT"] == 10


def test_a_password_may_have_any_character():
    found = mail("smtps://u%40x:p%2F%3A@mail.example.org?timeout=3", folder=FOLDER)
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("u@x", "p/:")
    assert found["EMAIL_TIMEOUT"] == 3
