from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0007_database_defaults"),
    ]

    operations = [
        migrations.AddField(
            model_name="case",
            name="group",
            field=models.CharField(max_length=128, null=True),
        ),
    ]
