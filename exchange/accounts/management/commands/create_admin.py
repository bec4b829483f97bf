"""Make the first administrator."""

import sys
from getpass import getpass

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exchange.accounts import operating, services
from exchange.core.actors import SYSTEM
from exchange.core.errors import DomainError


class Command(BaseCommand):
    help = (
        "Create an account with the site role admin. The password is asked for, "
        "or taken from EXCHANGE_ADMIN_PASSWORD."
    )

    def add_arguments(self, parser):
        parser.add_argument("username")
        parser.add_argument("email")

    def handle(self, *args, username, email, **options):
        password = settings.ENV.text("EXCHANGE_ADMIN_PASSWORD") or _asked()
        try:
            user = services.register(username=username, email=email, password=password)
        except DomainError as refusal:
            reasons = [f"{error.field}: {error.message}" for error in refusal.errors]
            raise CommandError("\n".join(reasons or [str(refusal)])) from refusal
        operating.grant_site_role(actor=SYSTEM, user_id=user.pk, role="admin")
        self.stdout.write(f"{username.lower()} is an administrator. Log in at /login.")


def _asked() -> str:
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask for the password at: set EXCHANGE_ADMIN_PASSWORD.")
    return getpass("Password: ")
