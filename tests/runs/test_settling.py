"""How a run of questions ends whose answers are together larger than memory should be."""

import json
import zipfile

import pytest
from django.db import connection

from exchange.storage import get_store
from llm_benchmark.measure.bundle import formats, members
from submissions.runs import selectors, services
from submissions.runs.models import Response
from tests.factories.endpoints import KEY
from tests.factories.runs import RunFactory, question_version

COUNT = 30
MIB = 1 << 20
BESIDE = "127.0.0.1:4711"  # nobody is asked there: all is answered
_ANSWER = """
INSERT INTO runs_response (run_id, key, text, raw, finish_reason, returned_model, error, score_error)
SELECT %s, 'q' || n, (2 * n)::text, convert_to(repeat('x', %s), 'UTF8'), 'stop', 'm', '', ''
FROM generate_series(0, %s - 1) AS n"""


@pytest.fixture
def answered(settings, tmp_path):
    """`answered(size)`: a queued run whose answers are all stored and right, each of `size` bytes."""
    settings.EGRESS_ALLOW = frozenset({BESIDE})
    settings.EVIDENCE_URL, settings.STATE_DIR = (tmp_path / "evidence").as_uri(), tmp_path

    def make(size, count=COUNT):
        run = RunFactory(
            version=question_version(count),
            deployment__endpoint__base_url=f"http://{BESIDE}/v1",
            deployment__endpoint__key=KEY,
        )
        with connection.cursor() as cursor:
            cursor.execute(_ANSWER, [run.pk, size, count])
        return run

    return make


def ended(run):
    run.refresh_from_db()
    return run.status, run.fault_side, run.fault_code


@pytest.mark.sockets
@pytest.mark.django_db(transaction=True)
def test_holds_few_answers_at_once(answered, workers):
    run = answered(2 * MIB)
    worker = workers.start("quality")

    assert worker.wait() == 0
    assert ended(run)[0] == "succeeded"
    assert run.scores.get(metric="accuracy").value == 1.0
    assert worker.grown_bytes() < COUNT * MIB


@pytest.mark.django_db
class TestSettleQuality:
    def test_keeps_all_answers_in_the_order_they_came(self, answered):
        run = answered(MIB // 4, count=9)
        services.work_once("quality")

        assert ended(run)[0] == "succeeded"
        rows = Response.objects.filter(run=run).order_by("id")
        with get_store().open(run.bundle_sha256) as file, zipfile.ZipFile(file) as archive:
            lines = archive.read("answers.jsonl").splitlines(keepends=True)
        assert [json.loads(line)["key"] for line in lines] == [row.key for row in rows]
        assert lines == [formats.line(formats.answer(answer)) for answer in selectors.stored_answers(run)]
        assert (run.returned_model, run.findings["groups"]) == ("m", [])

    def test_keeps_the_beginning_of_what_was_read(self, answered):
        run = answered(1, count=2)
        run.version.cases.update(scorer="exact_match_v1")
        Response.objects.filter(run=run, key="q1").update(text="y" * 1000)
        services.work_once("quality")

        assert run.responses.get(key="q1").parsed == "y" * 256

    def test_leaves_nothing_of_a_dead_worker(self, answered, tmp_path):
        run = answered(1, count=2)
        (tmp_path / "runs" / f"{run.pk}-1-left").mkdir(parents=True)
        services.work_once("quality")

        assert ended(run)[0] == "succeeded"
        assert list((tmp_path / "runs").iterdir()) == []

    def test_fails_by_the_provider_where_no_bundle_can_hold_them(self, answered, monkeypatch):
        monkeypatch.setattr(members, "LARGEST_MEMBER", 1000)
        run = answered(1000, count=2)
        services.work_once("quality")

        assert ended(run) == ("failed", "provider", "answers_too_large")
