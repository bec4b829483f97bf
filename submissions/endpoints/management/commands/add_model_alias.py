"""Say that another spelling means a model that is known."""

from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from exchange.core import events
from exchange.core.actors import SYSTEM
from submissions.endpoints.models import LanguageModel, ModelAlias


class Command(BaseCommand):
    help = "For curators: from now on this spelling means that model; it is written to the audit chain."

    def add_arguments(self, parser):
        parser.add_argument("model_id", type=UUID)
        parser.add_argument("publisher")
        parser.add_argument("name")
        parser.add_argument("version", nargs="?", default="")

    @transaction.atomic
    def handle(self, *args, model_id, publisher, name, version, **options):
        model = LanguageModel.objects.filter(pk=model_id).first()
        if model is None:
            raise CommandError(f"There is no model {model_id}.")
        alias = ModelAlias(model=model, publisher=publisher, name=name, version=version)
        try:
            alias.full_clean()
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        alias.save(force_insert=True)
        facts = {"publisher": publisher, "name": name, "version": version}
        events.publish("model_alias.added", actor=SYSTEM, subject_id=model.pk, **facts)
        self.stdout.write(f"{alias} means {model}.")
