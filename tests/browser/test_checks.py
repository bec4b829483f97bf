"""The checks themselves: a page with every fault, and what is found on it."""

import pytest

from . import chromium
from .album import Album
from .findings import AXE, CONSOLE, SIDEWAYS, Findings
from .person import Person

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(60)]

FAULTY = """<!doctype html><html lang="en"><title>Faulty</title><main><h1>Faulty</h1>
<img src="/missing.png"><p id="wide">{wide}</p><script>document.title = "ran"</script></main></html>"""


@pytest.fixture(scope="module")
def found(browser, tmp_path_factory):
    """Findings of one look at the faulty page."""
    findings = Findings()
    album = Album(tmp_path_factory.mktemp("pictures") / "album")
    person = Person(browser, "http://faulty.example", album, findings)
    headers = {"content-security-policy": "script-src 'self'"}
    person.context.route("**/*", lambda route: route.fulfill(status=404, body=""))
    page = FAULTY.format(wide="w" * 400)
    person.context.route(
        "**/faulty", lambda route: route.fulfill(body=page, content_type="text/html", headers=headers)
    )
    person.go("/faulty")
    person.look("faulty")
    person.close()
    album.write_sheet()
    return findings, album.folder


class TestChecks:
    @pytest.mark.parametrize(
        ("kind", "what"),
        [
            (AXE, "image-alt"),
            (CONSOLE, "Content Security Policy"),
            (CONSOLE, "GET answered 404"),
            (SIDEWAYS, "p#wide"),
        ],
    )
    def test_find_each_fault(self, found, kind, what):
        assert any(line.startswith(kind) and what in line for line in found[0].lines())

    def test_count_them_for_the_figures(self, found):
        assert found[0]
        assert not any(line.split()[2] == "0" for line in found[0].figures())

    def test_picture_the_page_in_four_looks(self, found):
        pictures = sorted(path.name for path in found[1].glob("*.png"))
        assert pictures == [
            "faulty.desktop.dark.png", "faulty.desktop.light.png",
            "faulty.phone.dark.png", "faulty.phone.light.png",
        ]  # fmt: skip
        assert (found[1] / "index.html").read_text().count("<img") == 4


class TestChromium:
    @pytest.mark.parametrize(
        ("user", "apt", "reason"),
        [(1000, "/usr/bin/apt-get", "only root may run apt-get"), (0, None, "apt-get is not there")],
    )
    def test_says_what_is_missing_and_never_passes_silently(self, monkeypatch, capsys, user, apt, reason):
        monkeypatch.setattr(chromium, "executable", lambda: None)
        monkeypatch.setattr(chromium.shutil, "which", lambda name: apt)
        monkeypatch.setattr(chromium.os, "geteuid", lambda: user)

        assert chromium.main() == 3
        assert f"Chromium is missing ({reason})" in capsys.readouterr().err
