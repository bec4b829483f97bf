"""One that is never done: it makes a table and then waits."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = []
    operations = [
        migrations.RunSQL("CREATE TABLE slow_half (id int)", migrations.RunSQL.noop),
        migrations.RunSQL("SELECT pg_sleep(600)", migrations.RunSQL.noop),
    ]
