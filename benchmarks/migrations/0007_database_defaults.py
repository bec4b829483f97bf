"""Databases in which the columns were made without a default get one, as new ones have it: during an upgrade
the version before still writes rows without these columns."""

from django.db import migrations

DEFAULTS = """
ALTER TABLE benchmarks_benchmark
    ALTER COLUMN long_description SET DEFAULT '',
    ALTER COLUMN custom_license SET DEFAULT '',
    ALTER COLUMN documentation_url SET DEFAULT '',
    ALTER COLUMN source_url SET DEFAULT '',
    ALTER COLUMN is_endorsed SET DEFAULT false;
ALTER TABLE benchmarks_benchmarkversion
    ALTER COLUMN migration_notes SET DEFAULT '',
    ALTER COLUMN is_proposed SET DEFAULT false;
"""


class Migration(migrations.Migration):
    safe_because = "A default changes the catalogue alone."
    dependencies = [("benchmarks", "0006_proposed_drafts")]
    operations = [migrations.RunSQL(DEFAULTS, migrations.RunSQL.noop)]
