"""Compute every board again from the decided verifications."""

from django.core.management.base import BaseCommand

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from leaderboards import services


class Command(BaseCommand):
    help = "Compute every board again from the decided verifications."

    def handle(self, *args, **options):
        with acting_for(SYSTEM):
            self.stdout.write(f"{services.rebuild()} rows")
