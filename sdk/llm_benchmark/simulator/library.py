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
        counts: dict[str, dict[str, int]] = self._books()["models"]
        return counts

    def late_ms(self) -> dict[str, float | None]:
        """How much later than promised chunks were sent: p50, p99, max; None before any."""
        late: dict[str, float | None] = self._books()["late_ms"]
        return late

    def _books(self) -> dict[str, Any]:
        url = f"http://{self.host_and_port}/_simulator/counts"
        with urllib.request.urlopen(url, timeout=10) as response:
            books: dict[str, Any] = json.load(response)
        return books
