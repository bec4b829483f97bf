from django.db import migrations, models

REASONS = [
    ("dispute", "Dispute"),
    ("policy_change", "Policy Change"),
    ("expiry", "Expiry"),
    ("platform_fault", "Platform Fault"),
    ("quality_gate", "Quality Gate"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0003_evidence_upload"),
    ]

    operations = [
        migrations.AlterField(
            model_name="verification",
            name="repeat_reason",
            field=models.CharField(blank=True, choices=REASONS, max_length=20),
        ),
    ]
