"""How long we wait for a server that says nothing."""

import socket

import psycopg
import pytest

from exchange.settings import base


@pytest.fixture
def silent_url():
    """Of a server that lets everybody in and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql://n:n@127.0.0.1:{server.getsockname()[1]}/n"


class TestDatabase:
    def test_is_given_up_when_it_says_nothing(self, silent_url, monkeypatch):
        monkeypatch.setitem(base.VANISHED, "connect_timeout", 2)  # the least that libpq takes
        options = base.database(silent_url)["OPTIONS"]
        with pytest.raises(psycopg.errors.ConnectionTimeout):
            psycopg.connect(silent_url, **options)

    def test_is_waited_for_as_its_address_says(self):
        options = base.database("postgresql://n@h/n?connect_timeout=4&sslmode=require")["OPTIONS"]
        assert options == {**base.VANISHED, "connect_timeout": 4, "sslmode": "require"}
