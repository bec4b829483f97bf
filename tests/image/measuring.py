"""Run inside the measure image: AIPerf measures a simulated endpoint through the gateway."""

import threading
from pathlib import Path

from llm_benchmark.measure.home import HomeSink
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.plans import EgressRules, PerformancePlan, Target
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

PLAN = PerformancePlan(input_tokens=64, output_tokens=8, requests=4, seed=5, concurrency=2)
STATE = Path("/var/lib/exchange")

with Simulator(SimulatorConfig({"able": Behaviour(ttft_ms=20)}, api_key="sk-image")) as simulator:
    allowed = EgressRules(allow=frozenset({simulator.host_and_port}))
    target = Target(simulator.base_url, "able", api_key="sk-image", egress=allowed)
    outcome = run_performance(
        PLAN, target, HomeSink(STATE / "ledger"), threading.Event(),
        workdir=STATE / "session", tokenizer_cache=STATE / "tokenizer",
    )  # fmt: skip
assert outcome.failure is None, outcome.failure
print(outcome.tools)
