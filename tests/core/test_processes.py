"""What `python -m exchange NAME` becomes."""

import json
import os
import subprocess
import sys
from itertools import pairwise

import pytest

from exchange import processes
from exchange.__main__ import prepare
from exchange.settings.environment import Environment

from .test_settings import PRODUCTION


def program(name, folder, **env):
    return processes.program(name, Environment(env), state_dir=folder)


class TestProgram:
    def test_is_one_of_the_five_of_the_design_and_one_that_ends(self, tmp_path):
        assert processes.NAMES == ("web", "grpc", "worker", "measure", "beat")
        for name in (*processes.NAMES, "migrate"):
            assert program(name, tmp_path).name == name

    def test_refuses_another(self, tmp_path):
        with pytest.raises(ValueError, match="webb is none of web, grpc"):
            program("webb", tmp_path)

    def test_gives_what_is_short_to_whichever_worker_is_not_measuring(self, tmp_path, settings):
        argvs = [program(name, tmp_path).argv for name in ("worker", "measure")]
        taken = [argv[argv.index("-Q") + 1].split(",") for argv in argvs]
        rung = {ring["task"] for ring in settings.CELERY_BEAT_SCHEDULE.values()}
        short = {task for task in rung if ".look_for_" not in task}

        assert short
        assert all(settings.CELERY_TASK_ROUTES[task]["queue"] in queues for task in short for queues in taken)

    def test_listens_where_the_environment_says(self, tmp_path):
        env = {"EXCHANGE_WEB_ADDRESS": "[::]:80", "EXCHANGE_WEB_WORKERS": "3"}
        argv = program("web", tmp_path, **env).argv
        options = dict(pairwise(argv))
        assert {options[name] for name in ("--host", "--port", "--workers")} == {"::", "80", "3"}

    def test_cuts_off_who_still_takes_an_answer_before_an_orchestrator_kills_it(self, tmp_path):
        argv = program("web", tmp_path).argv
        assert 0 < int(argv[argv.index("--workers-kill-timeout") + 1]) < 30


def started(*arguments, **env):
    argv = [sys.executable, "-m", "exchange", *arguments]
    env = {"PATH": os.environ["PATH"], **env}
    return subprocess.run(argv, env=env, cwd=processes.CHECKOUT, check=False, capture_output=True, text=True)


class TestPrepare:
    def test_makes_the_folder_of_beat(self, tmp_path, settings):
        settings.STATE_DIR = tmp_path / "new" / "state"
        prepare("beat")
        assert settings.STATE_DIR.is_dir()

    def test_is_content_with_static_files_that_are_collected(self, tmp_path, settings):
        settings.STATIC_ROOT = tmp_path
        (tmp_path / "staticfiles.json").touch()
        prepare("web")


@pytest.mark.sockets
class TestStart:
    def test_says_what_is_wrong_with_the_environment(self):
        done = started("web", EXCHANGE_WEB_ADDRESS="8000")
        assert (done.returncode, done.stderr) == (
            1,
            "EXCHANGE_WEB_ADDRESS is '8000'; it must be host:port.\n",
        )

    @pytest.mark.parametrize("name", [*processes.NAMES, "migrate"])
    def test_says_what_production_misses_before_it_is_a_server(self, name):
        done = started(name, DJANGO_SETTINGS_MODULE="exchange.settings.prod")
        assert done.returncode == 1
        assert done.stderr.startswith("Production has no default for these; set them:\n  DATABASE_URL: ")

    def test_serves_no_pages_without_their_static_files(self, tmp_path):
        (tmp_path / "uncollected.py").write_text(
            f"from exchange.settings.prod import *\nSTATIC_ROOT = {str(tmp_path)!r}\n"
        )
        uncollected = {"DJANGO_SETTINGS_MODULE": "uncollected", "PYTHONPATH": str(tmp_path)}
        done = started("web", **PRODUCTION | uncollected)
        assert done.returncode == 1
        assert "python manage.py collectstatic --no-input" in done.stderr

    def test_names_the_folder_that_beat_cannot_have(self, tmp_path):
        (tmp_path / "file").touch()
        folder = tmp_path / "file" / "state"
        done = started("beat", **PRODUCTION, EXCHANGE_STATE_DIR=str(folder))
        assert (done.returncode, done.stderr) == (
            1, f"EXCHANGE_STATE_DIR: [Errno 20] Not a directory: '{folder}'\n",
        )  # fmt: skip

    def test_says_in_a_line_of_the_log_that_the_database_cannot_be_reached(self):
        done = started("migrate", **PRODUCTION)
        (line,) = map(json.loads, done.stderr.splitlines())
        assert done.returncode == 1
        assert line["message"].startswith("The database cannot be reached: connection failed: ")
        assert "exception" not in line

    def test_hands_an_operators_command_its_arguments(self):
        done = started("manage", "collectstatic", "--help", DJANGO_SETTINGS_MODULE="exchange.settings.build")
        assert done.stdout.startswith("usage: manage.py collectstatic")

    def test_refuses_what_a_process_would_not_read(self):
        done = started("web", "--port", "1")
        assert (done.returncode, done.stderr.splitlines()[-1]) == (
            2, "python -m exchange: error: web takes nothing behind it.",
        )  # fmt: skip
