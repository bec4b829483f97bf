"""Metrics ask which runs ended lately, and how many are dead. Built beside the writers, without a lock."""

from django.db import migrations, models

from exchange.database.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("runs", "0002_keep_superseded_answers")]
    operations = [
        AddIndexConcurrently(
            model_name="run",
            index=models.Index(
                fields=["status", "finished_at"],
                name="run_ends",
                condition=models.Q(("finished_at__isnull", False)),
            ),
        ),
    ]
