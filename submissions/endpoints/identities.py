"""Every write to the identities of models: which name is which model, and whose it is."""

from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from exchange.accounts.selectors import get_organization_by_slug
from exchange.core import clock, events
from exchange.core.actors import SYSTEM
from exchange.core.errors import InvalidInput

from . import selectors
from .errors import ModelNotFound
from .models import LanguageModel, ModelAlias


def get_or_create_model(*, publisher: str, name: str, version: str = "") -> LanguageModel:
    """The model of exactly this identity; the publisher is a claim until it is verified."""
    model, _created = LanguageModel.objects.get_or_create(publisher=publisher, name=name, version=version)
    return model


@transaction.atomic
def add_model_alias(*, model_id: UUID, publisher: str, name: str, version: str = "") -> ModelAlias:
    """For curators: from now on this spelling means that model."""
    model = selectors.get_model(actor=SYSTEM, model_id=model_id)
    alias = ModelAlias(model=model, publisher=publisher, name=name, version=version)
    _check(alias)
    alias.save(force_insert=True)
    facts: dict[str, Any] = {"publisher": publisher, "name": name, "version": version}
    events.publish("model_alias.added", actor=SYSTEM, subject_id=model.pk, **facts)
    return alias


def _check(alias: ModelAlias) -> None:
    try:
        alias.full_clean()
    except ValidationError as error:
        raise InvalidInput("; ".join(error.messages)) from error


@transaction.atomic
def verify_publisher(*, publisher: str, organization_slug: str) -> int:
    """For operators: this publisher's name is that organization's; how many models it marked.

    Models of the publisher that are entered later need it again.
    """
    organization = get_organization_by_slug(actor=SYSTEM, slug=organization_slug)
    models = LanguageModel.objects.filter(publisher=publisher)
    if not models.exists():
        raise ModelNotFound(_("No model has this publisher; it is written exactly as on the model's page."))
    count = models.update(verified_publisher=organization, updated_at=clock.now())
    facts: dict[str, Any] = {"publisher": publisher, "model_count": count}
    events.publish("publisher.verified", actor=SYSTEM, organization_id=organization.pk, **facts)
    return count
