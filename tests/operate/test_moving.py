"""All evidence from one store to another, also when the command is killed on its way."""

import io
import os
import signal
import subprocess
import sys
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from exchange.operate.moving import Outcome, move
from exchange.storage import FilesystemStore, store_at
from submissions import services
from tests.factories.accounts import OrganizationFactory
from tests.factories.runs import RunFactory
from tests.factories.submissions import make_submission, submitter_of
from tests.orders import ROOT

FILES = {f"answers-{n}.txt": f"{n}\n".encode() * 1000 for n in range(3)}


@pytest.fixture
def folder(settings, tmp_path):
    settings.EVIDENCE_URL = (tmp_path / "here").as_uri()
    return tmp_path / "here"


@pytest.fixture
def named(folder):
    """The digests of evidence files and of a run's bundles, which are there."""
    organization = OrganizationFactory()
    submission = make_submission(organization=organization)
    for name, content in FILES.items():
        services.add_evidence(
            actor=submitter_of(organization), submission_id=submission.pk, name=name, content=content,
            sha256=FilesystemStore(folder).put_stream([content]).sha256,
        )  # fmt: skip
    whole, public = (FilesystemStore(folder).put_stream([part]).sha256 for part in (b"whole", b"public"))
    RunFactory(bundle_sha256=whole, public_bundle_sha256=public)
    return set(FilesystemStore(folder).digests())


def moved(**options):
    output = io.StringIO()
    call_command("move_evidence", stdout=output, stderr=output, **options)
    return output.getvalue()


@pytest.mark.django_db
class TestMoveEvidence:
    def test_copies_all_that_the_database_names_and_nothing_else(self, named, folder, tmp_path):
        FilesystemStore(folder).put_stream([b"nobody's"])
        to = tmp_path / "there"
        said = moved(to=to.as_uri())
        assert set(FilesystemStore(to).digests()) == named
        assert "5 objects: 5 copied, 0 there already, 0 missing, 0 damaged" in said
        assert f"EXCHANGE_EVIDENCE_URL={to.as_uri()}" in said

    def test_copies_nothing_twice_and_deletes_nothing(self, named, folder, tmp_path):
        to = (tmp_path / "there").as_uri()
        moved(to=to)
        assert "0 copied, 5 there already" in moved(to=to)
        assert set(FilesystemStore(folder).digests()) == named

    def test_copies_again_what_is_damaged_at_the_target(self, named, folder, tmp_path):
        to = tmp_path / "there"
        moved(to=to.as_uri())
        damaged = min(named)
        (to / damaged[:2] / damaged).write_bytes(b"inflated")
        assert "1 copied, 4 there already" in moved(to=to.as_uri())

    @pytest.mark.parametrize(("harm", "word"), [("unlink", "missing"), ("truncate", "damaged")])
    def test_names_what_is_not_whole_here_and_does_not_say_that_all_is_well(
        self, named, folder, tmp_path, harm, word
    ):
        path = folder / min(named)[:2] / min(named)
        path.unlink() if harm == "unlink" else os.truncate(path, 1)
        output = io.StringIO()
        with pytest.raises(CommandError, match="Not all"):
            call_command("move_evidence", to=(tmp_path / "there").as_uri(), stdout=output, stderr=output)
        assert f"{min(named)} is {word}" in output.getvalue()
        assert "EXCHANGE_EVIDENCE_URL" not in output.getvalue()

    @pytest.mark.parametrize("to", ["ftp://evidence/x", "s3://"])
    def test_refuses_what_is_no_store(self, folder, to):
        with pytest.raises(CommandError):
            moved(to=to)

    def test_refuses_the_store_in_use(self, folder, settings):
        with pytest.raises(CommandError):
            moved(to=settings.EVIDENCE_URL)

    @pytest.mark.sockets
    def test_says_that_the_other_store_does_not_answer(self, named, monkeypatch, s3_server):
        for name, value in {**s3_server.environment, "AWS_SECRET_ACCESS_KEY": "wrong"}.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(CommandError, match="goes on from there"):
            moved(to=f"s3://{s3_server.BUCKET}/{uuid4()}")

    @pytest.mark.sockets
    def test_asks_for_the_bucket_also_where_there_is_nothing_to_move(self, folder, monkeypatch, s3_server):
        for name, value in s3_server.environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(CommandError, match="0 of 0 objects"):
            moved(to=f"s3://no-such-bucket/{uuid4()}")


class Rotten(FilesystemStore):
    """Takes everything and gives back something else."""

    def put_stream(self, chunks, **options):
        stored = super().put_stream(chunks, **options)
        self._path(stored.sha256).write_bytes(b"something else")
        return stored


def test_nothing_counts_as_moved_that_was_not_read_again(tmp_path):
    source = FilesystemStore(tmp_path / "here")
    sha256, reported = source.put_stream([b"measured"]).sha256, []
    move(
        [sha256], source=source, target=Rotten(tmp_path / "there"), report=lambda *said: reported.append(said)
    )
    assert reported == [(sha256, Outcome.DAMAGED)]


@pytest.mark.sockets
@pytest.mark.django_db(transaction=True)
class TestKilled:
    def test_goes_on_where_it_was_killed_to_a_bucket_and_back(self, named, folder, s3_server, tmp_path):
        there, back = f"s3://{s3_server.BUCKET}/{uuid4()}", (tmp_path / "back").as_uri()
        killed = in_a_process("--from", folder.as_uri(), "--to", there, server=s3_server, killed_at=2)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        rest = in_a_process("--from", folder.as_uri(), "--to", there, server=s3_server)
        assert "3 copied, 2 there already" in rest.stdout, rest.stderr
        killed = in_a_process("--from", there, "--to", back, server=s3_server, killed_at=4)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        rest = in_a_process("--from", there, "--to", back, server=s3_server)
        assert "1 copied, 4 there already" in rest.stdout, rest.stderr
        assert set(store_at(back).digests()) == named


def in_a_process(*arguments, server, killed_at=0):
    from django.db import connection

    database = connection.settings_dict
    login = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}"
    environment = {
        **os.environ,
        **server.environment,
        "DJANGO_SETTINGS_MODULE": "exchange.settings.test",
        "DATABASE_URL": f"postgres://{login}/{database['NAME']}",
        "FAILPOINT": f"evidence_copied:{killed_at}" if killed_at else "",
    }
    argv = [sys.executable, str(ROOT / "manage.py"), "move_evidence", *arguments]
    return subprocess.run(
        argv, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
