"""AIPerf as a subprocess: its command line, its environment, its life and its end.

It sees a loopback address and a throw-away key. Values of a submitter's go in as `--flag=value`, never
through a configuration file, which AIPerf would execute.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

from llm_benchmark.measure import protocols
from llm_benchmark.measure.contain import contained
from llm_benchmark.measure.plans import Generation, PerformancePlan, Target

from .goals import AIPERF_GOALS

STATIC_CONFIG = Path(__file__).with_name("aiperf_static.yaml")
EXPORTS = (
    "profile_export_aiperf.json",
    "profile_export.jsonl",
    "profile_export_raw.jsonl",
    "inputs.json",
    "logs/aiperf.log",
)

_ADDRESS_SPACE_BYTES = 3_072_000_000  # an ordinary run needs half; an endless answer would take the machine
_RATE, _SLOW_RATE, _LARGEST_RATE = 500.0, 150.0, 1000.0
_SLOW_SECONDS = 2.0
_STARTS_PER_LATENCY = 10
_LONGEST_TEMPDIR = 32
_TIMEOUT_SLACK_SECONDS = 10.0  # the gateway gives up first, so that its journal says why
_SPEAKS_DIALECTS = frozenset({"chat", "completions"})  # a dialect is found by asking for chat completions


class AiperfMissing(Exception):
    """There is no aiperf program: a fault of the platform."""


class BadModelName(Exception):
    """AIPerf would read this model name as something else."""


@dataclass(frozen=True, slots=True)
class AiperfJob:
    """One session: what to ask of which model at which loopback address, and where to put the results.

    `directory` is the job's own; it holds home, temporary files, logs and `artifacts`.
    """

    plan: PerformancePlan
    target: Target
    url: str
    path: str
    key: str
    directory: Path
    tokenizer_cache: Path
    expected_latency_seconds: float | None = None

    @property
    def artifacts(self) -> Path:
        return self.directory / "artifacts"


def find_aiperf(explicit: Path | None = None) -> Path:
    """The given program, or the one installed beside this Python.

    Raises:
        AiperfMissing: it is not there.
    """
    found = (explicit or Path(sys.executable).parent / "aiperf").absolute()
    if not os.access(found, os.X_OK):
        raise AiperfMissing(f"No aiperf at {found}; install requirements/measure.txt or name it.")
    return found


def aiperf_version() -> str:
    """The installed version, for the record; `unknown` when aiperf lives in another environment."""
    try:
        return version("aiperf")
    except PackageNotFoundError:
        return "unknown"


def pacing(plan: PerformancePlan, expected_latency_seconds: float | None = None) -> float:
    """Starts per second of the paced closed loop.

    Unpaced, AIPerf spins while all slots are taken and measures itself. The rate stays well above what C
    slots can use, and low enough to spread the starts.
    """
    latency = expected_latency_seconds
    rate = plan.request_rate or (_SLOW_RATE if latency and latency > _SLOW_SECONDS else _RATE)
    floor = _STARTS_PER_LATENCY * plan.concurrency / latency if latency else 0.0
    return min(max(rate, floor), _LARGEST_RATE)


def check_model_name(model: str) -> None:
    """Raises BadModelName: a comma would make it two models for AIPerf."""
    if "," in model or not model.isprintable() or not model.strip():
        raise BadModelName("A model name is printable and has no comma.")


def command(job: AiperfJob, program: Path) -> list[str]:
    """AIPerf's command line.

    Raises:
        BadModelName: see `check_model_name`.
    """
    check_model_name(job.target.model)
    plan, protocol = job.plan, protocols.get(job.target.protocol)
    # One fresh prompt for each request: a repeated one could come out of the provider's cache.
    entries = plan.requests + plan.warmup_requests
    arguments = {
        "config": STATIC_CONFIG,
        "artifact-dir": job.artifacts,
        "url": job.url,
        "custom-endpoint": job.path,
        "model": job.target.model,
        "endpoint-type": protocol.aiperf_type,
        "tokenizer": "builtin",
        "random-seed": plan.seed,
        "concurrency": plan.concurrency,
        "request-rate": f"{pacing(plan, job.expected_latency_seconds):g}",
        "request-rate-mode": "constant",
        "request-count": plan.requests,
        "num-dataset-entries": entries,
        **_lengths(plan, job.target),
        "request-timeout-seconds": f"{plan.request_timeout_seconds + _TIMEOUT_SLACK_SECONDS:g}",
        "workers-max": 1,
        "record-processors": 1,
        "ui": "none",
        "export-level": "raw",
    }
    if plan.warmup_requests:
        arguments["warmup-request-count"] = plan.warmup_requests
    if plan.slo:
        goals = (f"{AIPERF_GOALS[name]}:{goal!r}" for name, goal in plan.slo.items())
        arguments["goodput"] = " ".join(goals)
    extra = extra_inputs(job.target)
    if extra:
        arguments["extra-inputs"] = json.dumps(extra)
    flags = ["--no-gpu-telemetry", "--no-server-metrics"]
    if plan.streaming:
        flags.append("--streaming")
    if job.target.dialect.max_tokens_field == "max_tokens" and protocol.name == "chat":
        flags.append("--use-legacy-max-tokens")
    return [str(program), "profile", *(f"--{name}={value}" for name, value in arguments.items()), *flags]


def _lengths(plan: PerformancePlan, target: Target) -> dict[str, int]:
    """AIPerf's names of what one request holds."""
    tokens = plan.input_tokens
    if target.protocol in protocols.GENERATING:
        return {"isl": tokens, "osl": plan.output_tokens}
    if target.protocol == "embeddings":
        return {"isl": tokens, "prompt-batch-size": plan.batch_size or 1}
    return {
        "rankings-query-prompt-token-mean": tokens,
        "rankings-passages-prompt-token-mean": tokens,
        "rankings-passages-mean": plan.documents or 1,
    }


def extra_inputs(target: Target) -> dict[str, Any]:
    """The body fields beside prompt and length: temperature 0, where there is one, and the dialect."""
    wanted = protocols.get(target.protocol).generation(Generation(temperature=0, max_tokens=None), target)
    fixed = {n: value for n, value in wanted.items() if value is not None and n not in protocols.LIMIT_FIELDS}
    return fixed | dict(target.dialect.extra_body if target.protocol in _SPEAKS_DIALECTS else {})


def environment(job: AiperfJob, scratch: Path) -> dict[str, str]:
    """AIPerf's whole environment: nothing of ours is inherited but the search path."""
    home = job.directory / "home"
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "NO_COLOR": "1",
        "TIKTOKEN_CACHE_DIR": str(job.tokenizer_cache),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "AIPERF_TOKENIZER_SKIP_PRELOAD": "1",
        "AIPERF_DATASET_MMAP_BASE_PATH": str(home),
        "AIPERF_DATASET_MMAP_CACHE_ENABLED": "false",
        "AIPERF_HTTP_X_SESSION_AFFINITY_FROM_CORRELATION_ID": "false",
        "LLM_BENCHMARK_GATEWAY_KEY": job.key,
    }


class Aiperf:
    """A running AIPerf with all its children, in a process group that dies with this process."""

    def __init__(self, process: "subprocess.Popen[bytes]", scratch: Path) -> None:
        self._process = process
        self._scratch = scratch
        self.started_at = time.monotonic()

    @classmethod
    def start(cls, job: AiperfJob, program: Path) -> Self:
        """Start it; output goes to files, because a full pipe would stop it.

        Raises:
            BadModelName: see `check_model_name`.
        """
        arguments = contained(command(job, program), memory_bytes=_ADDRESS_SPACE_BYTES)
        scratch = Path(tempfile.mkdtemp(prefix="aiperf-", dir=_short_folder()))
        variables = environment(job, scratch)
        for folder in (variables["HOME"], job.artifacts):
            Path(folder).mkdir(parents=True, exist_ok=True)
        with (
            (job.directory / "stdout.log").open("wb") as out,
            (job.directory / "stderr.log").open("wb") as err,
        ):
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=variables,
                cwd=job.directory,
                start_new_session=True,
            )
        return cls(process, scratch)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> int | None:
        """Its exit code, or None when it still runs after so long."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, grace_seconds: float = 2.0) -> None:
        """SIGINT, then SIGKILL, to the whole group. Safe to call when it is over."""
        if self.exit_code is None:
            self._signal(signal.SIGINT)
            self.wait(grace_seconds)
        # Also after an exit: a child that was left over must not go on sending.
        self._signal(signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return


def _short_folder() -> str:
    """AIPerf's sockets lie below TMPDIR, and a socket's path has at most 107 characters."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= _LONGEST_TEMPDIR else "/tmp"  # noqa: S108  (mkdtemp makes a private one)


def describe(
    plan: PerformancePlan, target: Target, expected_latency_seconds: float | None = None
) -> Mapping[str, Any]:
    """How the load was made, for the snapshot of a run."""
    return {
        "protocol": target.protocol,
        "request_rate": pacing(plan, expected_latency_seconds),
        "expected_latency_seconds": expected_latency_seconds,
        "extra_inputs": extra_inputs(target),
    }
