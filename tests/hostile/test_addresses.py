"""Where nobody may be sent: refused when it is saved, refused when it is dialled, and never reached."""

import socket
from contextlib import ExitStack

import pytest

from exchange.api.pb import endpoints_pb2 as pb
from llm_benchmark.errors import InvalidInput
from llm_benchmark.home import endpoints as home
from llm_benchmark.measure import egress
from llm_benchmark.measure.egress import EgressRefused, check_endpoint_url
from llm_benchmark.measure.plans import EgressRules, Target
from submissions.endpoints.api.grpc import EndpointService
from submissions.endpoints.models import Endpoint
from tests.factories.accounts import MembershipFactory, token_for
from tests.factories.runs import RunFactory
from tests.rpc import RpcFailed, call

from .addresses import REFUSED, RESOLVED
from .doors import DOORS
from .rogue import KEY, Rogue
from .victim import Victim

pytestmark = pytest.mark.sockets
NOTHING_LISTED = EgressRules()
TRIES = 100


@pytest.fixture(scope="module")
def victim():
    with ExitStack() as stack:
        yield Victim(stack)


def at(url, **rules):
    return Target(url, "m", KEY, egress=EgressRules(**rules))


@pytest.mark.parametrize("kind", REFUSED)
class TestARefusedAddress:
    def test_is_not_saved(self, kind, victim):
        url, code = REFUSED[kind]

        with pytest.raises(EgressRefused) as refused:
            check_endpoint_url(url.format(port=victim.port), NOTHING_LISTED)
        assert refused.value.code == code

    def test_is_not_measured_at_home(self, kind, victim):
        url, code = REFUSED[kind]

        with pytest.raises(InvalidInput) as refused:
            home.target(url.format(port=victim.port), "m")
        assert [(error.field, error.code) for error in refused.value.errors] == [("base_url", code)]

    def test_is_not_dialled(self, kind, victim, tmp_path):
        url, code = REFUSED[kind]
        target = at(url.format(port=victim.port))

        ends = {name: door(target, tmp_path) for name, door in DOORS.items()}

        assert ends == dict.fromkeys(DOORS, code)
        assert not victim.was_reached


class TestANameThatLeadsInside:
    @pytest.mark.parametrize("kind", RESOLVED)
    def test_is_not_dialled(self, kind, victim, tmp_path, monkeypatch):
        monkeypatch.setattr(socket, "getaddrinfo", standing_for(RESOLVED[kind]))
        target = at(f"http://api.example.org:{victim.port}/v1")

        ends = {name: door(target, tmp_path) for name, door in DOORS.items()}

        assert ends == dict.fromkeys(DOORS, "address_not_public")
        assert not victim.was_reached

    def test_is_not_dialled_when_it_changes_its_mind(self, monkeypatch):
        """127.0.0.2 plays the public address; every other answer names 127.0.0.1, at the same port."""
        public = [
            net for net in egress._REFUSED_V4 if not net.overlaps(egress.ipaddress.ip_network("127.0.0.0/8"))
        ]
        monkeypatch.setattr(egress, "_REFUSED_V4", (*public, egress.ipaddress.ip_network("127.0.0.1/32")))
        asked = []

        def rebinding(host, port, **_):
            asked.append(host)
            return answer(["127.0.0.2"] if len(asked) % 2 else ["127.0.0.1"])

        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        with ExitStack() as stack:
            victim = Victim(stack)
            rogue = stack.enter_context(Rogue(host="127.0.0.2", port=victim.port))
            target = at(f"http://api.example.org:{victim.port}/honest/v1")
            ends = [DOORS["list"](target, None) for _ in range(TRIES)]
            once = [DOORS["questions"](target, None) for _ in range(2)]

            assert ends == [None, "address_not_public"] * (TRIES // 2)
            assert once == [None, "address_not_public"]
            assert len(asked) == TRIES + 2
            assert rogue.connections >= TRIES // 2
            assert not victim.was_reached

    def test_is_not_dialled_in_the_middle_of_a_check(self, monkeypatch):
        """Each probe looks anew, and the second answer leads inside."""
        answers = iter([["127.0.0.2"], ["127.0.0.1"]])
        monkeypatch.setattr(egress, "is_public", lambda address: str(address) != "127.0.0.1")
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer(next(answers)))
        with ExitStack() as stack:
            victim = Victim(stack)
            rogue = stack.enter_context(Rogue(host="127.0.0.2", port=victim.port))

            end = DOORS["check"](at(f"http://api.example.org:{victim.port}/honest/v1"), None)

            assert (end, len(rogue.requests)) == ("address_not_public", 1)
            assert not victim.was_reached


def answer(addresses):
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in addresses]


def standing_for(addresses):
    return lambda *_, **__: answer(addresses)


class TestThePlatformItself:
    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1:{port}/v1",
            "http://127.9.9.9:{port}/v1",
            "http://localhost:{port}/v1",
            "http://[::1]:{port}/v1",
            "http://0.0.0.0:{port}/v1",
            "http://[::]:{port}/v1",
        ],
    )
    def test_is_refused_even_where_it_is_listed(self, url, victim, tmp_path):
        url = url.format(port=victim.port)
        listed = frozenset({url.split("/")[2]})
        target = at(url, allow=listed, refuse=frozenset({f"127.0.0.1:{victim.port}"}))

        ends = {name: door(target, tmp_path) for name, door in DOORS.items()}

        assert ends == dict.fromkeys(DOORS, "host_refused")
        assert not victim.was_reached

    def test_is_refused_by_its_public_name(self, tmp_path):
        target = at("https://Exchange.example.org/v1", refuse=frozenset({"exchange.example.org:443"}))

        ends = {name: door(target, tmp_path) for name, door in DOORS.items()}
        assert ends == dict.fromkeys(DOORS, "host_refused")


@pytest.mark.django_db
@pytest.mark.parametrize("status", ["queued", "running"])
class TestAnAddressThatIsMeasured:
    """What was approved stays what is dialled, until the run is over."""

    URL = "https://elsewhere.example.org/v1"

    def test_is_not_changed_over_rest(self, status, api_as):
        endpoint, member = measured(status)

        refused = api_as(member.user).patch(
            f"/api/v1/endpoints/{endpoint.pk}", {"base_url": self.URL, "api_key": KEY}
        )

        assert (refused.status_code, refused.json()["code"]) == (409, "endpoint_in_use")
        assert Endpoint.objects.get().base_url == endpoint.base_url

    def test_is_not_changed_over_grpc(self, status):
        endpoint, member = measured(status)
        request = pb.UpdateEndpointRequest(id=str(endpoint.pk), base_url=self.URL, api_key=KEY)

        with pytest.raises(RpcFailed) as refused:
            call(EndpointService().UpdateEndpoint, request, token=token_for(member.user))

        assert refused.value.code == "endpoint_in_use"
        assert Endpoint.objects.get().base_url == endpoint.base_url


def measured(status):
    run = RunFactory(status=status)
    return run.endpoint, MembershipFactory(role="admin", organization=run.organization)
