import pytest

from exchange.core import envelopes


def test_opens_what_it_sealed():
    assert envelopes.open_sealed(envelopes.seal(b"key", bound_to="row 1"), bound_to="row 1") == b"key"


def test_does_not_open_on_another_row():
    with pytest.raises(envelopes.CannotOpen):
        envelopes.open_sealed(envelopes.seal(b"key", bound_to="row 1"), bound_to="row 2")


def test_does_not_open_when_any_byte_changed():
    sealed = envelopes.seal(b"key", bound_to="row 1")
    for position in range(len(sealed)):
        altered = bytearray(sealed)
        altered[position] ^= 1
        if bytes(altered).translate(None, b" ") != sealed.translate(None, b" "):
            with pytest.raises(envelopes.CannotOpen):
                envelopes.open_sealed(bytes(altered), bound_to="row 1")


def test_two_envelopes_of_one_secret_differ():
    assert envelopes.seal(b"key", bound_to="row") != envelopes.seal(b"key", bound_to="row")
