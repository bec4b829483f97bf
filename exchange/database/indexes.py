"""Indexes on tables that are in use."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres import operations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class AddIndexConcurrently(operations.AddIndexConcurrently):
    """Django's, which can be tried again: what a try left behind that was interrupted is taken away first."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        schema_editor.execute(
            f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.index.name)}"
        )
        super().database_forwards(app_label, schema_editor, from_state, to_state)
