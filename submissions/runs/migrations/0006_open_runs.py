"""What is open at an endpoint is asked at each step of a campaign. Built beside the writers, without a lock."""

from django.db import migrations, models

from exchange.database.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("runs", "0005_validate_kinds")]
    operations = [
        AddIndexConcurrently(
            model_name="run",
            index=models.Index(
                fields=["endpoint"],
                name="run_open",
                condition=models.Q(("status__in", ("queued", "running"))),
            ),
        ),
    ]
