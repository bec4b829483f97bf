"""What people see in a terminal of 80 columns: a real one, photographed by tmux."""

import re
import secrets
import subprocess

import pytest

from tests.e2e.people import QUESTIONS, RIGHT, until
from tests.e2e.terminals import PROGRAM
from tests.programs import require

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(180)]

WIDTH, HEIGHT = 80, 40
ESCAPE = "\x1b"
CUT = re.compile(r"\w\n\w|\d[.,]\n\d|\w\n[.,]")
PROMPT = "ready>"


class Screen:
    """A shell in a pane of tmux, on a server of its own."""

    def __init__(self, folder, env):
        self._tmux = ["tmux", "-L", f"exchange-{secrets.token_hex(4)}", "-f", "/dev/null"]
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        shell = ["env", "-i", *(f"{name}={value}" for name, value in env.items()), "bash", "--norc", "-i"]
        self._call("new-session", "-d", *size, "-s", "s", "-c", str(folder), *shell)
        until(lambda: self.text().startswith(PROMPT))

    def text(self, *, with_escapes=False):
        shown = self._call("capture-pane", "-p", *(["-e"] if with_escapes else []), "-t", "s")
        return shown.rstrip("\n")

    def type(self, line):
        self._call("send-keys", "-t", "s", "-l", line)
        self._call("send-keys", "-t", "s", "Enter")

    def run(self, line):
        """What stands on the screen when the command has ended, without what was typed."""
        self.type(f"clear; {line}")
        return until(self._ended)

    def _ended(self):
        text = self.text()
        return text.removesuffix(PROMPT).rstrip("\n") if text.endswith(f"\n{PROMPT}") else ""

    def close(self):
        self._call("kill-server")

    def _call(self, *arguments):
        command = [*self._tmux, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout


@pytest.fixture(scope="module", autouse=True)
def tmux():
    require("tmux")


@pytest.fixture(scope="module")
def claims(lab):
    return {
        "honest": lab.claim_quality("able", RIGHT)["id"],
        "inflated": lab.claim_quality("boasting", RIGHT + 10)["id"],
        "fast": lab.claim_speed("slow", 520.0)["id"],
    }


@pytest.fixture(scope="module")
def machine(stack, lab, tmp_path_factory):
    """The environment of a shell."""
    return {
        "PATH": f"{PROGRAM.parent}:/usr/bin:/bin", "HOME": str(tmp_path_factory.mktemp("machine")),
        "TERM": "xterm-256color", "LANG": "C.UTF-8", "PS1": PROMPT, "LLM_BENCHMARK_API_URL": stack.base_url,
        "LLM_BENCHMARK_TOKEN": lab.session["access_token"],
    }  # fmt: skip


@pytest.fixture
def screen(machine):
    shown = Screen(machine["HOME"], machine)
    yield shown
    shown.close()


@pytest.fixture
def colorless(machine):
    shown = Screen(machine["HOME"], {**machine, "NO_COLOR": "1"})
    yield shown
    shown.close()


def check_shape(text):
    """Nothing steers the terminal, and no full line was cut by it in the middle of a word or a number."""
    assert ESCAPE not in text
    lines = text.splitlines()
    assert lines, "the screen is empty"
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        assert len(line) <= WIDTH
        is_cut = len(line) == WIDTH and CUT.search(f"{line[-2:]}\n{following[:1]}")
        assert not is_cut, f"{line!r} goes on in {following!r}"


def test_a_list_has_its_columns_below_their_titles(screen, claims):
    text = screen.run("llm-benchmark submit list --limit 3")

    check_shape(text)
    head, _line, *lines = text.splitlines()
    rows, remark = lines[:3], [line for line in lines[3:] if line]
    assert all(line.startswith("There are more: --limit") for line in remark)
    assert all(row[head.index("Benchmark") :].startswith("lab-") for row in rows)
    assert {row.split()[0] for row in rows} == {*claims.values()}


def test_a_verdict_is_asked_for_watched_and_drawn(screen, claims):
    screen.type(f"clear; llm-benchmark verify {claims['fast']}")
    asked = until(lambda: screen.text() if "Go on? [y/N]:" in screen.text() else "")
    check_shape(asked)
    assert "requests and" in asked.replace("\n", " ")

    screen.type("y")
    watched = until(lambda: screen.text() if re.search(r"Measuring .*\d/\d", screen.text()) else "")
    check_shape(watched)

    decided = until(screen._ended)
    check_shape(decided)
    assert "Measuring" not in decided
    claimed, measured = (next(line for line in decided.splitlines() if mark in line) for mark in "◇●")
    assert set(claimed.strip()) == {"░", "◇"}
    assert set(measured.strip()) <= set("├─●┤")


def test_a_refuted_claim_says_so_in_colour_and_by_its_exit_code(screen, claims):
    text = screen.run(f"llm-benchmark verify {claims['inflated']} --yes; echo code $?")

    check_shape(text)
    assert "Refuted: claimed 80.0" in text
    assert text.endswith("code 9")
    assert ESCAPE + "[31m" in screen.text(with_escapes=True)


def test_a_board_shows_whole_numbers(screen, claims, lab):
    screen.run(f"llm-benchmark verify {claims['honest']} --yes")

    text = screen.run(f"llm-benchmark leaderboard {lab.quality['slug']}")

    check_shape(text)
    assert f"{100 * RIGHT / QUESTIONS:.1f}" in text
    assert "able" in text


def test_a_refusal_stands_on_lines_of_whole_words(screen):
    claim = "--benchmark lab-quality --deployment able --score 7 --metric speed=3"

    text = screen.run(f"llm-benchmark submit {claim}; echo code $?")

    shown = text[text.index("llm-benchmark: ") :]
    check_shape(shown)
    assert "--score: 7 does not lie between 0 and 1." in shown
    assert shown.endswith("code 2")


def test_no_colour_where_it_is_turned_off(colorless, claims):
    colorless.run(f"llm-benchmark verify --follow {claims['inflated']}")

    assert ESCAPE not in colorless.text(with_escapes=True)


def test_help_fits(screen):
    for command in ("", "submit", "verify", "proposal", "proposal create", "provider add"):
        text = screen.run(f"llm-benchmark {command} --help | cat")
        assert all(len(line) <= WIDTH for line in text.splitlines()), command
