import urllib.error
import urllib.request

import pytest

from exchange.embedded.ports import free_port

from .processes import PATIENCE_SECONDS, Process

MIB = 1024 * 1024
WORKERS = 2  # Granian does not hear SIGTERM for one that is only beginning


class Web(Process):
    """The web process, from answering on."""

    def __init__(self, folder, *, env=None, **settings):
        self.port = free_port()
        env = {"EXCHANGE_WEB_ADDRESS": f"127.0.0.1:{self.port}", **(env or {})}
        super().__init__("web", folder, env=env, **settings)
        self.until(lambda: self.log.read_text().count(" runtime-1") == WORKERS and self.answers())

    def answers(self):
        try:
            return self.get("/live").status == 200
        except OSError:
            return False

    def get(self, path, **headers):
        url = f"http://127.0.0.1:{self.port}{path}"
        asked = urllib.request.Request(url, headers=headers)
        try:
            return urllib.request.urlopen(asked, timeout=PATIENCE_SECONDS)
        except urllib.error.HTTPError as refused:
            return refused


@pytest.fixture(scope="package")
def plain(django_db_setup, tmp_path_factory):
    """A running web process that many tests ask, with small bounds of what is large."""
    bounds = {"EVIDENCE_LARGEST_BYTES": 4 * MIB, "DATA_UPLOAD_MAX_MEMORY_SIZE": MIB}
    folder = tmp_path_factory.mktemp("plain")
    with Web(folder, EVIDENCE_URL=(folder / "evidence").as_uri(), **bounds) as process:
        yield process


@pytest.fixture
def web(tmp_path, transactional_db):
    """`web(REQUESTS_A_MINUTE=5)`: a running web process with these settings."""
    started = []

    def start(**settings):
        started.append(Web(tmp_path, **settings))
        return started[-1]

    yield start
    for process in started:
        process.__exit__()
