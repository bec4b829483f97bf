"""Real AIPerf against the simulator, in two sessions for all tests of this file."""

import pytest

from llm_benchmark import home
from llm_benchmark.home import wording
from llm_benchmark.home.progress import Phase
from llm_benchmark.measure.bundle import check
from llm_benchmark.measure.plans import Side
from tests.sdk.conftest import KEY

from . import editions as e

pytestmark = pytest.mark.sockets


def patiently(measure, *, tries=4):
    """Again where this machine was too busy to measure times, as a person would."""
    while True:
        try:
            return measure()
        except home.NotMeasured as failed:
            tries -= 1
            if failed.side is not Side.PLATFORM or not tries:
                raise


@pytest.fixture(scope="module")
def measured(simulator, tmp_path_factory):
    """The run, its folder, and what it told."""
    folder, told = tmp_path_factory.mktemp("load"), []
    target = home.target(simulator.base_url, "late", api_key=KEY, allow_local=True)
    run = patiently(lambda: home.measure(e.load_edition(), target, folder, watch=told.append))
    return run, folder, told


@pytest.fixture(scope="module")
def reproduction(simulator, measured, tmp_path_factory):
    """`reproduction(factor)`: of the measured times times the factor; asked once."""
    folder = tmp_path_factory.mktemp("again")
    target = home.target(simulator.base_url, "late", api_key=KEY, allow_local=True)
    times = {metric.name: metric.value for metric in measured[0].metrics if metric.name.endswith("_p50")}

    def make(factor):
        edition = e.load_edition()
        claims = {name: value * factor for name, value in times.items()}
        return patiently(lambda: home.reproduce(e.submission(edition, claims), edition, target, folder))

    return make


class TestMeasuringLoad:
    def test_keeps_metrics_and_evidence(self, measured):
        run, folder, _told = measured

        values = {metric.name: metric for metric in run.metrics}
        assert values["ttft_p50"].value >= 120
        assert values["error_rate"].value == 0
        assert not values["ttft_p99"].is_stated
        assert check(folder / "bundle.zip", sha256=run.bundle_sha256).ok
        assert not (folder / "session").exists()

    def test_tells_how_far_it_is(self, measured):
        _run, _folder, told = measured

        assert [progress.phase for progress in told][:2] == [Phase.PROBING, Phase.STARTING]
        assert told[-1].done == told[-1].planned == e.LOAD["requests"] + e.LOAD["warmup_requests"]

    def test_claims_only_what_its_requests_can_state(self, measured):
        claim = home.claims_of(measured[1])

        names = [stated["name"] for stated in claim.body["claims"]]
        assert names == ["ttft_p50", "request_latency_p50", "error_rate"]
        assert claim.body["cases"] == []

    def test_writes_neither_address_nor_key(self, measured, simulator):
        content = (measured[1] / "bundle.zip").read_bytes()

        assert KEY.encode() not in content
        assert simulator.host_and_port.encode() not in content


class TestReproducingLoad:
    def test_bears_an_honest_claim_out(self, reproduction):
        found = reproduction(1.0)

        assert found.verdict == "consistent"
        assert "TTFT p50" in wording.summary_of(found)

    def test_refutes_a_claim_that_is_three_times_too_fast(self, reproduction):
        found = reproduction(1 / 3)

        assert found.verdict == "refuted"
        assert "worse by at least" in wording.summary_of(found)
