"""What people install: the wheel, alone in a clean environment."""

import json
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from .document import example, schemas

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(120)]

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
# What four direct needs bring along.
INSTALLED = {
    "anyio", "certifi", "click", "h11", "httpcore", "httpx", "idna", "llm-benchmark-exchange",
    "markdown-it-py", "mdurl", "msgspec", "pygments", "rich", "typing-extensions",
}  # fmt: skip
BENCHMARK = {**example(schemas()["Benchmark"]), "slug": "arithmetic", "name": "Arithmetic"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    source = shutil.copytree(
        ROOT / "sdk", folder / "sdk", ignore=shutil.ignore_patterns("*.egg-info", "build", "__pycache__")
    )
    run(UV, "build", "--wheel", "--no-build-isolation", "--python", sys.executable, "-o", folder, source)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel, tmp_path_factory):
    """Of an environment with the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    run(UV, "venv", "--python", sys.executable, folder)
    run(UV, "pip", "install", "--python", folder / "bin" / "python", wheel)
    return folder / "bin"


@pytest.fixture(scope="module")
def exchange():
    """An exchange with one benchmark: its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(BENCHMARK).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def run(*command, **options):
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def program(bin_folder, tmp_path):
    """`program("--version")`: exit code, output and errors, away from the checkout and from settings."""

    def call(*arguments):
        env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            [bin_folder / "llm-benchmark", *arguments],
            cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    return call


class TestTheWheel:
    def test_holds_the_package_and_nothing_else(self, wheel):
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()

        assert {name.split("/")[0] for name in names} == {
            "llm_benchmark", "llm_benchmark_exchange-0.1.0.dist-info",
        }  # fmt: skip
        assert not [name for name in names if re.search(r"test_|conftest|\.pyc$|/tests?/", name)]

    def test_holds_all_that_is_read(self, wheel):
        """Code, the marker of typed packages, and data."""
        kept = {
            path.relative_to(ROOT / "sdk").as_posix()
            for path in (ROOT / "sdk" / "llm_benchmark").rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }

        with zipfile.ZipFile(wheel) as archive:
            assert kept <= set(archive.namelist())

    def test_needs_little(self, bin_folder):
        listed = run(UV, "pip", "list", "--format", "json", "--python", bin_folder / "python")

        assert {found["name"] for found in json.loads(listed)} == INSTALLED

    def test_is_told_by_its_readme(self, wheel):
        with zipfile.ZipFile(wheel) as archive:
            metadata = archive.read("llm_benchmark_exchange-0.1.0.dist-info/METADATA").decode()

        assert 'pip install "llm-benchmark-exchange' in metadata
        assert "License-Expression: MIT" in metadata


class TestTheInstalledProgram:
    def test_says_its_version(self, program):
        code, output, _errors = program("--version")

        assert code == 0
        assert "0.1.0" in output

    def test_says_what_it_can(self, program):
        code, output, _errors = program("--help")

        assert code == 0
        assert "leaderboard" in output

    @pytest.mark.parametrize(
        ("command", "extra"), [(["simulate"], "measure"), (["serve-model"], "serve"), (["mcp"], "mcp")]
    )
    def test_says_what_to_install_for_more(self, program, command, extra):
        code, _output, errors = program(*command)

        assert code == 10
        assert f'pip install "llm-benchmark-exchange[{extra}]"' in errors

    def test_asks_an_exchange(self, program, exchange):
        code, output, _errors = program("--api-url", exchange, "-o", "json", "benchmark", "get", "arithmetic")

        assert code == 0
        assert json.loads(output)["name"] == "Arithmetic"


class TestTheInstalledPackage:
    def test_asks_an_exchange(self, bin_folder, exchange, tmp_path):
        code = f"""if True:
            from llm_benchmark import Client
            with Client({exchange!r}) as client:
                print(client.benchmarks.get("arithmetic").name)
        """

        assert run(bin_folder / "python", "-I", "-c", code, cwd=tmp_path) == "Arithmetic\n"

    def test_needs_no_extra_for_the_client_and_the_commands(self, bin_folder, tmp_path):
        code = """if True:
            import importlib, pkgutil
            from llm_benchmark import cli, models, services
            for package in (cli, models, services):
                for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                    if found.name != "llm_benchmark.cli.__main__":
                        importlib.import_module(found.name)
        """

        run(bin_folder / "python", "-I", "-c", code, cwd=tmp_path)


class TestWhatWeTellPeopleToInstall:
    def test_is_our_distribution(self):
        """`llm-benchmark` alone is another project on the package index."""
        texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "sdk").rglob("*.md")]
        texts += (ROOT / "sdk").rglob("*.py")

        wrong = re.compile(r"""(?:install(?:\s+-\S+)*|uvx|pipx run)\s+["']?llm-benchmark(?!-exchange)""")
        assert [found[0] for text in texts for found in wrong.finditer(text.read_text())] == []
