"""Migrations newer than the first version hold nobody up, and the version before goes on writing beside them.

A migration that must do otherwise says in `safe_because` why it may.
"""

import inspect

import pytest
from django.apps import apps
from django.contrib.postgres import operations as of_postgres
from django.db import models
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader

from exchange.database.indexes import AddIndexConcurrently

# The last migration of each app in the first version.
FIRST = {
    "accounts": 1, "benchmarks": 1, "core": 2, "endpoints": 2, "leaderboards": 2, "runs": 2, "submissions": 2,
}  # fmt: skip
ROOTS = {"exchange", "benchmarks", "submissions", "leaderboards", "governance"}
OURS = {app.label for app in apps.get_app_configs() if app.name.split(".")[0] in ROOTS}
WORDS_ALONE = {
    "choices",
    "validators",
    "help_text",
    "verbose_name",
    "db_default",
    "default",
    "blank",
    "editable",
}

TAKEN_AWAY = "the version before still uses what is taken away or renamed"
FAULTS = {
    (AddIndexConcurrently, operations.RemoveIndex, operations.AlterModelOptions): "",
    of_postgres.AddIndexConcurrently: "cannot be tried again; use exchange.database.indexes",
    operations.AddIndex: "nobody writes while the index is built; use exchange.database.indexes",
    operations.AddConstraint: "rows are read under a lock; add it NOT VALID, and validate it in the next one",
    (operations.RunPython, operations.RunSQL): "what it does, and for how long, is not known",
}


def newer():
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if app in OURS and int(name[:4]) > FIRST.get(app, 0):
            yield migration


def faults(migration, state):
    """What of it holds up a table that others use, or breaks the version before. `state` is before it."""
    new = set()
    for operation in migration.operations:
        kind, table = type(operation).__name__, getattr(operation, "model_name", "").lower()
        if isinstance(operation, operations.CreateModel):
            new.add(operation.name_lower)
        elif table not in new and (words := fault(operation, state, migration.app_label)):
            yield f"{kind} {table}: {words}"
        operation.state_forwards(migration.app_label, state)


def fault(operation, state, app):
    match operation:
        case operations.AddField(field=field):
            return _of_new(field)
        case operations.AlterField(field=field):
            return _of_changed(state.models[app, operation.model_name_lower].fields[operation.name], field)
    return next((words for kinds, words in FAULTS.items() if isinstance(operation, kinds)), TAKEN_AWAY)


def _of_new(field):
    if field.many_to_many or field.null or field.has_db_default():
        return ""
    return "the version before writes no such column; give it null=True or db_default"


def _of_changed(before, after):
    """Widening is a change of the catalogue; the rest reads or writes each row."""
    if before.null and not after.null:
        return "all rows are read under a lock"
    left, right = (_compared(field) for field in (before, after))
    lengths = (left.pop("max_length", None), right.pop("max_length", None))
    if type(before) is not type(after) or left != right or (lengths[1] or 0) < (lengths[0] or 0):
        return "the table is written anew, or read, under a lock"
    return ""


def _compared(field):
    arguments = field.deconstruct()[3]
    return {name: value for name, value in arguments.items() if name not in {*WORDS_ALONE, "null"}}


@pytest.mark.parametrize("migration", list(newer()), ids=str)
def test_holds_nobody_up(migration):
    loader = MigrationLoader(None, ignore_no_migrations=True)
    before = loader.project_state((migration.app_label, migration.name), at_end=False)
    found = list(faults(migration, before))
    reason = getattr(migration, "safe_because", "")
    assert bool(found) == bool(reason), found or "safe_because is not needed"


@pytest.mark.parametrize("migration", list(newer()), ids=str)
def test_python_works_on_the_connection_that_migrates(migration):
    """The application's own cannot see or may not change what its owner is about to hand over."""
    steps = [one for one in migration.operations if isinstance(one, operations.RunPython)]
    assert all("schema_editor.connection" in inspect.getsource(step.code) for step in steps)


class TestFault:
    @pytest.mark.parametrize(
        "operation",
        [
            operations.AddField("user", "more", models.TextField(default="")),
            operations.AlterField("user", "username", models.CharField(max_length=2)),
            operations.AlterField("user", "username", models.TextField()),
            operations.AddIndex("user", models.Index(fields=["username"], name="i")),
            of_postgres.AddIndexConcurrently("user", models.Index(fields=["username"], name="i")),
            operations.AddConstraint("user", models.UniqueConstraint(fields=["username"], name="c")),
            operations.RemoveField("user", "username"),
            operations.RenameField("user", "username", "name"),
            operations.DeleteModel("user"),
            operations.RunSQL("SELECT 1"),
            operations.RunPython(operations.RunPython.noop),
        ],
        ids=lambda operation: type(operation).__name__,
    )
    def test_is_found(self, operation):
        assert _fault_of(operation)

    @pytest.mark.parametrize(
        "operation",
        [
            operations.AddField("user", "more", models.TextField(null=True)),
            operations.AddField("user", "more", models.TextField(default="", db_default="")),
            operations.AlterField("user", "username", models.CharField(max_length=500, unique=True)),
            AddIndexConcurrently("user", models.Index(fields=["username"], name="i")),
        ],
        ids=lambda operation: type(operation).__name__,
    )
    def test_is_not_found_where_there_is_none(self, operation):
        assert not _fault_of(operation)


def _fault_of(operation):
    state = MigrationLoader(None).project_state(("accounts", "0001_initial"))
    return fault(operation, state, "accounts")
