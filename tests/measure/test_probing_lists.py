import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from llm_benchmark.measure.plans import Dialect, EgressRules, Side, Target
from llm_benchmark.measure.probing import DiscoveredModel, EndpointFault, discover, probe_dialect
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

KEY = "sk-secret"


def target(host_and_port, model="", **fields):
    rules = EgressRules(allow=frozenset({host_and_port}))
    return Target(f"http://{host_and_port}/v1", model, **{"egress": rules, **fields})


@pytest.fixture
def listing():
    """A server that answers `GET /v1/models` with whatever it is given."""

    class Handler(BaseHTTPRequestHandler):
        status, body = 200, b""

        def do_GET(self):
            self.send_response(self.status)
            self.send_header("content-length", str(len(self.body)))
            self.end_headers()
            self.wfile.write(self.body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def serve(body, status=200):
        Handler.body, Handler.status = body if isinstance(body, bytes) else json.dumps(body).encode(), status
        return target(f"127.0.0.1:{server.server_port}", api_key=KEY)

    yield serve
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.sockets
class TestDiscover:
    def test_lists_the_models_in_order(self, listing):
        entries = [{"id": "b", "owned_by": "us"}, {"id": "a"}, {"id": "b", "owned_by": "us"}]

        found = discover(listing({"object": "list", "data": entries}))

        assert found == [DiscoveredModel("b", "us", {"owned_by": "us"}), DiscoveredModel("a")]

    @pytest.mark.parametrize("odd", [{}, {"id": 7}, {"id": ""}, {"id": "a\nb"}, {"id": "x" * 201}, "", None])
    def test_leaves_out_names_that_cannot_be_shown(self, listing, odd):
        assert discover(listing({"data": [odd, {"id": "ok"}]})) == [DiscoveredModel("ok")]

    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            (b"<html>", 200, "invalid_response"),
            (b"", 200, "invalid_response"),
            ({"data": {}}, 200, "invalid_response"),
            (b"[" + b" " * (2 * 1024 * 1024) + b"]", 200, "response_too_large"),
            ({"data": [{"id": str(n)} for n in range(10_001)]}, 200, "too_many_models"),
            ({"data": [{"id": f"model-{KEY}"}]}, 200, "credential_echoed"),
            ({"data": [{"id": "a", "owned_by": KEY}]}, 200, "credential_echoed"),
            ({"data": [{"id": "a", KEY: 1}]}, 200, "credential_echoed"),
            ({}, 401, "authentication_failed"),
            ({}, 302, "redirect_refused"),
            ({}, 500, "provider_error"),
        ],
    )
    def test_says_why_it_cannot(self, listing, body, status, code):
        with pytest.raises(EndpointFault) as refused:
            discover(listing(body, status))

        assert refused.value.failure.code == code

    def test_never_dials_what_is_not_allowed(self):
        with pytest.raises(EndpointFault) as refused:
            discover(Target("http://127.0.0.1:9999", ""))

        assert refused.value.failure.side is Side.SUBMITTER


@pytest.fixture(scope="module")
def simulator():
    models = {
        "vllm": Behaviour(),
        "vllm-short": Behaviour(output_tokens=2),
        "hosted": Behaviour(strict=True, extra_fields=()),
        "old-hosted": Behaviour(strict=True, extra_fields=(), refused_fields=("max_completion_tokens",)),
        "deaf": Behaviour(output_tokens=2, extra_fields=()),
        "slow": Behaviour(ttft_ms=300, output_tokens=2, extra_fields=()),
        "broken": Behaviour(failure="html"),
        "closed": Behaviour(failure="403"),
    }
    with Simulator(SimulatorConfig(models=models)) as started:
        yield started


@pytest.mark.sockets
class TestProbeDialect:
    @pytest.mark.parametrize(
        ("model", "dialect"),
        [
            ("vllm", Dialect("vllm", "max_completion_tokens", {"ignore_eos": True})),
            ("vllm-short", Dialect("vllm", "max_completion_tokens", {"ignore_eos": True})),
            ("hosted", Dialect("openai", "max_completion_tokens", {})),
            ("old-hosted", Dialect("openai", "max_tokens", {})),
            ("deaf", Dialect("openai", "max_completion_tokens", {})),
        ],
    )
    def test_tells_by_what_the_endpoint_does(self, simulator, model, dialect):
        assert probe_dialect(target(simulator.host_and_port, model)) == dialect

    def test_lets_one_request_take_most_of_the_time_for_all(self, simulator):
        slow = target(simulator.host_and_port, "slow")

        assert probe_dialect(slow, within=10.0).name == "openai"
        with pytest.raises(EndpointFault) as late:
            probe_dialect(slow, within=0.5)
        assert late.value.failure.code == "total_timeout"

    def test_costs_at_most_six_small_requests(self, simulator):
        before = simulator.counts()["vllm"]["requests"]

        probe_dialect(target(simulator.host_and_port, "vllm"))

        assert simulator.counts()["vllm"]["requests"] - before <= 6

    @pytest.mark.parametrize(
        ("model", "code"),
        [("broken", "invalid_response"), ("closed", "authentication_failed"), ("none", "model_not_found")],
    )
    def test_says_why_it_cannot(self, simulator, model, code):
        with pytest.raises(EndpointFault) as refused:
            probe_dialect(target(simulator.host_and_port, model))

        assert refused.value.failure.code == code
