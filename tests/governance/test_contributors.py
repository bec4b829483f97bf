"""A verified address and one contribution make a contributor."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from benchmarks import services as benchmarks
from exchange.accounts.models import User
from exchange.accounts.selectors import actor_for_user
from exchange.core import events
from exchange.core.actors import SYSTEM, SiteRole
from exchange.core.models import AuditEntry
from governance.models import Contribution
from submissions.models import Submission
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.benchmarks import BenchmarkFactory, draft_version, published_version
from tests.factories.submissions import make_submission

pytestmark = pytest.mark.django_db


def role_of(person):
    return SiteRole(User.objects.get(pk=person.pk).role)


def verify(person):
    User.objects.filter(pk=person.pk).update(email_verified=True)
    events.publish("email.verified", actor=SYSTEM, subject_id=person.pk)


def submit(person):
    events.publish("submission.created", actor=actor_for_user(person), subject_id=person.pk)


class TestContributor:
    def test_is_who_verified_then_submitted(self):
        person = UserFactory()
        verify(person)
        assert role_of(person) == SiteRole.REGISTERED

        submit(person)

        assert role_of(person) == SiteRole.CONTRIBUTOR

    def test_is_who_submitted_then_verified(self):
        person = UserFactory()
        submit(person)
        assert role_of(person) == SiteRole.REGISTERED

        verify(person)

        assert role_of(person) == SiteRole.CONTRIBUTOR

    def test_is_who_published_a_version(self):
        person = UserFactory(email_verified=True)
        draft = draft_version(BenchmarkFactory())
        MembershipFactory(user=person, organization=draft.benchmark.organization)
        benchmarks.publish_version(actor=actor_for_user(person), version_id=draft.pk)

        assert role_of(person) == SiteRole.CONTRIBUTOR
        assert Contribution.objects.get().subject_id == draft.pk

    def test_keeps_a_higher_role(self):
        person = UserFactory(role=SiteRole.REVIEWER, email_verified=True)
        submit(person)

        assert role_of(person) == SiteRole.REVIEWER

    def test_is_made_once_and_the_grant_is_a_fact(self):
        person = UserFactory(email_verified=True)
        submit(person)
        submit(person)

        grants = AuditEntry.objects.filter(kind="user.role_granted", subject_id=person.pk)
        assert [entry.facts for entry in grants] == [{"role": "contributor", "reason": "contribution"}]
        assert Contribution.objects.count() == 1

    def test_is_nobody_without_an_account(self):
        published_version()  # by an actor that is no person
        events.publish("submission.created", actor=SYSTEM, subject_id=UserFactory().pk)

        assert not Contribution.objects.exists()

    def test_of_earlier_days_is_found_by_the_migration(self):
        submitter, publisher, nobody = UserFactory.create_batch(3)
        claim = make_submission()
        Submission.objects.filter(pk=claim.pk).update(submitted_by=submitter)
        draft = draft_version(BenchmarkFactory())
        MembershipFactory(user=publisher, organization=draft.benchmark.organization)
        benchmarks.publish_version(actor=actor_for_user(publisher), version_id=draft.pk)
        Contribution.objects.all().delete()

        migration = import_module("governance.migrations.0002_default_rules")
        migration.note_earlier_contributions(apps, SimpleNamespace(connection=connection))

        found = dict(Contribution.objects.values_list("user_id", "subject_id"))
        assert found[submitter.pk] == claim.pk
        assert found[publisher.pk] == draft.pk
        assert nobody.pk not in found
