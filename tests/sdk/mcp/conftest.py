import pytest

from tests.e2e.conftest import provider, running_stack

from .agents import http_server, over_http
from .world import READS, World


@pytest.fixture(scope="package")
def world():
    with provider() as simulator, running_stack(simulator) as stack, World(stack, simulator) as made:
        made.make_public_things()
        made.make_hidden_things()
        yield made


@pytest.fixture(scope="package")
def errors(tmp_path_factory):
    """What all servers of the tests write to their standard error."""
    with (tmp_path_factory.mktemp("mcp") / "errors").open("w+") as file:
        yield file


@pytest.fixture(scope="package")
def own_token(world):
    return world.lab.token(*READS)


@pytest.fixture(scope="package")
def server_url(world, errors, own_token):
    with http_server(world.stack, errors=errors, token=own_token) as url:
        yield url


@pytest.fixture(scope="package")
def agent(server_url, own_token):
    """Of the lab, with a token that reads everything."""
    return over_http(server_url, own_token)


@pytest.fixture(scope="package")
def nobody(server_url):
    return over_http(server_url)


@pytest.fixture(scope="package")
def rival(server_url, world):
    return over_http(server_url, world.rival.token(*READS))
