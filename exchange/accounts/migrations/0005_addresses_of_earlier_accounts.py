from django.db import migrations


def note_addresses(apps, schema_editor):
    """Each account has the row that says whether its address is confirmed."""
    user, address = apps.get_model("accounts", "User"), apps.get_model("account", "EmailAddress")
    alias = schema_editor.connection.alias
    rows = user.objects.using(alias).values_list("id", "email", "email_verified")
    address.objects.using(alias).bulk_create(
        [
            address(user_id=id_, email=email.lower(), verified=verified, primary=True)
            for id_, email, verified in rows
        ],
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    safe_because = "Accounts are only read; the version before does not know the table that is written."

    dependencies = [
        ('accounts', '0004_letters'),
        ('account', '0009_emailaddress_unique_primary_email'),
    ]

    operations = [migrations.RunPython(note_addresses, migrations.RunPython.noop)]
