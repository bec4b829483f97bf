from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("endpoints", "0002_protect_credentials")]

    operations = [
        migrations.AddField(
            model_name="endpointcredential",
            name="source",
            field=models.CharField(
                choices=[("none", "None"), ("stored", "Stored"), ("environment", "Environment")],
                db_default="stored",
                default="stored",
                max_length=20,
            ),
        ),
    ]
