import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations, models

# Immutable, as an index needs it: array_to_string is not, since some types are spelled by the session's settings.
WORDS = """
CREATE FUNCTION benchmark_words(name text, slug text, description text, tags text[]) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT pg_catalog.to_tsvector(
    'pg_catalog.simple'::pg_catalog.regconfig,
    name || ' ' || slug || ' ' || pg_catalog.array_to_string(tags, ' ') || ' ' || description
)
$$
"""


class Migration(migrations.Migration):
    safe_because = "Benchmarks are few: the index is built within milliseconds."
    dependencies = [("benchmarks", "0004_authors_of_earlier_benchmarks")]

    operations = [
        migrations.RunSQL(WORDS, "DROP FUNCTION benchmark_words(text, text, text, text[])"),
        migrations.AddIndex(
            model_name="benchmark",
            index=django.contrib.postgres.indexes.GinIndex(
                models.Func(
                    "name",
                    "slug",
                    "description",
                    "tags",
                    function="benchmark_words",
                    output_field=django.contrib.postgres.search.SearchVectorField(),
                ),
                name="words_of_benchmarks",
            ),
        ),
    ]
