import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from llm_benchmark import home
from llm_benchmark.errors import InvalidInput
from llm_benchmark.home.folder import opened
from llm_benchmark.home.progress import Phase
from llm_benchmark.measure.bundle import check
from llm_benchmark.measure.plans import Dialect
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.sdk.conftest import KEY

from . import editions as e

pytestmark = pytest.mark.sockets
SCRIPT = """
import json, sys
from pathlib import Path
from llm_benchmark import home
from tests.sdk.home import editions as e
url, key, folder = sys.argv[1:]
target = home.target(url, "slow", api_key=key, allow_local=True)
home.measure(e.quality_edition(), target, Path(folder))
"""


def measured(target, folder, model="good", edition=None, **options):
    return home.measure(edition or e.quality_edition(), target(model), folder, **options)


class TestMeasuringQuestions:
    def test_keeps_metrics_cases_and_evidence(self, target, tmp_path):
        run = measured(target, tmp_path, exchange="https://exchange.example")

        accuracy, completion = run.metrics
        assert (accuracy.name, accuracy.value, accuracy.sample_count) == ("accuracy", 0.75, e.COUNT)
        assert completion.value == 1.0
        assert [case.key for case in run.cases] == [case["key"] for case in e.CASES]
        assert sum(case.score for case in run.cases) == 30
        kept = json.loads((tmp_path / "run.json").read_text())
        assert kept["content_hash"] == e.version().content_hash
        assert kept["exchange"] == "https://exchange.example"
        report = check(tmp_path / "bundle.zip", sha256=run.bundle_sha256)
        assert (report.ok, report.problems) == (True, ())

    def test_writes_neither_address_nor_key(self, target, simulator, tmp_path):
        measured(target, tmp_path)

        for path in (tmp_path / "bundle.zip", tmp_path / "run.json"):
            content = path.read_bytes()
            assert KEY.encode() not in content
            assert simulator.host_and_port.encode() not in content

    def test_tells_how_far_it_is(self, target, tmp_path):
        told = []

        measured(target, tmp_path, watch=told.append)

        assert [told[0].phase, told[1].phase, told[-1].phase] == [
            Phase.PROBING, Phase.STARTING, Phase.KEEPING,
        ]  # fmt: skip
        done = [progress.done for progress in told if progress.phase is Phase.MEASURING]
        assert done == sorted(done)
        assert done[-1] == told[-1].planned == e.COUNT

    def test_asks_nothing_where_all_is_there(self, target, asked, tmp_path):
        first = measured(target, tmp_path)
        before = asked("good")

        assert measured(target, tmp_path) == first
        assert asked("good") == before

    def test_goes_on_after_a_kill(self, target, simulator, asked, tmp_path):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, simulator.base_url, KEY, str(tmp_path)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        wait_for_answers(tmp_path / "ledger.jsonl", 8)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        before = asked("slow")

        run = measured(target, tmp_path, "slow")

        assert asked("slow") - before < e.COUNT
        assert run.metrics[0].value == 0.75
        assert check(tmp_path / "bundle.zip").ok

    def test_keeps_what_was_answered_when_it_is_broken_off(self, target, tmp_path):
        cancel = threading.Event()

        def watch(progress):
            if progress.phase is Phase.MEASURING:
                cancel.set()

        with pytest.raises(home.Cancelled):
            measured(target, tmp_path, "slow", watch=watch, cancel=cancel)
        told = []
        measured(target, tmp_path, "slow", watch=told.append)

        assert told[0].phase is Phase.STARTING
        assert told[0].done > 0

    def test_keeps_the_evidence_of_private_cases_without_them(self, target, tmp_path):
        run = measured(target, tmp_path, edition=e.quality_edition(cases_public=False))

        evidence = (tmp_path / run.evidence).read_bytes()
        assert run.evidence == "public.zip"
        assert e.CASES[0]["prompt"].encode() not in evidence
        assert check(tmp_path / run.evidence).is_public_part


def wait_for_answers(ledger, count):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if ledger.exists() and ledger.read_bytes().count(b'"answer"') >= count:
            return
        time.sleep(0.02)
    raise AssertionError("nothing was answered")


class TestMeasuringWhatCannotBe:
    def test_names_the_models_where_the_name_is_wrong(self, target, tmp_path):
        with pytest.raises(home.NotMeasured, match="It lists: good, worse, slow, late") as refused:
            measured(target, tmp_path, "god")
        assert refused.value.code == "model_not_found"

    def test_says_that_an_endpoint_is_not_reached(self, tmp_path):
        unreached = home.target("http://127.0.0.1:9911/v1", "m", allow_local=True)

        with pytest.raises(home.NotMeasured) as refused:
            home.measure(e.quality_edition(), unreached, tmp_path)
        assert refused.value.code == "connect_failed"

    def test_says_that_the_key_is_refused(self, target, tmp_path):
        with pytest.raises(home.NotMeasured) as refused:
            home.measure(e.quality_edition(), target("good", api_key="sk-other"), tmp_path)
        assert refused.value.code == "authentication_failed"

    def test_asks_again_what_the_endpoint_left_unanswered(self, tmp_path):
        answers = e.answers_right_on(30)
        with Simulator(SimulatorConfig({"m": Behaviour(answers=answers, failure="400", every=3)})) as failing:
            endpoint = home.target(failing.base_url, "m", allow_local=True)
            with pytest.raises(home.NotMeasured, match="unanswered"):
                home.measure(e.quality_edition(), endpoint, tmp_path, dialect=Dialect())
            port = failing.ready["port"]
        with Simulator(SimulatorConfig({"m": Behaviour(answers=answers)}, port=port)) as mended:
            run = home.measure(e.quality_edition(), endpoint, tmp_path)
            again = mended.counts()["m"]["requests"]

        assert again < e.COUNT
        assert run.metrics[0].value == 0.75

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"model": "slow"}, "model"),
            ({"exchange": "https://other.example"}, "exchange"),
            ({"edition": e.quality_edition(version="1.0.1")}, "version"),
            ({"choices": {"precision": "int4"}}, "configuration.precision"),
        ],
    )
    def test_refuses_a_folder_of_another_run(self, target, tmp_path, change, field):
        measured(target, tmp_path)

        with pytest.raises(home.OtherRun) as refused:
            measured(target, tmp_path, **change)
        assert [error.field for error in refused.value.errors] == [field]

    def test_refuses_a_folder_in_use(self, target, tmp_path):
        with opened(tmp_path), pytest.raises(home.RunInUse):
            measured(target, tmp_path)

    @pytest.mark.parametrize(
        ("choices", "code"),
        [
            ({"temperature": 0.7}, "fixed_by_version"),
            ({"tools": "[]"}, "not_measurable"),
            ({"concurrency": 2}, "unknown_setting"),
        ],
    )
    def test_refuses_a_choice_that_is_none(self, target, tmp_path, choices, code):
        with pytest.raises(InvalidInput) as refused:
            measured(target, tmp_path, choices=choices)
        assert [(x.field, x.code) for x in refused.value.errors] == [(f"configuration.{min(choices)}", code)]


class TestMeasuringAPart:
    def test_asks_the_same_questions_for_the_same_seed(self, target, tmp_path):
        first, again, other = (
            measured(target, tmp_path / name, limit=5, seed=seed)
            for name, seed in (("first", 1), ("again", 1), ("other", 2))
        )

        keys = [[case.key for case in run.cases] for run in (first, again, other)]
        assert keys[0] == keys[1] != keys[2]
        assert [len(asked) for asked in keys] == [5, 5, 5]

    def test_says_so_in_the_evidence_and_is_no_claim(self, target, tmp_path):
        run = measured(target, tmp_path, limit=5)

        report = check(tmp_path / "bundle.zip", sha256=run.bundle_sha256)
        assert (report.ok, report.manifest["snapshot"]["is_full_set"]) == (True, False)
        with pytest.raises(home.NotTheFullSet):
            home.claims_of(tmp_path)

    def test_takes_a_limit_above_the_number_of_questions_for_none(self, target, tmp_path):
        run = measured(target, tmp_path, limit=e.COUNT)

        assert (run.is_full_set, len(run.cases)) == (True, e.COUNT)

    def test_is_another_run_than_the_whole(self, target, tmp_path):
        measured(target, tmp_path, limit=5)

        with pytest.raises(home.OtherRun):
            measured(target, tmp_path)

    @pytest.mark.parametrize("limit", [0, -1])
    def test_refuses_to_ask_nothing(self, target, tmp_path, limit):
        with pytest.raises(InvalidInput):
            measured(target, tmp_path, limit=limit)
