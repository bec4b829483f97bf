"""Give a person a role on the whole site."""

from django.core.management.base import BaseCommand, CommandError

from exchange.accounts import services
from exchange.accounts.models import User
from exchange.core.actors import SiteRole

ROLES = [role.name.lower() for role in SiteRole if role is not SiteRole.ANONYMOUS]


class Command(BaseCommand):
    help = "Grant a site role; the grant is written to the audit chain."

    def add_arguments(self, parser):
        parser.add_argument("username")
        parser.add_argument("role", choices=ROLES)

    def handle(self, *args, username, role, **options):
        try:
            services.grant_site_role(username=username, role=SiteRole[role.upper()])
        except User.DoesNotExist as error:
            raise CommandError(f"There is no user {username}.") from error
        self.stdout.write(f"{username} is now {role}.")
