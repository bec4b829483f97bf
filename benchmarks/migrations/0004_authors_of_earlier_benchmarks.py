from django.db import migrations


def name_authors(apps, schema_editor):
    """The audit chain says who made what is there already; they maintain it until somebody says otherwise."""
    alias = schema_editor.connection.alias
    people = set(apps.get_model("accounts", "User").objects.using(alias).values_list("pk", flat=True))
    made = apps.get_model("core", "AuditEntry").objects.using(alias).filter(kind="benchmark.created")
    benchmarks = apps.get_model("benchmarks", "Benchmark").objects.using(alias)
    for subject, author in made.values_list("subject_id", "actor_id"):
        benchmarks.filter(pk=subject, created_by=None).update(created_by=author)
        if author in people and (benchmark := benchmarks.filter(pk=subject).first()):
            benchmark.maintained_by.add(author)


class Migration(migrations.Migration):
    safe_because = "The audit chain is only read, and benchmarks, which are written, are few."
    dependencies = [
        ("accounts", "0001_initial"),
        ("core", "0001_initial"),
        ("benchmarks", "0003_metadata"),
    ]

    operations = [migrations.RunPython(name_authors, migrations.RunPython.noop)]
