import re

from django.db import migrations, models

KNOWN = {
    "apache2": "apache_2",
    "apache20": "apache_2",
    "mit": "mit",
    "bsd3clause": "bsd_3_clause",
    "ccby40": "cc_by_4_0",
    "ccbysa40": "cc_by_sa_4_0",
}
LICENSES = [
    ("apache_2", "Apache 2.0"),
    ("mit", "MIT"),
    ("bsd_3_clause", "BSD 3-clause"),
    ("cc_by_4_0", "CC BY 4.0"),
    ("cc_by_sa_4_0", "CC BY-SA 4.0"),
    ("custom", "Custom"),
]


def name_licenses(apps, schema_editor):
    """Free text becomes one of the names; what has none stays, word for word, as a custom licence."""
    benchmarks = apps.get_model("benchmarks", "Benchmark").objects.using(schema_editor.connection.alias)
    benchmarks.filter(license="").update(license=None)
    for text in benchmarks.exclude(license=None).values_list("license", flat=True).distinct():
        bare = re.sub(r"licen[cs]e|[^a-z0-9]", "", text.lower())
        custom = {"license": "custom", "custom_license": text}
        benchmarks.filter(license=text).update(**({"license": KNOWN[bare]} if bare in KNOWN else custom))


def spell_licenses(apps, schema_editor):
    benchmarks = apps.get_model("benchmarks", "Benchmark").objects.using(schema_editor.connection.alias)
    benchmarks.filter(license="custom").update(license=models.F("custom_license"))
    benchmarks.filter(license=None).update(license="")


class Migration(migrations.Migration):
    safe_because = "Benchmarks are few: their table is read and written anew within milliseconds."
    dependencies = [("accounts", "0001_initial"), ("benchmarks", "0002_review_cycle")]

    operations = [
        migrations.AddField("benchmark", "long_description", models.TextField(blank=True, default="", db_default="", max_length=20_000)),
        migrations.AddField("benchmark", "custom_license", models.TextField(blank=True, default="", db_default="", max_length=4000)),
        migrations.AddField("benchmark", "citation", models.JSONField(null=True)),
        migrations.AddField("benchmark", "documentation_url", models.CharField(blank=True, default="", db_default="", max_length=2000)),
        migrations.AddField("benchmark", "source_url", models.CharField(blank=True, default="", db_default="", max_length=2000)),
        migrations.AddField(
            "benchmark", "maintained_by", models.ManyToManyField(related_name="+", to="accounts.user")
        ),
        migrations.AddField(
            "benchmarkversion", "migration_notes", models.TextField(blank=True, default="", db_default="", max_length=4000)
        ),
        migrations.AddField(
            "benchmarkversion",
            "parent",
            models.ForeignKey(
                null=True,
                on_delete=models.PROTECT,
                related_name="+",
                to="benchmarks.benchmarkversion",
            ),
        ),
        migrations.AlterField("benchmark", "license", models.CharField(max_length=128, null=True)),
        migrations.RunPython(name_licenses, spell_licenses),
        migrations.AlterField(
            "benchmark", "license", models.CharField(choices=LICENSES, max_length=20, null=True)
        ),
    ]
