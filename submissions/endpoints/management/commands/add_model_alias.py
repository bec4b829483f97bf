"""Say that another spelling means a model that is known."""

from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from exchange.core.errors import DomainError
from submissions.endpoints import identities


class Command(BaseCommand):
    help = "For curators: from now on this spelling means that model; it is written to the audit chain."

    def add_arguments(self, parser):
        parser.add_argument("model_id", type=UUID)
        parser.add_argument("publisher")
        parser.add_argument("name")
        parser.add_argument("version", nargs="?", default="")

    def handle(self, *args, model_id, publisher, name, version, **options):
        try:
            alias = identities.add_model_alias(
                model_id=model_id, publisher=publisher, name=name, version=version
            )
        except DomainError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{alias} means {alias.model}.")
