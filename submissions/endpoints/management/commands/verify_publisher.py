"""Say that a publisher's name is an organization's own."""

from django.core.management.base import BaseCommand, CommandError

from exchange.core.errors import DomainError
from submissions.endpoints import identities


class Command(BaseCommand):
    help = "For operators: models of this publisher are shown as verified; it is written to the audit chain."

    def add_arguments(self, parser):
        parser.add_argument("publisher")
        parser.add_argument("organization", help="the organization's short name")

    def handle(self, *args, publisher, organization, **options):
        try:
            count = identities.verify_publisher(publisher=publisher, organization_slug=organization)
        except DomainError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{publisher} is {organization}: {count} model(s) marked.")
