import pytest

from llm_benchmark.errors import Unauthorized
from llm_benchmark.mcp.clients import CallersClients, OwnClient
from llm_benchmark.settings import Settings


@pytest.fixture
def clients():
    made = CallersClients(Settings(token="lbx_pat_of_the_server"))
    yield made
    made.close()


class TestCallersClients:
    def test_asks_with_the_token_of_the_request(self, clients):
        first, second = (clients.of({"authorization": f"Bearer {token}"}) for token in ("one", "two"))

        assert (first.settings.token, second.settings.token) == ("one", "two")

    @pytest.mark.parametrize("headers", [None, {"authorization": "Bearer one"}])
    def test_keeps_no_caller_waiting_for_long(self, clients, headers):
        assert clients.of(headers).settings.patience == 2

    @pytest.mark.parametrize("headers", [None, {}, {"authorization": ""}])
    def test_asks_as_nobody_without_one(self, clients, headers):
        assert clients.of(headers).settings.token == ""

    @pytest.mark.parametrize(
        "header",
        ["Basic bGFiOng=", "Bearer", "Bearer ", "Bearer two words", "Bearer x\r\nX: y", f"Bearer {'x' * 600}",
         "Bearer schlüssel"],
    )  # fmt: skip
    def test_refuses_what_is_no_bearer_token(self, clients, header):
        with pytest.raises(Unauthorized) as caught:
            clients.of({"authorization": header})

        assert "x" * 20 not in str(caught.value)


def test_own_client_is_the_same_whatever_comes():
    own = object()

    assert OwnClient(own).of({"authorization": "Bearer other"}) is own
