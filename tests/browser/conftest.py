"""One running system, one browser, and what they find. Run by `make browser`, and only when asked.

What drives the browser is imported inside fixtures: `make test` has not installed it.
"""

from contextlib import ExitStack
from pathlib import Path

import pytest

from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.e2e.conftest import provider, running_stack
from tests.e2e.people import KEY, RIGHT, Lab

HERE = Path(__file__).parent
FINDINGS, ALBUM = pytest.StashKey(), pytest.StashKey()
# A vote lasts as long as its part of a journey takes on a slow machine.
VOTING_SECONDS = 40
SETTINGS = {
    # least, usual, most
    "EXCHANGE_GOVERNANCE_VOTING_SECONDS": f"1,{VOTING_SECONDS},86400",
    "EXCHANGE_GOVERNANCE_TIMELOCK_SECONDS": "1,3,86400",
    "EXCHANGE_GOVERNANCE_EXPIRY_SECONDS": "60,3600,86400",
}


def pytest_ignore_collect(collection_path, config):
    """Leave the browser out unless a path on the command line names it."""
    asked = (Path(argument.split("::")[0]).absolute() for argument in config.args)
    return None if any(path.is_relative_to(HERE) for path in asked) else True


@pytest.fixture(scope="session")
def findings(request):
    from .findings import Findings

    request.config.stash[FINDINGS] = found = Findings()
    return found


@pytest.fixture(scope="session")
def album(request):
    from .album import Album

    request.config.stash[ALBUM] = pictures = Album()
    yield pictures
    pictures.write_sheet()


@pytest.fixture(scope="session")
def simulator():
    with provider() as running:
        yield running


@pytest.fixture(scope="session")
def mixed():
    """A provider whose models behave each in its own way."""
    models = {
        "broken": Behaviour(failure="bad_json"),
        "embed-text": Behaviour(kind="embedding"),
        "flaky": Behaviour(failure="503", fail_first=1, retry_after="0"),
        "gone": Behaviour(failure="404"),
        "guard": Behaviour(),
        "slow": Behaviour(ttft_ms=1500, itl_ms=1),
        "steady": Behaviour(ttft_ms=20, itl_ms=2),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture(scope="session")
def stack(simulator, mixed):
    allowed = {"EXCHANGE_EGRESS_ALLOW": f"{simulator.host_and_port},{mixed.host_and_port}"}
    with running_stack(simulator, **SETTINGS, **allowed) as running:
        yield running


@pytest.fixture(scope="session")
def lab(stack, simulator):
    """A laboratory with two boards: a claim that holds, one that does not, one that waits."""
    with Lab(stack, simulator) as ready:
        asked = [
            ready.request_over_rest(ready.claim_quality("able", RIGHT)),
            ready.request_over_rest(ready.claim_quality("boasting", RIGHT + 10)),
            ready.request_over_rest(ready.claim_speed("chatty", 36.0)),
        ]
        ready.claim_quality("chatty", RIGHT)
        for verification in asked:
            assert ready.ended(verification)["status"] == "decided"
        yield ready


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    from .chromium import executable

    with sync_playwright() as playwright:
        quiet = ["--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        running = playwright.chromium.launch(executable_path=executable(), args=quiet)
        yield running
        running.close()


@pytest.fixture(scope="session")
def people(browser, stack, album, findings):
    """`people(javascript=True)`: somebody new with a browser."""
    from .person import Person

    with ExitStack() as life:

        def make(**options):
            person = Person(browser, stack.base_url, album, findings, **options)
            life.callback(person.close)
            return person

        yield make


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if session.config.stash.get(FINDINGS, None):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    findings, album = config.stash.get(FINDINGS, None), config.stash.get(ALBUM, None)
    if findings is None:
        return
    terminalreporter.section("pages")
    for line in [*findings.lines(), f"{len(findings.pages)} pages looked at", *findings.figures()]:
        terminalreporter.write_line(line)
    if album:
        terminalreporter.write_line(f"Pictures: {album.folder / 'index.html'}")
