"""Numbers and files that no claim may bring: refused by field, and nothing is stored."""

import hashlib
import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from exchange.api.convert import to_message
from exchange.api.pb import submissions_pb2
from exchange.storage import get_store
from submissions.api.grpc import SubmissionService
from submissions.models import Evidence, Submission
from tests.e2e.worlds import fields_of
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.usefixtures("undone")


class TestNumbers:
    WRONG = (
        "NaN",
        "Infinity",
        "-Infinity",
        "1e309",
        "-1e309",
        "-1",
        "78.1",
        "1.0000001",
        "true",
        "false",
        '"0.5x"',
        '""',
        '"NaN"',
        '"inf"',
        "null",
        "[]",
        "[0.5]",
        "{}",
        "1" + "0" * 400,
        "1" * 5000,
        '"\\u0660.5"',
    )

    @pytest.fixture
    def post(self, client, mine):
        def send(**replaced):
            form = {
                "organization_id": str(mine.organization.pk),
                "benchmark_id": str(mine.ids["benchmark"]),
                "deployment_id": str(mine.ids["deployment"]),
                "claims": [{"name": "accuracy", "value": "VALUE", "sample_count": "COUNT"}],
                "cases": [{"key": "q1", "score": "SCORE"}, {"key": "q2", "score": 0}],
            }
            text = json.dumps(form)
            for name, value in {"VALUE": "0.5", "COUNT": "2", "SCORE": "1", **replaced}.items():
                text = text.replace(f'"{name}"', value)
            return client.post("/api/v1/submissions", text, content_type="application/json")

        return send

    def test_that_are_right_are_taken(self, post):
        assert post().status_code == 201

    @pytest.mark.parametrize("number", WRONG, ids=lambda text: text[:12])
    @pytest.mark.parametrize(("place", "field"), [("VALUE", "claims[0].value"), ("SCORE", "cases[0].score")])
    def test_that_are_no_scores_are_refused_by_field(self, post, place, field, number):
        before = Submission.objects.count()

        answer = post(**{place: number})

        assert answer.status_code == 400, answer.content
        assert any(name.startswith(field) for name in fields_of(answer)) or len(number) > 4000
        assert Submission.objects.count() == before

    @pytest.mark.parametrize(
        "number", ["0", "-1", "1.5", "true", "2147483648", "1e3", '"x"', "[]", "1" + "0" * 400]
    )
    def test_that_are_no_counts_are_refused_by_field(self, post, number):
        answer = post(COUNT=number)

        assert (answer.status_code, fields_of(answer)) == (400, ["claims[0].sample_count"])

    @pytest.mark.parametrize("number", [float("nan"), float("inf"), -1.0, 78.1, 1.7e308])
    def test_are_refused_alike_over_grpc(self, mine, number):
        request = to_message(
            submissions_pb2.SubmitResultsRequest,
            {
                "organization_id": str(mine.organization.pk),
                "benchmark_id": str(mine.ids["benchmark"]),
                "deployment_id": str(mine.ids["deployment"]),
            },
        )
        request.claims.add(name="accuracy", value=number, sample_count=2)

        with pytest.raises(RpcFailed) as refused:
            call(SubmissionService().SubmitResults, request, token=mine.secret)

        assert (refused.value.grpc, refused.value.fields) == ("INVALID_ARGUMENT", ["claims[0].value"])


def hostile_zip():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("../../etc/cron.d/x", "/etc/passwd", "..\\..\\x", "C:\\x", "a/../../b"):
            archive.writestr(name, "x")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return packed.getvalue()


class TestEvidence:
    @pytest.fixture
    def upload(self, client, mine):
        def send(content=b"a,b\n1,2\n", name="x.csv", sha256=None, **more):
            data = {
                "file": SimpleUploadedFile("x.csv", content),
                "sha256": sha256 or hashlib.sha256(content).hexdigest(),
                "name": name,
            }
            path = f"/api/v1/submissions/{mine.submission.pk}/evidence"
            return client.post(path, data, format="multipart", **more)

        return send

    @pytest.mark.parametrize(
        "name",
        [
            "../../etc/cron.d/x",
            "/etc/passwd",
            "..\\..\\x",
            "C:\\x",
            "a/../../b",
            "..",
            ".",
            "",
            " ",
            "a\0b",
            "a\nb",
            "<script>.csv",
            "x" * 201,
            "\u202etxt.exe",
            "con:",
            ".htaccess",
            "a..b",
            "x.",
            "\uff0e\uff0e/x",
        ],
        ids=ascii,
    )
    def test_with_the_name_of_a_path_is_refused(self, upload, name):
        answer = upload(name=name)

        assert (answer.status_code, fields_of(answer)) == (400, ["name"])
        assert not Evidence.objects.exclude(name="kept.csv").exists()

    @pytest.mark.parametrize("digest", ["0" * 64, "A" * 64, "x", "../" * 20, "0" * 63 + "\n"])
    def test_that_does_not_match_its_digest_is_not_kept(self, upload, digest):
        content = b"never,kept\n1,2\n"

        answer = upload(content, sha256=digest)

        assert answer.status_code == 400
        assert not Evidence.objects.exclude(name="kept.csv").exists()
        assert not get_store().exists(hashlib.sha256(content).hexdigest())

    def test_that_says_it_is_too_large_is_refused_unread(self, upload):
        answer = upload(CONTENT_LENGTH=str(200 * 1024 * 1024))

        assert answer.status_code == 413

    @pytest.mark.parametrize("size", [101, 200_000])
    def test_that_is_too_large_is_refused_and_not_kept(self, upload, settings, size):
        settings.EVIDENCE_LARGEST_BYTES = 100
        content = b"y" * size

        answer = upload(content)

        assert answer.status_code == 413
        assert not get_store().exists(hashlib.sha256(content).hexdigest())

    def test_as_an_archive_of_bad_names_stays_what_it_is(self, upload):
        """Never unpacked: stored as bytes, under their digest."""
        content = hostile_zip()

        answer = upload(content, name="x.zip")

        assert (answer.status_code, answer.json()["media_type"]) == (201, "application/zip")
        with get_store().open(answer.json()["sha256"]) as kept:
            assert kept.read() == content

    @pytest.mark.parametrize(
        "content",
        [
            b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            b"<html><script>1</script>",
            b"\x89PNG\r\n\x1a\n<script>alert(1)</script>",
            b"\x7fELF",
            b"MZ\x90",
            b"%PDF-1.7",
        ],
        ids=lambda content: ascii(content[:6]),
    )
    def test_is_never_of_a_kind_that_a_browser_runs(self, upload, content):
        answer = upload(content)

        if answer.status_code == 201:
            assert answer.json()["media_type"] == "text/plain"
        else:
            assert (answer.status_code, fields_of(answer)) == (400, ["file"])

    @pytest.mark.parametrize(
        "line",
        [
            b'{"a": NaN}\n{"a": 1e400}\n',
            b'{"answer":"A","answer":"B"}\n' * 2,
            b"[" * 100_000,
            b"\xef\xbb\xbf{}\n",
            b'{"a": ' + b"9" * 100_000 + b"}\n",
        ],
        ids=range(5),
    )
    def test_of_odd_lines_breaks_nothing(self, upload, line):
        assert upload(line, name="profile_export.jsonl").status_code in {201, 400}
        second = upload(b'{"time_to_first_token": {"avg": 1}}', name="profile_export_aiperf.json")
        assert second.status_code in {201, 400}
