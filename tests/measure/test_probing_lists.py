import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from llm_benchmark.measure.plans import Dialect, EgressRules, Side, Target
from llm_benchmark.measure.probing import DiscoveredModel, EndpointFault, discover, probe_dialect
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from llm_benchmark.simulator.listing import page

KEY = "sk-secret"


def target(host_and_port, model="", **fields):
    rules = EgressRules(allow=frozenset({host_and_port}))
    return Target(f"http://{host_and_port}/v1", model, **{"egress": rules, **fields})


@pytest.fixture
def listing():
    """A server that answers `GET /v1/models` with whatever it is given."""

    class Handler(BaseHTTPRequestHandler):
        status, body, config, asked = 200, b"", None, []

        def do_GET(self):
            path, _, query = self.path.partition("?")
            self.asked.append((path, query))
            if self.config:
                self.wfile.write(page(self.config, query, KEY))
                return
            self.send_response(self.status)
            self.send_header("content-length", str(len(self.body)))
            self.end_headers()
            self.wfile.write(self.body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()

    def serve(body, status=200, **fields):
        """`body`: bytes, JSON, or how the simulator lists models."""
        Handler.config = body if isinstance(body, SimulatorConfig) else None
        Handler.body = (
            body if isinstance(body, bytes) else b"" if Handler.config else json.dumps(body).encode()
        )
        Handler.status, Handler.asked = status, []
        return target(f"127.0.0.1:{server.server_port}", api_key=KEY, **fields)

    serve.asked = lambda: Handler.asked
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

    @pytest.mark.parametrize("form", ["data", "models", "bare", "strings", "anthropic"])
    def test_reads_the_forms_that_providers_use(self, listing, form):
        config = SimulatorConfig({"a": Behaviour(), "b/c": Behaviour()}, listing=form)

        assert [model.id for model in discover(listing(config))] == ["a", "b/c"]

    @pytest.mark.parametrize(("form", "cursor"), [("data", "after"), ("anthropic", "after_id")])
    def test_follows_pages_as_the_endpoint_numbers_them(self, listing, form, cursor):
        names = [f"model {number}&x" for number in range(7)]
        config = SimulatorConfig(dict.fromkeys(names, Behaviour()), listing=form, page_size=3)

        assert [model.id for model in discover(listing(config))] == names
        assert [query for _, query in listing.asked()][:2] == ["", f"{cursor}=model%202%26x"]

    @pytest.mark.parametrize(
        ("form", "code"),
        [
            ("looping", "discovery_loop"),
            ("endless", "too_many_models"),
            ("echo_key", "credential_echoed"),
            ("huge", "response_too_large"),
            ("html", "invalid_response"),
            ("429", "rate_limited"),
        ],
    )
    def test_has_one_code_for_each_odd_list(self, listing, form, code):
        with pytest.raises(EndpointFault) as refused:
            discover(listing(SimulatorConfig(listing=form)))

        assert refused.value.failure.code == code
        assert len(listing.asked()) <= 100

    def test_says_when_a_page_does_not_tell_where_the_next_one_is(self, listing):
        with pytest.raises(EndpointFault) as refused:
            discover(listing({"data": [], "has_more": True}))

        assert refused.value.failure.code == "invalid_response"

    def test_takes_no_longer_than_it_may_for_all_pages(self, listing):
        with pytest.raises(EndpointFault) as late:
            discover(listing(SimulatorConfig(listing="endless")), within=0.0)

        assert late.value.failure.code == "total_timeout"

    def test_keeps_short_facts_of_the_metadata_that_it_knows(self, listing):
        kept = {"type": "embedding", "context_length": 8192, "owned_by": "us"}
        dropped = {"task": ["chat"], "pipeline_tag": "x" * 201, "model_type": None, "price": 3}
        config = SimulatorConfig({"a": Behaviour(metadata={**kept, **dropped})})

        assert discover(listing(config)) == [DiscoveredModel("a", "us", kept)]

    def test_asks_beside_a_full_endpoint_with_its_own_headers(self, listing):
        at = listing({"data": [{"id": "a"}]}, protocol="messages")

        discover(replace(at, base_url=f"{at.base_url}/messages"))

        assert listing.asked() == [("/v1/models", "")]

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
