from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import connection
from rest_framework.test import APIClient

from tests.scopes import place_of, scope_of

OWNER = ("USER", "PASSWORD")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: place_of(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return scope_of(nodeid)

    return Scheduling(config, log)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment,
    django_db_blocker,
    django_db_modify_db_settings,  # a database for each worker of xdist
    django_db_keepdb,
    django_db_createdb,
):
    """Make the test database as its owner, then run as the application's role."""
    from django.test.utils import setup_databases, teardown_databases

    keep_first_rules()
    app = {name: connection.settings_dict[name] for name in OWNER}
    owner = {name: settings.DATABASE_OWNER[name] for name in OWNER}
    keep = django_db_keepdb and not django_db_createdb
    with django_db_blocker.unblock():
        connection.settings_dict.update(owner)
        made = setup_databases(verbosity=0, interactive=False, keepdb=keep, serialized_aliases=set())
        with connection.cursor() as cursor:
            cursor.execute(f'GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO "{app["USER"]}"')
        connection.close()
        connection.settings_dict.update(app)
    yield
    with django_db_blocker.unblock():
        connection.close()
        connection.settings_dict.update(owner)
        if not django_db_keepdb:
            teardown_databases(made, verbosity=0)


def keep_first_rules():
    """A test that empties all tables takes the first voting rules away; Django then says post_migrate."""
    from django.apps import apps
    from django.db import connections
    from django.db.models.signals import post_migrate

    migration = import_module("governance.migrations.0002_default_rules")

    def refill(using, **_signal):
        if not apps.get_model("governance", "Procedure").objects.using(using).exists():
            migration.add_default_rules(apps, SimpleNamespace(connection=connections[using]))

    post_migrate.connect(refill, sender=apps.get_app_config("governance"), weak=False)


@pytest.fixture
def api():
    """A REST client that sends JSON."""
    client = APIClient()
    client.default_format = "json"
    return client


@pytest.fixture
def actor_of(db):
    """`actor_of(organization, role="member", site_role=…)`: a new person's Actor."""
    from exchange.accounts.selectors import actor_for_user
    from tests.factories.accounts import MembershipFactory, UserFactory

    def make(*organizations, role="owner", scopes=None, **user):
        person = UserFactory(**user)
        for organization in organizations:
            MembershipFactory(user=person, organization=organization, role=role)
        actor = actor_for_user(person)
        return actor if scopes is None else replace(actor, scopes=frozenset(scopes))

    return make


@pytest.fixture
def api_as(db):
    """`api_as(user, *scopes)`: a REST client with a token of that person."""
    from tests.factories.accounts import token_for

    def make(user, *scopes):
        client = APIClient()
        client.default_format = "json"
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(user, *scopes)}")
        return client

    return make


@pytest.fixture(scope="session")
def s3_server():
    """A real S3 server with the bucket `evidence`; see tests/s3.py."""
    from tests.s3 import S3Server

    with S3Server() as server:
        server.client().create_bucket(Bucket=S3Server.BUCKET)
        yield server
