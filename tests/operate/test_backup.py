"""A world is saved and restored into a fresh place where nothing differs, also after a kill on the way."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from exchange.core import envelopes
from exchange.operate.backup import errors, manifest, programs, restoring
from tests.e2e.people import until
from tests.operate.operators import Operators
from tests.operate.world import World, provider

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
ROOT = Path(__file__).resolve().parents[2]
RING = {"test": settings.KEYRING["test"]}


class Place:
    """A database and an evidence store, and the operator's commands there."""

    def __init__(self, database, folder, operators):
        self.database, self.folder, self.evidence = database, folder, folder / "evidence"
        self.evidence_url, self.env, self._operators = self.evidence.as_uri(), {}, operators

    def manage(self, *arguments, failpoint="", ring=None, as_owner=True):
        """(exit code, all that it said)"""
        return self._operators.run(
            arguments, database=self.database, evidence=self.evidence_url, folder=str(self.folder),
            failpoint=failpoint, ring=ring or RING, as_owner=as_owner, env=self.env,
        )  # fmt: skip

    def url(self, role):
        return url(role, self.database)

    def as_program(self, *arguments):
        """`manage.py` as operators start it; (exit code, all that it said)"""
        argv = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
        place = {"EXCHANGE_EVIDENCE_URL": self.evidence.as_uri()}
        done = subprocess.run(
            argv, env={**environment(self.database, self.folder), **place}, cwd=ROOT, check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return done.returncode, done.stdout


def url(role, database):
    login = {"app": settings.DATABASES["default"], "owner": settings.DATABASE_OWNER}[role]
    return "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/".format(**login) + database


def environment(database, folder):
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "exchange.settings.dev",
        "DATABASE_URL": url("app", database),
        "DATABASE_OWNER_URL": url("owner", database),
        "EXCHANGE_STATE_DIR": str(folder),
        "EXCHANGE_KEYRING": json.dumps(RING),
    }


@pytest.fixture(scope="module")
def operators(django_db_setup, tmp_path_factory):
    name = connection.settings_dict["NAME"]
    with Operators(environment(name, tmp_path_factory.mktemp("operators"))) as running:
        yield running


@pytest.fixture(scope="module")
def source(operators, django_db_blocker, tmp_path_factory):
    """A world of which everything is committed; its tables are emptied at the end."""
    folder = tmp_path_factory.mktemp("source")
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, provider() as simulator:
        patch.setattr(settings, "EVIDENCE_URL", (folder / "evidence").as_uri())
        patch.setattr(settings, "STATE_DIR", folder)
        patch.setattr(settings, "EGRESS_ALLOW", frozenset({simulator.host_and_port}))
        patch.setattr(settings, "MEASURE_ALONE", False)
        patch.setattr(settings, "RUN_LEASE_SECONDS", 600)  # a busy machine loses short ones
        empty()  # of what a killed run of the tests left
        World(simulator, measures_speed=True)
        connection.close()
        try:
            yield Place(connection.settings_dict["NAME"], folder, operators)
        finally:
            empty()
            connection.close()


def empty():
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


@pytest.fixture(scope="module")
def saved(source, tmp_path_factory):
    """The folder of a backup; tests that change it work on a copy."""
    folder = tmp_path_factory.mktemp("backup") / "kept"
    code, said = source.manage("backup", folder)
    assert code == 0, said
    return folder


@pytest.fixture
def backup(saved, tmp_path):
    return Path(shutil.copytree(saved, tmp_path / "backup"))


@pytest.fixture
def fresh(source, operators, tmp_path):
    """A new database without any default rights, and an evidence store that is not there yet."""
    place = Place(f"{source.database}_fresh", tmp_path, operators)
    make_anew(place)
    yield place
    with psycopg.connect(source.url("owner"), autocommit=True) as owner:
        until(lambda: is_dropped(owner, place.database))


def make_anew(place):
    with psycopg.connect(url("owner", "postgres"), autocommit=True) as owner:
        until(lambda: is_dropped(owner, place.database))
        owner.execute(f'CREATE DATABASE "{place.database}" TEMPLATE template0')


def is_dropped(owner, database):
    """Not yet while a connection of the application ends, which is not the owner's to end."""
    try:
        owner.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")


def flip(path, position=-1):
    raw = bytearray(path.read_bytes())
    raw[position] ^= 1
    path.write_bytes(raw)


def evidence_of(folder):
    return files_of(folder / "evidence")


def assert_whole(place):
    code, said = place.manage("reconcile")
    assert code == 0, said
    assert said.endswith("\n0 differences\n")
    assert "verdicts from the stored scores: 4 looked at" in said


class TestRestore:
    def test_brings_everything_back_into_a_fresh_place(self, source, saved, fresh):
        code, said = fresh.as_program("restore", saved)
        assert code == 0, said
        assert "Now run `manage.py reconcile`" in said
        assert_whole(fresh)
        assert evidence_of(fresh.folder) == [
            fresh.evidence / path.relative_to(source.evidence) for path in evidence_of(source.folder)
        ]
        with psycopg.connect(fresh.url("app")) as app:
            hidden = app.execute("SELECT count(*) FROM endpoints_endpointcredential").fetchone()
            app.execute("INSERT INTO core_attemptwindow VALUES ('x', now(), 1)")
        assert hidden == (0,), "row-level security holds in the new place"

    def test_leaves_a_database_with_data_alone(self, source, saved):
        code, said = source.manage("restore", saved)
        assert code == 1
        assert "The database has data." in said
        assert_whole(source)

    def test_leaves_what_is_not_the_exchanges_alone(self, saved, fresh):
        with psycopg.connect(fresh.url("owner"), autocommit=True) as owner:
            owner.execute("CREATE TABLE theirs (id int)")
            assert "The database has data." in fresh.manage("restore", saved)[1]
            assert owner.execute("SELECT count(*) FROM theirs").fetchone() == (0,)

    def test_brings_evidence_into_a_bucket_and_saves_it_from_there(self, saved, fresh, s3_server, tmp_path):
        fresh.evidence_url, fresh.env = f"s3://{s3_server.BUCKET}/{tmp_path.name}", s3_server.environment
        code, said = fresh.manage("restore", saved)
        assert code == 0, said
        assert_whole(fresh)
        code, said = fresh.manage("backup", tmp_path / "again")
        assert code == 0, said
        again, first = restoring.check(tmp_path / "again"), manifest.read(saved)
        assert (again.objects, again.rows) == (first.objects, first.rows)

    def test_takes_a_database_that_is_only_migrated_and_an_older_backup(self, fresh, tmp_path):
        for to in ([], ["core", "0003"]):
            code, said = fresh.manage("migrate", "--no-input", *to)
            assert code == 0, said
        code, said = fresh.manage("backup", tmp_path / "older")
        assert code == 0, said
        code, said = fresh.manage("restore", tmp_path / "older")
        assert code == 0, said
        assert "It was older than this version and has been migrated." in said
        assert fresh.manage("reconcile")[1].endswith("\n0 differences\n")

    def test_leaves_the_processes_of_the_saved_place_behind(self, source, fresh, tmp_path):
        with psycopg.connect(source.url("owner"), autocommit=True) as owner:
            owner.execute(
                "INSERT INTO core_workerprocess (kind, host, pid, started_at, last_progress_at, activity) "
                "VALUES ('worker', 'there', 1, now(), now(), 'scan')"
            )
            try:
                code, said = source.manage("backup", tmp_path / "backup")
            finally:
                owner.execute("DELETE FROM core_workerprocess WHERE host = 'there'")
        assert code == 0, said
        code, said = fresh.manage("restore", tmp_path / "backup")
        assert code == 0, said
        with psycopg.connect(fresh.url("owner")) as owner:
            assert owner.execute("SELECT count(*) FROM core_workerprocess").fetchone() == (0,)

    def test_says_which_key_is_not_the_one_that_sealed(self, saved, fresh):
        ring = {"test": envelopes.new_key()}
        code, said = fresh.manage("restore", saved, ring=ring)
        assert code == 0, said
        assert "The key test is another key here: what it sealed does not open." in said
        code, said = fresh.manage("reconcile", ring=ring)
        assert code == 1
        assert "does not open" in said


class TestDamagedBackup:
    @pytest.mark.parametrize(
        "pattern", ["manifest.json", "database-*.dump", "evidence-*.txt", "evidence/*/*"]
    )
    @pytest.mark.parametrize("position", [0, -1])
    def test_is_refused_by_the_name_of_the_file(self, pattern, position, backup):
        path = min(backup.glob(pattern))
        flip(path, position)
        with pytest.raises(errors.BackupDamaged, match=f"{path.name} is damaged"):
            restoring.check(backup)

    @pytest.mark.parametrize("pattern", ["database-*.dump", "evidence-*.txt", "evidence/*/*"])
    def test_is_refused_where_a_file_is_missing(self, pattern, backup):
        path = min(backup.glob(pattern))
        path.unlink()
        with pytest.raises(errors.BackupDamaged, match=f"{path.name} is missing"):
            restoring.check(backup)

    def test_changes_nothing(self, backup, fresh):
        flip(evidence_of(backup)[-1])
        code, said = fresh.manage("restore", backup)
        assert code == 1
        assert "is damaged" in said
        assert not fresh.evidence.exists()
        with psycopg.connect(fresh.url("owner")) as owner:
            assert owner.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (
                0,
            )

    def test_without_a_manifest_was_never_finished(self, backup):
        (backup / manifest.NAME).unlink()
        with pytest.raises(errors.BackupUnfinished):
            restoring.check(backup)

    def test_of_a_newer_version_is_refused(self, backup, fresh):
        made = manifest.read(backup)
        made.migrations.append("core.9999_to_come")
        manifest.write(backup, made)
        code, said = fresh.manage("restore", backup)
        assert code == 1
        assert "has core.9999_to_come, which this version does not know" in said

    def test_of_a_newer_format_is_refused(self, backup, monkeypatch):
        made = manifest.read(backup)
        monkeypatch.setattr(manifest, "FORMAT_VERSION", 0)
        assert made.format_version == 1
        with pytest.raises(errors.BackupNewer, match="has the format 1; this version reads 0"):
            manifest.read(backup)


class TestBackup:
    def test_holds_no_key(self, saved):
        key = settings.KEYRING["test"].encode()
        assert not [path for path in files_of(saved) if key in path.read_bytes()]

    def test_is_for_its_owner_alone(self, saved):
        assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in files_of(saved))

    def test_copies_only_what_is_new_and_mends_what_is_damaged(self, source, backup):
        kept, broken = evidence_of(backup)[:2]
        before, whole = kept.stat().st_ino, broken.read_bytes()
        flip(broken)
        earlier = manifest.read(backup)
        code, said = source.manage("backup", backup)
        assert code == 0, said
        assert (kept.stat().st_ino, broken.read_bytes()) == (before, whole)
        later = restoring.check(backup)
        assert later.rows == earlier.rows
        assert [path.name for path in backup.glob("database-*")] == [later.database] != [earlier.database]

    def test_sees_all_rows_though_its_role_does_not_go_round_row_level_security(
        self, source, fresh, tmp_path
    ):
        """As where one role owns and runs, or where nobody may give BYPASSRLS."""
        code, said = source.manage("backup", tmp_path / "backup", as_owner=False)
        assert code == 0, said
        code, said = fresh.manage("restore", tmp_path / "backup")
        assert code == 0, said
        assert_whole(fresh)
        with psycopg.connect(fresh.url("owner")) as owner:
            assert owner.execute("SELECT count(*) > 0 FROM endpoints_endpointcredential").fetchone() == (
                True,
            )

    def test_keeps_the_ring_in_a_file_outside(self, source, backup, tmp_path):
        code, said = source.manage("backup", backup, "--keyring", tmp_path / "ring")
        assert code == 0, said
        assert json.loads((tmp_path / "ring").read_text()) == settings.KEYRING
        assert stat.S_IMODE((tmp_path / "ring").stat().st_mode) == 0o600
        code, said = source.manage("backup", backup, "--keyring", backup / "ring")
        assert code == 1
        assert "outside of the folder" in said

    def test_says_plainly_where_it_cannot_write(self, source, tmp_path):
        (tmp_path / "file").touch()
        code, said = source.manage("backup", tmp_path / "file" / "backup")
        assert code == 1
        assert said.startswith("CommandError: [Errno 20] Not a directory")

    def test_names_what_the_store_has_lost(self, source, backup, tmp_path):
        lost = evidence_of(source.folder)[0]
        moved = lost.rename(tmp_path / lost.name)
        shutil.rmtree(backup / "evidence" / lost.name[:2])
        try:
            code, said = source.manage("backup", backup)
        finally:
            moved.rename(lost)
        assert code == 1
        assert (
            f"1 objects are not in the backup, since the evidence store does not have them whole: {lost.name}"
            in said
        )
        assert restoring.check(backup).missing == [lost.name]


class TestKilled:
    @pytest.mark.parametrize("failpoint", ["backup_dumped", "backup_copied:3"])
    def test_backup_leaves_no_manifest_and_is_repeated(self, failpoint, source, fresh, tmp_path):
        folder = tmp_path / "backup"
        assert source.manage("backup", folder, failpoint=failpoint)[0] == -signal.SIGKILL
        assert "no backup was finished" in fresh.manage("restore", folder)[1]
        code, said = source.manage("backup", folder)
        assert code == 0, said
        restoring.check(folder)
        assert len(list(folder.glob("database-*"))) == 1

    def test_backup_leaves_the_earlier_one_whole(self, source, backup):
        earlier = manifest.read(backup)
        assert source.manage("backup", backup, failpoint="backup_dumped")[0] == -signal.SIGKILL
        assert restoring.check(backup) == earlier

    @pytest.mark.parametrize(
        "failpoint", ["restore_copied:2", "restore_evidence_done", "restore_loading", "restore_loaded"]
    )
    def test_restore_is_repeated(self, failpoint, saved, fresh):
        assert fresh.manage("restore", saved, failpoint=failpoint)[0] == -signal.SIGKILL
        code, said = fresh.manage("restore", saved)
        assert code == 0, said
        assert_whole(fresh)


class TestPrograms:
    def test_are_of_the_servers_version_or_newer(self, monkeypatch, tmp_path):
        for major in (15, 17, 18):
            self.program(tmp_path / str(major), major)
        monkeypatch.setattr(programs, "_folders", lambda: sorted(tmp_path.iterdir()))
        assert programs.find("pg_dump", 17) == tmp_path / "17" / "pg_dump"
        assert programs.find("pg_dump", 16) == tmp_path / "17" / "pg_dump"

    def test_that_are_too_old_are_named(self, monkeypatch, tmp_path):
        self.program(tmp_path / "15", 15)
        monkeypatch.setattr(programs, "_folders", lambda: [tmp_path / "15"])
        with pytest.raises(
            errors.ProgramMissing, match="needs pg_dump 18 or newer, and on this machine there is 15"
        ):
            programs.find("pg_dump", 18)

    def program(self, folder, major):
        folder.mkdir()
        (folder / "pg_dump").write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {major}.3'\n")
        (folder / "pg_dump").chmod(0o755)
