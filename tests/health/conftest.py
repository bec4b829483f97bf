import socket

import pytest

from exchange.health import checks


@pytest.fixture(autouse=True)
def fresh():
    """What other tests found out is not kept, nor what this one makes up."""
    for part in checks.PARTS:
        part.forget()
    yield
    for part in checks.PARTS:
        part.forget()


@pytest.fixture
def closed_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: it refuses
        yield taken.getsockname()[1]


@pytest.fixture
def silent_port():
    """Lets everybody in and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
