import json

import pytest

from benchmarks.installing import install_demo_benchmarks
from submissions.models import Submission
from tests.factories.accounts import MembershipFactory
from tests.factories.benchmarks import active_benchmark, case
from tests.sdk.conftest import KEY
from tests.sdk.home import editions as e

pytestmark = [pytest.mark.django_db, pytest.mark.sockets]


@pytest.fixture
def sums():
    """The cases that the simulator's "good" model gets right on 30 of 40."""
    cases = [case(**{**one, "key": one["key"]}) for one in e.CASES]
    return active_benchmark(test_cases=cases, cases_public=True, generation=e.GENERATION)


@pytest.fixture
def measure(call, exchange, simulator, monkeypatch, tmp_path):
    """`measure("sums", …)`: `run` on the simulator, into one folder."""
    monkeypatch.setenv("SIMULATOR_KEY", KEY)

    def run(slug, *more, command=call, model="good", local=("--allow-local",)):
        endpoint = ("--url", simulator.base_url, "-m", model, "--key-env", "SIMULATOR_KEY", *local)
        http = {"http": exchange} if command is call else {}
        return command("run", slug, *endpoint, "--out", tmp_path / "run", *more, **http)

    return run


class TestRun:
    def test_shows_the_metrics_and_how_to_submit_them(self, measure, sums, tmp_path):
        ended = measure(sums.slug, "-o", "table")

        assert ended.code == 0, ended.err
        assert "75.0\u00a0%" in ended.out
        assert f"llm-benchmark submit --from-run {tmp_path / 'run'}" in ended.out.replace("\n", "")
        assert "Measuring" in ended.err
        assert KEY not in ended.out + ended.err

    def test_gives_programs_the_kept_run(self, measure, sums, tmp_path):
        ended = measure(sums.slug, "-o", "json")

        assert ended.json["metrics"][0]["value"] == 0.75
        assert ended.json["directory"] == str(tmp_path / "run")

    def test_measures_every_shipped_version_as_the_api_shows_it(self, measure):
        install_demo_benchmarks()

        ended = measure("demo-general@1.0.0")

        assert ended.code == 0, ended.err
        assert [row["name"] for row in ended.rows] == ["accuracy", "completion_rate"]

    def test_is_what_submit_sends(self, measure, sums, exchange_as, tmp_path):
        member = MembershipFactory(role="member")
        program = exchange_as(member.user)
        assert measure(sums.slug, command=program).code == 0

        ended = program("submit", "--from-run", tmp_path / "run", "--publisher", "acme", "-o", "json")

        assert ended.code == 0, ended.err
        submission = Submission.objects.get()
        assert submission.claims.get(name="accuracy").value == 0.75
        assert submission.cases.count() == e.COUNT
        assert submission.evidence.get().name == "bundle.zip"

    def test_looks_at_a_part_that_cannot_be_submitted(self, measure, sums, exchange_as, tmp_path):
        looked = measure(sums.slug, "--limit", "5", "--seed", "1", "-o", "json")

        assert (looked.json["is_full_set"], len(looked.json["cases"])) == (False, 5)
        member = MembershipFactory(role="member")
        sent = exchange_as(member.user)("submit", "--from-run", tmp_path / "run", "--model", "Acme/Chat")
        assert "a claim is about all" in sent.err
        assert not Submission.objects.exists()

    def test_shows_each_group_of_cases(self, measure):
        cases = [case(**{**one, "group": "even" if n % 2 else "odd"}) for n, one in enumerate(e.CASES)]
        grouped = active_benchmark(test_cases=cases, cases_public=True, generation=e.GENERATION)

        ended = measure(grouped.slug, "-o", "table")

        assert "Of answered" in ended.out
        assert "even" in ended.out

    def test_refuses_private_cases_and_takes_them_from_a_file(self, measure, tmp_path):
        benchmark = active_benchmark(test_cases=e.CASES, cases_public=False, generation=e.GENERATION)
        refused = measure(benchmark.slug)
        path = tmp_path / "cases.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in e.CASES))

        ended = measure(benchmark.slug, "--cases", path)

        assert refused.code == 4
        assert "are not public" in refused.err
        assert ended.code == 0, ended.err
        assert (tmp_path / "run" / "public.zip").exists()

    def test_refuses_a_local_address_that_is_not_allowed(self, measure, sums):
        ended = measure(sums.slug, local=())

        assert ended.code == 2
        assert "--allow-local" in ended.err

    def test_names_the_models_that_there_are(self, measure, sums):
        ended = measure(sums.slug, model="god")

        assert ended.code == 1
        assert "It lists: good, worse, slow, late" in ended.err

    @pytest.mark.parametrize(
        ("text", "words"), [("temperature=0.7", "fixes temperature"), ("precision", "NAME=VALUE")]
    )
    def test_refuses_a_setting_that_is_none(self, measure, sums, text, words):
        ended = measure(sums.slug, "--set", text)

        assert ended.code == 2
        assert words in ended.err

    def test_says_which_extra_is_missing(self, measure, sums, monkeypatch):
        monkeypatch.setattr("llm_benchmark.cli.measuring.at_home.find_spec", lambda _name: None)

        ended = measure(sums.slug)

        assert ended.code == 10
        assert 'pip install "llm-benchmark-exchange[measure]"' in ended.err
