import json
import zipfile
from functools import partial
from pathlib import Path

import pytest

from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry
from exchange.storage import get_store
from llm_benchmark.measure import bundle
from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.verdict import QualityPolicy
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.endpoints.models import Endpoint
from submissions.runs import errors, planning, selectors, services
from submissions.runs.ledger import RunLedger
from submissions.runs.models import Run
from tests.factories.endpoints import KEY, DeploymentFactory
from tests.factories.runs import RunFactory, load_version, question_version, right_answers, run_at
from tests.factories.submissions import case_results, make_submission, make_verification, question_benchmark

COUNT = 5


class TestCreateRun:
    pytestmark = pytest.mark.django_db

    @pytest.fixture
    def form(self):
        deployment = DeploymentFactory()
        return {
            "deployment": deployment,
            "version": question_version(),
            "seed": 1,
            "snapshot": {"configuration": {}},
            "fingerprint": "0" * 64,
            "request_bound": 6,
            "token_bound": 100,
            "planned_count": 5,
        }

    def test_queues_it_for_the_deployments_endpoint(self, form, actor_of):
        run = services.create_run(actor=actor_of(form["deployment"].organization, role="member"), **form)

        assert (run.status, run.kind, run.endpoint_id) == (
            "queued",
            "quality",
            form["deployment"].endpoint_id,
        )
        assert AuditEntry.objects.get(kind="run.queued").subject_id == run.pk

    def test_refuses_another_organizations_deployment(self, form, actor_of):
        from exchange.accounts.errors import NotYourOrganization

        with pytest.raises(NotYourOrganization):
            services.create_run(actor=actor_of(), **form)
        assert not Run.objects.exists()


class TestCancelRun:
    pytestmark = pytest.mark.django_db

    def test_ends_a_queued_run_at_once(self, actor_of):
        run = RunFactory()
        services.cancel_run(actor=actor_of(run.organization), run_id=run.pk)

        run.refresh_from_db()
        assert (run.status, AuditEntry.objects.filter(kind="run.cancelled").count()) == ("cancelled", 1)

    def test_asks_a_running_run_to_stop(self, actor_of):
        run = RunFactory(status="running")
        services.cancel_run(actor=actor_of(run.organization), run_id=run.pk)

        run.refresh_from_db()
        assert (run.status, run.cancel_requested_at is not None) == ("running", True)

    @pytest.mark.parametrize("status", ["succeeded", "failed", "cancelled", "dead"])
    def test_leaves_a_run_that_has_ended(self, status, actor_of):
        run = RunFactory(status=status)

        assert services.cancel_run(actor=actor_of(run.organization), run_id=run.pk).status == status

    def test_hides_a_foreign_run(self, actor_of):
        with pytest.raises(errors.RunNotFound):
            services.cancel_run(actor=actor_of(), run_id=RunFactory().pk)

    def test_refuses_a_viewer(self, actor_of):
        from exchange.accounts.errors import NotYourOrganization

        run = RunFactory()
        with pytest.raises(NotYourOrganization):
            services.cancel_run(actor=actor_of(run.organization, role="viewer"), run_id=run.pk)


class TestPlanning:
    pytestmark = pytest.mark.django_db

    def test_lets_the_version_win_over_the_submitter(self):
        run = RunFactory(snapshot={"configuration": {"temperature": 0.9, "top_p": 0.5}})

        generation = planning.quality_plan(run).generation
        assert (generation.temperature, generation.top_p, generation.max_tokens) == (0.0, 0.5, 16)

    def test_stops_a_fifth_above_the_bound_and_counts_all_that_left_us(self):
        run = RunFactory(request_bound=10, token_bound=1000)
        told = {"input_tokens": 7, "output_tokens": 3}
        run.attempts.create(fence=1, purpose="canary", key="canary", number=1, status="settled", **told)
        run.attempts.create(fence=1, purpose="question", key="q0", number=1, status="settled", **told)
        run.attempts.create(fence=1, purpose="question", key="q1", number=1, status="lost")
        run.attempts.create(fence=1, purpose="question", key="q2", number=1, status="sent")
        run.attempts.create(fence=1, purpose="question", key="q3", number=1, status="released")

        plan = planning.quality_plan(run)
        untold = len("What is 1 plus 1?") + 64 + 16
        assert (plan.request_bound, plan.token_bound) == (12 - 4, 1200 - 2 * 10 - 2 * untold)

    @pytest.mark.parametrize(("max_tokens", "streaming"), [(1024, False), (1025, True)])
    def test_asks_for_streams_where_answers_may_be_long(self, max_tokens, streaming):
        version = question_version(max_tokens=max_tokens)
        snapshot = planning.snapshot_of(version, configuration={}, dialect={}, served_name="m")

        plan = planning.quality_plan(RunFactory(version=version, snapshot=snapshot))
        assert (snapshot["streaming"], plan.streaming) == (streaming, streaming)
        assert snapshot["retry_policy"] == plan.retry_policy == "question-v1"

    @pytest.mark.parametrize("seed", [None, 3])
    def test_gives_each_question_a_seed_where_the_version_has_one(self, seed):
        version = question_version(seed=seed)
        snapshot = planning.snapshot_of(version, configuration={}, dialect={}, served_name="m")

        plan = planning.quality_plan(RunFactory(version=version, snapshot=snapshot))
        found = {question.seed for question in plan.questions}
        assert snapshot["seeds"] == (seed is not None)
        assert found == {None} if seed is None else len(found - {None}) == 5

    def test_takes_the_load_profile_as_it_is(self):
        run = RunFactory(version=load_version(requests=9), planned_count=9, seed=2**40 + 3, request_bound=12)

        plan = planning.performance_plan(run)
        assert (plan.requests, plan.warmup_requests, plan.seed, plan.request_bound) == (9, 2, 3, 14)


@pytest.fixture(scope="module")
def simulator():
    models = {
        "right": Behaviour(answers=right_answers(COUNT)),
        "wrong": Behaviour(answers={}, output_tokens=3),
        "refusing": Behaviour(failure="401"),
        "broken": Behaviour(failure="500", retry_after=None),
        "slow": Behaviour(ttft_ms=20_000),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture
def run_on(simulator, settings, tmp_path):
    settings.EGRESS_ALLOW = frozenset({simulator.host_and_port})
    settings.EVIDENCE_URL, settings.STATE_DIR = (tmp_path / "evidence").as_uri(), tmp_path
    return partial(run_at, simulator)


@pytest.mark.sockets
@pytest.mark.django_db
class TestWork:
    def test_goes_on_until_nothing_is_left_and_takes_up_what_was_abandoned(self, run_on):
        first = run_on("right")
        second = RunFactory(deployment=first.deployment)
        abandoned = RunFactory(
            deployment__endpoint__base_url=first.endpoint.base_url,
            deployment__endpoint__key=KEY,
            deployment__served_name="right",
            status="running",
            lease_until=first.created_at,
        )

        services.work("quality")

        ended = Run.objects.filter(pk__in=[first.pk, second.pk, abandoned.pk], status="succeeded")
        assert ended.count() == 3


@pytest.mark.sockets
@pytest.mark.django_db
class TestWorkOnce:
    def test_says_when_there_is_nothing_to_do(self):
        assert services.work_once("quality") is False

    def test_measures_scores_and_tells(self, run_on):
        run = run_on("right")

        assert services.work_once("quality") is True

        run.refresh_from_db()
        assert (run.status, run.done_count, run.returned_model) == ("succeeded", COUNT, "right")
        accuracy = run.scores.get(metric="accuracy")
        assert (accuracy.value, accuracy.sample_count, accuracy.scorer_version) == (1.0, COUNT, "numeric_v1")
        assert set(run.responses.values_list("score", "score_error")) == {(1.0, "")}
        assert run.responses.get(key="q2").parsed == "4"
        assert AuditEntry.objects.filter(kind="run.succeeded").count() == 1

    def test_asks_each_question_once_and_settles_every_attempt(self, run_on, simulator):
        run = run_on("right")
        before = simulator.counts()["right"]["requests"]
        services.work_once("quality")

        counts = selectors.attempt_counts(run)
        assert simulator.counts()["right"]["requests"] - before == COUNT + 1
        assert counts == {"attempt_count": COUNT + 1, "requests_settled": COUNT + 1, "requests_lost": 0}

    def test_scores_each_group_of_cases(self, run_on):
        run = run_on("right", version=question_version(COUNT, groups=("even", "odd")))
        services.work_once("quality")

        run.refresh_from_db()
        found = [(group["group"], group["sample_count"], group["accuracy"]) for group in run.groups]
        assert found == [("even", 3, 1.0), ("odd", 2, 1.0)]

    def test_scores_wrong_answers_as_wrong(self, run_on):
        run = run_on("wrong")
        services.work_once("quality")

        assert run.scores.get(metric="accuracy").value == 0.0

    def test_fails_for_good_when_the_key_is_refused(self, run_on):
        run = run_on("refusing")
        services.work_once("quality")

        run.refresh_from_db()
        assert (run.status, run.fault_side, run.fault_code) == (
            "failed",
            "submitter",
            "authentication_failed",
        )
        assert not run.scores.exists()

    def test_tries_a_broken_provider_once_more(self, run_on, settings):
        settings.RUN_LEASE_SECONDS = 4
        run = run_on("broken")
        services.work_once("quality")
        run.refresh_from_db()
        assert (run.status, run.failed_attempts) == ("queued", 1)
        Run.objects.filter(pk=run.pk).update(not_before=run.created_at)
        services.work_once("quality")

        run.refresh_from_db()
        assert (run.status, run.fault_side) == ("failed", "provider")

    def test_blames_the_platform_for_its_own_bugs(self, run_on, monkeypatch):
        run = run_on("right")
        monkeypatch.setattr(planning, "quality_plan", lambda run: 1 / 0)
        services.work_once("quality")

        run.refresh_from_db()
        assert (run.status, run.failed_attempts) == ("queued", 1)

    def test_stops_a_fifth_above_the_bound_and_never_tries_again(self, run_on, simulator):
        run = run_on("right", request_bound=2)
        before = simulator.counts()["right"]["requests"]
        services.work_once("quality")

        run.refresh_from_db()
        assert (run.status, run.fault_code) == ("failed", "request_bound_reached")
        assert simulator.counts()["right"]["requests"] - before == 2

    def test_refuses_an_address_that_is_not_allowed_any_more(self, run_on, settings):
        run = run_on("right")
        settings.EGRESS_ALLOW = frozenset()
        services.work_once("quality")

        run.refresh_from_db()
        assert (run.status, run.fault_side, run.fault_code) == ("failed", "submitter", "address_not_public")

    def test_stops_at_a_cancellation_and_settles_what_was_sent(self, run_on, monkeypatch):
        run = run_on("slow")
        beat = RunLedger.heartbeat

        def cancelled(ledger):
            if run.attempts.filter(status="sent").exists():
                Run.objects.filter(pk=run.pk).update(cancel_requested_at=run.created_at)
            return beat(ledger)

        monkeypatch.setattr(RunLedger, "heartbeat", cancelled)
        services.work_once("quality")

        run.refresh_from_db()
        assert run.status == "cancelled"
        assert set(run.attempts.values_list("status", flat=True)) <= {"lost", "released", "settled"}

    def test_goes_on_where_a_dead_worker_stopped(self, run_on, simulator):
        run = run_on("right")
        run.responses.create(key="q1", text="2", raw=b"{}", http_status=200)
        before = simulator.counts()["right"]["requests"]
        services.work_once("quality")

        run.refresh_from_db()
        assert (run.status, run.done_count) == ("succeeded", COUNT)
        assert simulator.counts()["right"]["requests"] - before == COUNT  # 4 questions and the canary

    def test_decides_the_verification_that_asked_for_it(self, run_on):
        deployment = run_on("right", status="cancelled").deployment
        benchmark = question_benchmark(COUNT)
        submission = make_submission(
            organization=deployment.organization,
            deployment=deployment,
            benchmark=benchmark,
            claims=[{"name": "accuracy", "value": 1.0, "sample_count": None}],
            cases=case_results(COUNT, COUNT),
        )
        verification = make_verification(submission)

        services.work_once("quality")

        verification.refresh_from_db()
        assert (verification.status, verification.verdict) == ("decided", "consistent")
        with get_store().open(verification.runs.get().bundle_sha256) as file:
            report = bundle.check(Path(file.name))
        assert report.verdict["verdict"] == "consistent"


@pytest.mark.sockets
@pytest.mark.django_db
class TestBundle:
    @pytest.fixture
    def checked(self, run_on, tmp_path):
        def measure(**fields):
            run = run_on("right", **fields)
            services.work_once("quality")
            run.refresh_from_db()
            path = tmp_path / "bundle.zip"
            with get_store().open(run.bundle_sha256) as file:
                path.write_bytes(file.read())
            return run, path, bundle.check(path, sha256=run.bundle_sha256)

        return measure

    def test_checks_and_carries_the_runs_fingerprint(self, checked):
        run, path, report = checked()

        assert report.ok, report.problems
        assert report.manifest["fingerprint"] == run.fingerprint
        assert path.stat().st_size == run.bundle_size_bytes

    def test_names_neither_url_nor_key(self, checked):
        run, path, _report = checked()
        origin = Endpoint.objects.get(pk=run.endpoint_id).base_url.partition("//")[2].partition("/")[0]

        assert origin.encode() not in path.read_bytes()
        assert KEY.encode() not in path.read_bytes()

    def test_hides_prompts_and_answers_from_the_public(self, checked):
        run, _path, _report = checked()
        file = selectors.open_bundle(actor=SYSTEM, run_id=run.pk).content

        with file, zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
        assert "scores.json" in names
        assert not names & {"cases.jsonl", "answers.jsonl", "journal.jsonl"}

    def test_holds_a_verdict_where_this_run_alone_decides(self, checked):
        policy = formats.policy(QualityPolicy())
        claim = {"metrics": {"accuracy": 1.0}, "cases": None, "case_count": None}
        _run, _path, report = checked(judgement_basis={"claim": claim, "policy": policy})

        assert report.ok, report.problems
        assert report.verdict["verdict"] == "consistent"

    def test_lists_every_attempt(self, checked):
        run, path, _report = checked()

        with zipfile.ZipFile(path) as archive:
            lines = [json.loads(line) for line in archive.read("journal.jsonl").splitlines()]
        assert len(lines) == run.attempts.count()
        assert {line["status"] for line in lines} == {"settled"}


@pytest.mark.sockets
@pytest.mark.django_db
def test_no_run_leaves_a_folder_behind(run_on, tmp_path):
    run_on("right")
    services.work_once("quality")

    assert list(Path(tmp_path / "runs").iterdir()) == []
