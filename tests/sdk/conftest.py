import pytest

from llm_benchmark import home
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

from .home import editions as e

KEY = "sk-home-0123456789"


@pytest.fixture(scope="session")
def simulator():
    """Simulated models that a measurement at home is pointed at."""
    models = {
        "good": Behaviour(answers=e.answers_right_on(30), ttft_ms=20, itl_ms=2),
        "worse": Behaviour(answers=e.answers_right_on(4)),
        "slow": Behaviour(answers=e.answers_right_on(30), ttft_ms=150),
        "late": Behaviour(ttft_ms=120, itl_ms=2),
    }
    with Simulator(SimulatorConfig(models=models, api_key=KEY)) as running:
        yield running


@pytest.fixture
def target(simulator):
    """`target("good")`: a model of the simulator."""

    def make(model, *, api_key=KEY):
        return home.target(simulator.base_url, model, api_key=api_key, allow_local=True)

    return make


@pytest.fixture
def asked(simulator):
    """How many requests a model of the simulator has had."""
    return lambda model: simulator.counts()[model]["requests"]
