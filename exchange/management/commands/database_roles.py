"""What an administrator of PostgreSQL runs where `migrate` may not make database and roles itself."""

from django.core.management.base import BaseCommand

from exchange.database import rights, roles


class Command(BaseCommand):
    help = (
        "Print the SQL that makes the database and its two roles, for psql, which asks for their passwords."
    )
    requires_system_checks = ()

    def handle(self, *args, **options):
        self.stdout.write(roles.as_text(rights.layout()))
