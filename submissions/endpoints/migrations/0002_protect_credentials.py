from django.db import migrations

from exchange.core.tenancy import protect


class Migration(migrations.Migration):
    dependencies = [("endpoints", "0001_initial")]

    operations = [protect("endpoints_endpointcredential")]
