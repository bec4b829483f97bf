import django.core.validators
import exchange.accounts.identifiers
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='affiliation',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
        migrations.AddField(
            model_name='user',
            name='bio',
            field=models.TextField(blank=True, db_default='', default='', max_length=1000),
        ),
        migrations.AddField(
            model_name='user',
            name='github_username',
            field=models.CharField(blank=True, db_default='', default='', max_length=39, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}\\Z', 'This is no GitHub user name: letters, digits and single hyphens.')]),
        ),
        migrations.AddField(
            model_name='user',
            name='orcid',
            field=models.CharField(blank=True, db_default='', default='', max_length=19, validators=[exchange.accounts.identifiers.orcid_form]),
        ),
        migrations.AddField(
            model_name='user',
            name='public_email',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254),
        ),
        migrations.AddField(
            model_name='user',
            name='session_epoch',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='user',
            name='website',
            field=models.URLField(blank=True, db_default='', default='', max_length=300),
        ),
    ]
