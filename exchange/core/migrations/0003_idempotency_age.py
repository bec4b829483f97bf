from django.db import migrations, models

from exchange.database.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("core", "0002_append_only")]

    operations = [
        AddIndexConcurrently(
            model_name="idempotencyrecord",
            index=models.Index(fields=["created_at"], name="idempotency_age"),
        ),
    ]
