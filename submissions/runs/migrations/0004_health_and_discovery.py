"""Two more kinds of runs: how a deployment stands, and what an endpoint serves."""

import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

_KINDS = [
    ("quality", "Quality"),
    ("performance", "Performance"),
    ("health", "Health"),
    ("discovery", "Discovery"),
]
_MEASURING = models.Q(kind__in=("quality", "performance"), deployment__isnull=False, version__isnull=False)
_HEALTH = models.Q(kind="health", deployment__isnull=False, version__isnull=True)
_DISCOVERY = models.Q(kind="discovery", deployment__isnull=True, version__isnull=True)


class Migration(migrations.Migration):
    safe_because = "Only the catalogue changes; rows are not read until the next migration validates them."
    dependencies = [
        ("benchmarks", "0007_database_defaults"),
        ("endpoints", "0005_missing_deployments"),
        ("runs", "0003_run_ends"),
    ]

    operations = [
        migrations.AlterField("run", "kind", models.CharField(choices=_KINDS, max_length=20)),
        migrations.AlterField(
            "run",
            "endpoint",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="endpoints.endpoint"
            ),
        ),
        migrations.AlterField(
            "run",
            "deployment",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="endpoints.deployment",
            ),
        ),
        migrations.AlterField(
            "run",
            "version",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="benchmarks.benchmarkversion",
            ),
        ),
        migrations.AlterField("run", "seed", models.BigIntegerField(default=0)),
        migrations.AlterField("run", "snapshot", models.JSONField(default=dict)),
        migrations.AlterField("run", "fingerprint", models.CharField(blank=True, max_length=64)),
        migrations.AlterField("run", "request_bound", models.PositiveIntegerField(default=0)),
        migrations.AlterField("run", "token_bound", models.PositiveBigIntegerField(default=0)),
        migrations.AlterField("run", "planned_count", models.PositiveIntegerField(default=0)),
        migrations.AddField("run", "price", models.JSONField(null=True)),
        AddConstraintNotValid(
            "run",
            models.CheckConstraint(
                name="run_has_what_its_kind_measures", condition=_MEASURING | _HEALTH | _DISCOVERY
            ),
        ),
    ]
