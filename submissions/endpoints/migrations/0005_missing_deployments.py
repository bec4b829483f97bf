"""Deployments that their endpoint does not list any more are missing."""

from django.db import migrations


def mark_missing(apps, schema_editor):
    deployments = apps.get_model("endpoints", "Deployment").objects.using(schema_editor.connection.alias)
    deployments.filter(is_listed=False, status="new").update(status="missing", status_reason="not_listed")


class Migration(migrations.Migration):
    safe_because = "Deployments are few; the version before does not know what is written."
    dependencies = [("endpoints", "0004_capability_status_and_price")]

    operations = [migrations.RunPython(mark_missing, migrations.RunPython.noop)]
