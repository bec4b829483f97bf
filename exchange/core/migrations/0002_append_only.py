"""The audit chain can only grow; the application's role may use what the owner creates."""

from django.conf import settings
from django.db import migrations

APPEND_ONLY = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON core_auditentry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""


def grant(apps, schema_editor):
    """Where owner and application are two roles: what exists, and what later migrations make."""
    role = settings.DATABASE_APP_ROLE
    connection = schema_editor.connection
    if not role or role == connection.settings_dict["USER"]:
        return
    name = connection.ops.quote_name(role)
    for kind, rights in [("TABLES", "SELECT, INSERT, UPDATE, DELETE"), ("SEQUENCES", "USAGE, SELECT")]:
        schema_editor.execute(f"GRANT {rights} ON ALL {kind} IN SCHEMA public TO {name}")
        schema_editor.execute(
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {rights} ON {kind} TO {name}"
        )


class Migration(migrations.Migration):
    dependencies = [("core", "0001_initial")]
    operations = [
        migrations.RunSQL(APPEND_ONLY, "DROP FUNCTION refuse_change() CASCADE"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
