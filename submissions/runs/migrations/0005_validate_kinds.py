from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    safe_because = "Rows are read beside their writers; nothing waits for it."
    dependencies = [("runs", "0004_health_and_discovery")]

    operations = [ValidateConstraint("run", "run_has_what_its_kind_measures")]
