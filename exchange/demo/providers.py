"""The two providers that the demo measures: a simulated one, and a small real model."""

from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from llm_benchmark.measure.plans import Question
from llm_benchmark.model_server import MODEL_NAME, ModelServer
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

SIMULATED_MODEL = "simulated-chat"
TTFT_MS, ITL_MS = 40, 2
KEYS = {"simulated": "demo-simulator-key", "real": "demo-model-key"}
PORTS = {"simulated": 8101, "real": 8102}


@dataclass(frozen=True)
class Provider:
    """A running endpoint and the model to measure behind it."""

    name: str
    title: str
    base_url: str
    api_key: str
    model: str


def free_ports() -> dict[str, int]:
    """The usual port of each provider, or another one where something listens there."""
    return {name: port if _is_free(port) else _any_port() for name, port in PORTS.items()}


def start(
    stack: ExitStack, ports: dict[str, int], answers: dict[str, str], *, kept: Path
) -> dict[str, Provider]:
    """Start both; they end with `stack`. The file `kept` makes `llm-benchmark simulate` the same provider."""
    behaviour = Behaviour(ttft_ms=TTFT_MS, itl_ms=ITL_MS, answers=answers)
    config = SimulatorConfig(
        models={SIMULATED_MODEL: behaviour}, api_key=KEYS["simulated"], port=ports["simulated"]
    )
    kept.write_text(json.dumps(config.to_json()), encoding="utf-8")
    simulator = stack.enter_context(Simulator(config))
    server = stack.enter_context(ModelServer(port=ports["real"], api_key=KEYS["real"]))
    return {
        "simulated": Provider(
            "simulated", "Simulated provider", simulator.base_url, KEYS["simulated"], SIMULATED_MODEL
        ),
        "real": Provider("real", "SmolLM2 on this machine", server.base_url, KEYS["real"], MODEL_NAME),
    }


def answers_right_on(questions: Iterable[Question], count: int) -> dict[str, str]:
    """Prompt → answer: right on `count` questions spread over the set, wrong on the others."""
    ordered = sorted(questions, key=lambda q: hashlib.sha256(q.key.encode()).digest())
    return {
        question.prompt: question.reference if index < count else _wrong(question)
        for index, question in enumerate(ordered)
    }


def _wrong(question: Question) -> str:
    if question.choices:
        return next(letter for letter in sorted(question.choices) if letter != question.reference)
    return "987654321" if question.scorer.startswith("numeric") else "something else"


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _any_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
