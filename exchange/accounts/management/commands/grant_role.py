"""Give a person a role on the whole site."""

from django.core.management.base import BaseCommand, CommandError

from exchange.accounts import operating, selectors
from exchange.accounts.errors import PersonNotFound
from exchange.core.actors import SYSTEM, SiteRole

ROLES = [role.name.lower() for role in SiteRole if role is not SiteRole.ANONYMOUS]


class Command(BaseCommand):
    help = "Grant a site role; the grant is written to the audit chain."

    def add_arguments(self, parser):
        parser.add_argument("username")
        parser.add_argument("role", choices=ROLES)

    def handle(self, *args, username, role, **options):
        try:
            user = selectors.get_person_by_username(actor=SYSTEM, username=username)
        except PersonNotFound as error:
            raise CommandError(f"There is no user {username}.") from error
        operating.grant_site_role(actor=SYSTEM, user_id=user.pk, role=role)
        self.stdout.write(f"{username} is now {role}.")
