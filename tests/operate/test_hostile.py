"""Folders and rows that somebody else has prepared."""

import io

import pytest

from exchange.operate.backup import errors, manifest, saving
from exchange.operate.management.commands import reconcile
from exchange.operate.reconcile.counting import Finding

WHOLE = {
    "exchange_version": "1",
    "made_at": "",
    "postgresql": 16,
    "database": "a",
    "evidence": "b",
    "files": {"a": {"sha256": ""}, "b": {"sha256": ""}},
    "migrations": [],
    "rows": {},
    "objects": 0,
    "object_bytes": 0,
    "missing": [],
    "keys": {},
    "format": manifest.FORMAT,
    "format_version": manifest.FORMAT_VERSION,
}


class TestManifest:
    def read(self, folder, **changed):
        content = {name: value for name, value in {**WHOLE, **changed}.items() if value is not None}
        (folder / manifest.NAME).write_text(manifest._text(content), encoding="utf-8")
        return manifest.read(folder)

    def test_is_read_when_it_is_whole(self, tmp_path):
        assert self.read(tmp_path).database == "a"

    @pytest.mark.parametrize(
        "changed",
        [
            {"database": "/etc/passwd"},
            {"evidence": "never-checked"},
            {"files": {"a": {}, "b": {}, "../c": {}}},
            {"files": {"a": {}, "b": {}, "/etc/passwd": {}}},
            {"files": {"a": "", "b": ""}},
            {"rows": None},
            {"migrations": {}},
            {"format_version": "1"},
        ],
    )
    def test_is_refused_when_it_names_other_files_or_lacks_something(self, changed, tmp_path):
        with pytest.raises(errors.BackupDamaged):
            self.read(tmp_path, **changed)


def test_a_backup_deletes_nothing_that_is_not_its_own(tmp_path):
    stamp = "20261201T101112131415Z"
    others = {"database-notes.txt", "film.mkv.part", "evidence-photos.txt", f"database-{stamp}.dump.gz"}
    ours = {f"database-{stamp}.dump", f"evidence-{stamp}.txt.part", "manifest.json.part"}
    for name in others | ours:
        (tmp_path / name).touch()

    saving._clear(tmp_path, keep=set())
    assert {path.name for path in tmp_path.iterdir()} == others


def test_names_of_the_database_do_nothing_to_a_terminal():
    said = io.StringIO()
    hostile = "the answer \x1b[2J\r0 differences\n\u202eé"
    reconcile.Command(stdout=said)._say(Finding("a", 1, 1, [hostile]))

    lines = said.getvalue().splitlines()
    assert lines[1:] == [r"  the answer \x1b[2J\r0 differences\n\u202eé"]
