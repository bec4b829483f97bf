"""Say that an organization is there to show the exchange."""

from django.core.management.base import BaseCommand, CommandError

from exchange.accounts import operating
from exchange.accounts.models import Organization
from exchange.core.actors import SYSTEM


class Command(BaseCommand):
    help = "Mark an organization as demo: its endpoints, claims and measurements are shown as such."

    def add_arguments(self, parser):
        parser.add_argument("slug")

    def handle(self, *args, slug, **options):
        try:
            operating.mark_demo(actor=SYSTEM, slug=slug)
        except Organization.DoesNotExist as error:
            raise CommandError(f"There is no organization {slug}.") from error
        self.stdout.write(f"{slug} is marked as demo.")
