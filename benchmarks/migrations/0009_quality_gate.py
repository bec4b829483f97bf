from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0008_case_groups"),
    ]

    operations = [
        migrations.AddField(
            model_name="verificationpolicy",
            name="quality_gate",
            field=models.JSONField(null=True),
        ),
    ]
