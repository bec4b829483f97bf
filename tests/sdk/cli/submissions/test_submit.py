import hashlib
import json

import httpx
import pytest

from exchange.core.actors import OrganizationRole
from llm_benchmark.errors import NotReached, TimedOut
from submissions.models import Evidence, Submission
from tests.factories.accounts import MembershipFactory
from tests.factories.endpoints import DeploymentFactory, EndpointFactory, LanguageModelFactory
from tests.factories.submissions import load_benchmark, make_submission, question_benchmark

pytestmark = pytest.mark.django_db
PLANNED = 10


@pytest.fixture(autouse=True)
def evidence_folder(settings, tmp_path):
    settings.EVIDENCE_URL = (tmp_path / "evidence").as_uri()


@pytest.fixture
def membership():
    return MembershipFactory(role=OrganizationRole.MEMBER)


@pytest.fixture
def program(exchange_as, membership):
    return exchange_as(membership.user)


@pytest.fixture
def benchmark():
    return question_benchmark()


@pytest.fixture
def able(membership):
    """What the organization serves under the name `able`."""
    endpoint = EndpointFactory(organization=membership.organization)
    model = LanguageModelFactory(publisher="acme", name="acme-able")
    return DeploymentFactory(endpoint=endpoint, model=model, served_name="able")


@pytest.fixture
def results(tmp_path):
    """`results(8)`: a file in which so many of the questions are right."""

    def write(right, *, count=PLANNED, name="results.jsonl", **changed):
        rows = [{"key": f"q{n}", "score": float(n < right)} for n in range(count)]
        for at, row in changed.items():
            rows[int(at.removeprefix("row"))] |= row
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return write


class TestSubmit:
    def test_takes_the_older_form_as_it_was_typed(self, program, benchmark):
        ended = program(
            "submit", "--benchmark", benchmark.slug, "--model", "acme/acme-large", "--version", "2",
            "--score", "0.8", "-o", "json",
        )  # fmt: skip

        assert ended.code == 0, ended.err
        assert ended.json["claims"] == [{"name": "accuracy", "value": 0.8, "sample_count": None}]
        assert (ended.json["model_publisher"], ended.json["model_version"]) == ("acme", "2")
        assert ended.json["version"] == "1.0.0"

    @pytest.mark.parametrize("score", ["0.8", "80%", "80 %"])
    def test_reads_a_share_also_in_percent(self, program, benchmark, score):
        ended = program("submit", "-b", benchmark.slug, "-m", "acme/large", "--score", score, "-o", "json")

        assert ended.json["claims"][0]["value"] == 0.8

    def test_claims_each_metric_that_is_named(self, program):
        load = load_benchmark()
        metrics = ("--metric", "ttft_p50=40", "--metric", "request_latency_p50=200")

        ended = program(
            "submit", "-b", load.slug, "-m", "acme/large", *metrics, "--sample-count", 20, "-o", "json"
        )

        assert ended.code == 0, ended.err
        assert {claim["name"]: claim["value"] for claim in ended.json["claims"]} == {
            "ttft_p50": 40.0,
            "request_latency_p50": 200.0,
        }

    @pytest.mark.parametrize("named", ["able", "acme/acme-able", "acme-able"])
    def test_attaches_the_deployment_of_a_model_that_the_organization_serves(
        self, program, benchmark, able, named
    ):
        ended = program("submit", "-b", benchmark.slug, "-m", named, "--score", "0.8", "-o", "json")

        assert ended.json["deployment_id"] == str(able.pk)

    def test_leaves_the_deployment_out_when_told_to(self, program, benchmark, able):
        ended = program(
            "submit", "-b", benchmark.slug, "-m", "acme/acme-able", "--score", "0.8", "--no-deployment",
            "-o", "json",
        )  # fmt: skip

        assert (ended.json["deployment_id"], ended.json["model_name"]) == (None, "acme-able")

    def test_takes_a_deployment_by_the_name_it_is_served_as(self, program, benchmark, able):
        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "0.8", "-o", "json"
        )

        assert ended.json["deployment_id"] == str(able.pk)

    def test_finds_the_publisher_of_a_known_model(self, program, benchmark):
        make_submission(benchmark=benchmark, deployment=None)

        ended = program(
            "submit", "-b", benchmark.slug, "-m", "acme-large", "-V", "1", "--score", "0.8", "-o", "json"
        )

        assert ended.json["model_publisher"] == "acme"

    def test_asks_who_published_a_model_that_nobody_knows(self, program, benchmark):
        ended = program("submit", "-b", benchmark.slug, "-m", "unheard-of", "--score", "0.8")

        assert (ended.code, Submission.objects.count()) == (2, 0)
        assert "PUBLISHER/unheard-of" in ended.err

    def test_keeps_what_a_file_says_where_no_option_says_otherwise(
        self, program, benchmark, able, results, tmp_path
    ):
        results(8)
        claim = tmp_path / "claim.toml"
        claim.write_text(
            f'benchmark = "{benchmark.slug}"\ndeployment = "able"\ncases = "results.jsonl"\n'
            'notes = "from the file"\nvisibility = "unlisted"\n'
            '[[claims]]\nname = "accuracy"\nvalue = 0.8\nsample_count = 10\n'
        )

        ended = program("submit", "--file", claim, "--visibility", "private", "-o", "json")

        assert ended.code == 0, ended.err
        assert (ended.json["visibility"], ended.json["notes"]) == ("private", "from the file")
        assert (ended.json["case_count"], ended.json["deployment_id"]) == (PLANNED, str(able.pk))

    @pytest.mark.parametrize(
        "line", ["claims = 3", "organization = 3", "model = 3", "benchmark = 3", "notes = 3"]
    )
    def test_refuses_a_file_of_other_things_in_words(self, program, benchmark, tmp_path, line):
        claim = tmp_path / "claim.toml"
        fields = {"benchmark": f'"{benchmark.slug}"', "model": '"acme/large"'}
        fields |= dict([line.split(" = ")])
        claim.write_text("".join(f"{name} = {value}\n" for name, value in fields.items()))

        ended = program("submit", "--file", claim)

        assert ended.code in {2, 5}, ended.err
        assert "fault" not in ended.err

    @pytest.mark.parametrize(
        "wanted", [("-b", "{slug}@1.0.0"), ("-b", "{slug}", "--benchmark-version", "1.0.0")]
    )
    def test_takes_the_version_of_the_benchmark_in_both_spellings(self, program, benchmark, wanted):
        named = [text.format(slug=benchmark.slug) for text in wanted]

        ended = program("submit", *named, "-m", "acme/large", "--score", "0.8", "-o", "json")

        assert ended.json["version"] == "1.0.0"

    def test_names_the_versions_where_there_is_no_such_one(self, program, benchmark):
        ended = program("submit", "-b", f"{benchmark.slug}@9.0.0", "-m", "acme/large", "--score", "0.8")

        assert (ended.code, "1.0.0" in ended.err) == (5, True)

    def test_names_all_that_is_wrong_by_option_and_by_line(self, program, benchmark, able, results):
        file = results(8, count=9, row3={"score": 7})

        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "1.5",
            "--metric", "speed=3", "--cases", file,
        )  # fmt: skip

        assert (ended.code, Submission.objects.count()) == (2, 0)
        for named in ("--score:", "--metric speed:", f"{file}, line 4, score:", "cases:"):
            assert named in ended.err

    def test_says_the_same_as_json(self, program, benchmark):
        ended = program("submit", "-b", benchmark.slug, "-m", "acme/large", "--score", "1.5", "-o", "json")

        [wrong] = json.loads(ended.err)["error"]["errors"]
        assert (ended.code, ended.out, wrong["field"]) == (2, "", "--score")

    @pytest.mark.parametrize("text", ["accuracy", "=1", "accuracy=", "accuracy=high"])
    def test_refuses_a_metric_that_is_none(self, program, benchmark, text):
        ended = program("submit", "-b", benchmark.slug, "-m", "acme/large", "--metric", text)

        assert (ended.code, "--metric" in ended.err) == (2, True)

    def test_says_where_it_is_and_how_to_have_it_verified(self, program, benchmark, able):
        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "80%", "-o", "table"
        )

        made = Submission.objects.get()
        assert f"/submissions/{made.pk}" in ended.out
        assert f"llm-benchmark verify {made.pk}" in ended.out

    def test_says_that_a_claim_without_a_deployment_cannot_be_measured(self, program, benchmark):
        ended = program("submit", "-b", benchmark.slug, "-m", "acme/large", "--score", "0.8", "-o", "table")

        assert "cannot measure it again" in ended.out.replace("\n", " ")
        assert "llm-benchmark provider models" in ended.out

    def test_prints_its_help_where_nothing_is_said(self, program):
        ended = program("submit")

        assert (ended.code, "--benchmark" in ended.out) == (0, True)

    def test_refuses_options_of_a_claim_before_a_command(self, program):
        assert program("submit", "--score", "1", "list").code == 2

    @pytest.mark.parametrize(
        ("silence", "code"), [(KeyboardInterrupt(), 130), (TimedOut("late"), 8), (NotReached("gone"), 8)]
    )
    def test_says_that_it_may_have_arrived_where_no_answer_came(
        self, program, benchmark, monkeypatch, silence, code
    ):
        def is_silent(*_, **__):
            raise silence

        monkeypatch.setattr("llm_benchmark.services.submissions.Submissions.create", is_silent)
        ended = program("submit", "-b", benchmark.slug, "-m", "acme/large", "--score", "0.8")

        assert ended.code == code
        assert "Look before you submit again: llm-benchmark submit list" in ended.err


class TestEvidence:
    def test_is_sent_with_the_claim_and_its_digest_shown(self, program, benchmark, able, tmp_path):
        file = tmp_path / "log.jsonl"
        file.write_text('{"answer": 1}\n{"answer": 2}\n')

        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "0.8", "--evidence", file,
            "-o", "table",
        )  # fmt: skip

        kept = Evidence.objects.get()
        assert (ended.code, kept.name) == (0, "log.jsonl")
        assert hashlib.sha256(file.read_bytes()).hexdigest() == kept.sha256
        assert kept.sha256 in ended.out

    def test_is_looked_for_before_anything_is_sent(self, program, benchmark, able, tmp_path):
        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "0.8",
            "--evidence", tmp_path / "not-there",
        )  # fmt: skip

        assert (ended.code, Submission.objects.count()) == (2, 0)
        assert "not-there" in ended.err

    def test_that_did_not_arrive_is_said_with_the_way_to_go_on(self, program, benchmark, able, tmp_path):
        good, bad = tmp_path / "good.jsonl", tmp_path / "bad.bin"
        good.write_text('{"answer": 1}\n')
        bad.write_bytes(b"\x00\x01\x02\xff" * 10)

        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "0.8",
            "--evidence", good, "--evidence", bad, "--evidence", good,
        )  # fmt: skip

        made = Submission.objects.get()
        assert (ended.code, Evidence.objects.count()) == (2, 1)
        assert f"llm-benchmark submit evidence {made.pk} {bad} {good}" in ended.err
        assert "Do not submit again" in ended.err

    @pytest.mark.parametrize(
        ("fault", "code"), [(KeyboardInterrupt(), 130), (OSError(5, "Input/output error"), 2)]
    )
    def test_that_was_cut_off_is_said_with_the_way_to_go_on(
        self, *, program, benchmark, able, tmp_path, monkeypatch, fault, code
    ):
        file = tmp_path / "my log.jsonl"
        file.write_text("{}\n")

        def cut_off(*_, **__):
            raise fault

        monkeypatch.setattr("llm_benchmark.services.submissions.Submissions.add_evidence", cut_off)
        ended = program(
            "submit", "-b", benchmark.slug, "--deployment", "able", "--score", "0.8", "--evidence", file,
        )  # fmt: skip

        made = Submission.objects.get()
        assert ended.code == code
        assert f"llm-benchmark submit evidence {made.pk} '{file}'" in ended.err

    def test_is_added_later(self, program, membership, tmp_path):
        submission = make_submission(organization=membership.organization)
        file = tmp_path / "log.csv"
        file.write_text("a,b\n1,2\n")

        ended = program("submit", "evidence", submission.pk, file)

        assert [row["file"] for row in ended.rows] == ["log.csv"]
        assert len(ended.rows[0]["sha_256"]) == 64

    def test_is_sent_once_though_the_connection_broke(self, call, stub, tmp_path, monkeypatch):
        file = tmp_path / "log.txt"
        file.write_text("words\n")
        keys = []
        listed = {
            "id": "e", "name": "log.txt", "media_type": "text/plain", "size_bytes": 6, "sha256": "a" * 64,
            "created_at": "2026-01-01T00:00:00Z",
        }  # fmt: skip

        def breaks_once(request):
            keys.append(request.headers["Idempotency-Key"])
            if len(keys) == 1:
                raise httpx.ReadError("gone", request=request)
            return httpx.Response(201, json=listed)

        monkeypatch.setattr("time.sleep", lambda _seconds: None)
        path = "/submissions/s/evidence"
        http = stub({f"POST {path}": breaks_once, f"GET {path}": {"items": [listed], "next_page_token": ""}})

        ended = call("submit", "evidence", "s", file, http=http)

        assert ended.code == 0, ended.err
        assert (len(keys), len({*keys})) == (2, 1)


class TestList:
    def test_lists_claims_and_filters_them(self, program, membership, benchmark):
        mine = make_submission(organization=membership.organization, benchmark=benchmark)
        make_submission()

        assert len(program("submit", "list").rows) == 2
        by_benchmark = program("submit", "list", "--benchmark", benchmark.slug).rows
        by_owner = program("submit", "list", "--organization", membership.organization.slug).rows
        assert [row["id"] for row in by_benchmark] == [row["id"] for row in by_owner] == [str(mine.pk)]

    def test_fits_eighty_columns_with_whole_ids(self, program, benchmark):
        deployment = DeploymentFactory(model=LanguageModelFactory(name="a-model-with-quite-a-long-name-70b"))
        organization = deployment.organization
        made = make_submission(benchmark=benchmark, organization=organization, deployment=deployment)

        out = program("submit", "list", "-o", "table").out

        assert str(made.pk) in out
        assert all(len(line) <= 80 for line in out.splitlines())


class TestShow:
    def test_shows_claims_in_their_units(self, program, benchmark):
        made = make_submission(benchmark=benchmark, deployment=None)

        out = program("submit", "show", made.pk, "-o", "table").out.replace("\u00a0", " ")

        assert "80.0 %" in out
        assert "acme/acme-large 1" in out

    def test_gives_what_the_api_gives_as_json(self, program, benchmark):
        made = make_submission(benchmark=benchmark)

        assert program("submit", "show", made.pk, "-o", "json").json["id"] == str(made.pk)

    def test_says_that_there_is_none(self, program):
        assert program("submit", "show", "0" * 8 + "-0000-4000-8000-" + "0" * 12).code == 5

    def test_refuses_what_is_no_id(self, program):
        assert program("submit", "show", "nope").code == 2


class TestWithdraw:
    def test_withdraws_with_a_reason(self, program, membership):
        made = make_submission(organization=membership.organization)

        ended = program("submit", "withdraw", made.pk, "--reason", "measured on another machine")

        assert ended.code == 0, ended.err
        made.refresh_from_db()
        assert made.status == "withdrawn"
        again = program("submit", "withdraw", made.pk, "--reason", "measured on another machine")
        assert again.code == 6

    def test_refuses_those_of_others(self, program):
        ended = program("submit", "withdraw", make_submission().pk, "--reason", "out of sheer spite")

        assert ended.code == 4

    def test_asks_for_a_reason(self, program):
        assert program("submit", "withdraw", "x").code == 2


class TestVisibility:
    def test_changes_it(self, program, membership):
        made = make_submission(organization=membership.organization)

        program("submit", "visibility", made.pk, "private")

        made.refresh_from_db()
        assert made.visibility == "private"
