"""A new key for the ring."""

import json
from datetime import UTC, datetime

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exchange.core import envelopes


class Command(BaseCommand):
    help = "Print a new entry for EXCHANGE_KEYRING. It is kept nowhere."
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("key_id", nargs="?", help="its name; by default the day on which it was made")

    def handle(self, *args, key_id, **options):
        name = key_id or f"{datetime.now(UTC):%Y-%m-%d}"  # noqa: TID251  a name for people, compared with nothing
        if name in settings.KEYRING:
            raise CommandError(
                f"The ring has a key {name} already. Name this one: manage.py make_key {name}-2"
            )
        self.stdout.write(json.dumps({name: envelopes.new_key()}))
