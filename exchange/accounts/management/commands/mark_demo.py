"""Say that an organization is there to show the exchange."""

from django.core.management.base import BaseCommand, CommandError

from exchange.accounts import services
from exchange.accounts.models import Organization


class Command(BaseCommand):
    help = "Mark an organization as demo: its endpoints, claims and measurements are shown as such."

    def add_arguments(self, parser):
        parser.add_argument("slug")

    def handle(self, *args, slug, **options):
        try:
            services.mark_demo(slug=slug)
        except Organization.DoesNotExist as error:
            raise CommandError(f"There is no organization {slug}.") from error
        self.stdout.write(f"{slug} is marked as demo.")
