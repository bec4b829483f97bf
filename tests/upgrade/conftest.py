"""A database of the first version, and the same after `migrate`. README.md says where it is from."""

import json
import lzma
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from django.test import override_settings

from exchange.database import roles
from exchange.embedded.roles import APP, OWNER
from tests.database.conftest import (  # noqa: F401  fixtures
    administrator_url,
    ended,
    migrated,
    new_place,
    working_on,
)

HERE = Path(__file__).parent
KEYRING = {"local": "xZBwm2TuMHf+5qRZqfKnZeFieUR+UGygbjKG7Rse0Qg="}


def unpacked(name):
    return lzma.decompress((HERE / name).read_bytes()).decode()


@contextmanager
def first_version(administrator_url):  # noqa: F811
    """A place whose database is as the first version left it."""
    with new_place(administrator_url) as place:
        roles.prepare_as(administrator_url, place.layout)
        dump = unpacked("first_version.sql.xz")
        for name, end in ((OWNER, "owner"), (APP, "app")):
            dump = dump.replace(name, place.role(end).name)
        with closing(psycopg.connect(place.url("owner"), autocommit=True)) as owner:
            owner.execute(dump)
        yield place


@pytest.fixture(scope="module")
def upgraded(administrator_url):  # noqa: F811
    with first_version(administrator_url) as place:
        code, said = ended(place.migrate())
        assert code == 0, said
        yield place


@pytest.fixture(scope="module")
def site(upgraded, django_db_blocker):
    keys = {"KEYRING": KEYRING, "KEYRING_ACTIVE": "local"}
    with working_on(upgraded, "app", django_db_blocker), override_settings(**keys):
        yield upgraded


@pytest.fixture(scope="session")
def answers():
    """What the first version answered to nobody in particular: REST by path, and its pages."""
    return json.loads(unpacked("first_version.json.xz"))
