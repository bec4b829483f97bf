"""Do at once what beat does every few seconds."""

from django.core.management.base import BaseCommand

from governance import services


class Command(BaseCommand):
    help = "Close, expire and carry out the proposals that are due."

    def handle(self, *args, **options):
        self.stdout.write(f"Steps taken: {services.finalise_due()}.")
