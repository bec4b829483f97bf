"""The simulator as a context manager, in a process of its own so that it has its own CPU."""

import json
import urllib.request
from collections.abc import Mapping
from typing import Any

from llm_benchmark.child import ChildServer

from .config import SimulatorConfig


class Simulator(ChildServer):
    """`with Simulator(SimulatorConfig({"sim-a": Behaviour(ttft_ms=40)})) as sim: sim.base_url`."""

    def __init__(self, config: SimulatorConfig | Mapping[str, Any] | None = None) -> None:
        if config is None:
            config = SimulatorConfig()
        elif not isinstance(config, SimulatorConfig):
            config = SimulatorConfig.from_json(config)
        super().__init__("llm_benchmark.simulator.server", config.to_json())

    def counts(self) -> dict[str, dict[str, int]]:
        """By model: requests, answered, bytes_received, bytes_sent, in_flight, in_flight_max."""
        url = f"http://{self.host_and_port}/_simulator/counts"
        with urllib.request.urlopen(url, timeout=10) as response:
            counts: dict[str, dict[str, int]] = json.load(response)["models"]
        return counts
