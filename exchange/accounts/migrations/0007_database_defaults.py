"""Databases in which the columns were made without a default get one, as new ones have it: during an upgrade
the version before still writes rows without these columns."""

from django.db import migrations

DEFAULTS = """
ALTER TABLE accounts_user
    ALTER COLUMN affiliation SET DEFAULT '',
    ALTER COLUMN bio SET DEFAULT '',
    ALTER COLUMN github_username SET DEFAULT '',
    ALTER COLUMN orcid SET DEFAULT '',
    ALTER COLUMN public_email SET DEFAULT '',
    ALTER COLUMN website SET DEFAULT '',
    ALTER COLUMN session_epoch SET DEFAULT 0;
ALTER TABLE accounts_letter
    ALTER COLUMN address SET DEFAULT '';
"""


class Migration(migrations.Migration):
    safe_because = "A default changes the catalogue alone."
    dependencies = [("accounts", "0006_new_addresses")]
    operations = [migrations.RunSQL(DEFAULTS, migrations.RunSQL.noop)]
