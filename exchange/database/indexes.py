"""Indexes on tables that are in use."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres import operations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

INVALID = "SELECT FROM pg_index WHERE indexrelid = to_regclass(%s) AND NOT indisvalid"


class AddIndexConcurrently(operations.AddIndexConcurrently):
    """Django's, which can be tried again: what an interrupted try left behind is taken away first."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        name = schema_editor.quote_name(self.index.name)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(INVALID, [name])
            if cursor.fetchone() is not None:
                cursor.execute(f"DROP INDEX CONCURRENTLY {name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)
