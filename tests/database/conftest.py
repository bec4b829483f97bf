import os
import secrets
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection
from django.test import override_settings

from exchange import processes
from exchange.database.roles import Layout, Role
from exchange.embedded.record import Record
from tests import servers


@contextmanager
def connected(url):
    with closing(psycopg.connect(url, autocommit=True)) as opened:
        yield opened


def run(url, *statements):
    """How many rows each statement was about."""
    with connected(url) as opened:
        return [opened.execute(statement).rowcount for statement in statements]


@dataclass(frozen=True)
class Place:
    """A database of the test's own with two roles, of which nothing is there to begin with.

    `url("app")` is of the role NAME_app, `url("owner")` and `url("admin")` of two more.
    """

    administrator_url: str
    name: str

    @property
    def layout(self):
        return Layout(self.name, self.role("owner"), self.role("app"))

    def role(self, end):
        return Role(f"{self.name}_{end}", f"word-of-{end}")

    def url(self, end, database=None):
        address, role = urlsplit(self.administrator_url).netloc.rpartition("@")[2], self.role(end)
        return f"postgresql://{role.name}:{role.password}@{address}/{database or self.name}"

    def migrate(self, *arguments, **more):
        """`manage.py migrate` as a process, started."""
        env = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "exchange.settings.dev",
            "DATABASE_URL": self.url("app"),
            "DATABASE_OWNER_URL": self.url("owner"),
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "EXCHANGE_STATE_DIR": str(servers.STATE / "migrate"),
        }
        argv = [sys.executable, str(processes.CHECKOUT / "manage.py"), "migrate", "--no-input", *arguments]
        return subprocess.Popen(
            argv, env=env | more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )


@contextmanager
def new_place(administrator_url):
    made = Place(administrator_url, f"made_{secrets.token_hex(4)}")
    try:
        yield made
    finally:
        run(administrator_url, f"DROP DATABASE IF EXISTS {made.name} WITH (FORCE)")
        for end in ("owner", "app", "admin"):
            run(administrator_url, f"DROP ROLE IF EXISTS {made.role(end).name}")


def ended(process):
    """Its exit code and what it said."""
    said, _ = process.communicate(timeout=300)
    return process.returncode, said


@contextmanager
def working_on(place, end, blocker):
    """This process works on that database, as the role of this end."""
    role = place.role(end)
    there = {"NAME": place.name, "USER": role.name, "PASSWORD": role.password}
    here = {name: connection.settings_dict[name] for name in there}
    with blocker.unblock(), override_settings(DATABASE_APP_ROLE=place.role("app").name):
        connection.close()
        connection.settings_dict.update(there)
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict.update(here)


@pytest.fixture(scope="session")
def administrator_url():
    """A superuser of the tests' own PostgreSQL."""
    path = servers.STATE / "servers.json"
    if not path.exists():
        pytest.skip("PostgreSQL was given by DATABASE_URL, and its administrator is not known")
    record = Record.load(path)
    return (
        f"postgresql://postgres:{record.passwords['postgres']}@127.0.0.1:{record.ports['postgres']}/postgres"
    )


@pytest.fixture
def place(administrator_url):
    with new_place(administrator_url) as place:
        yield place


@pytest.fixture(scope="session")
def migrated(administrator_url):
    """A place whose database is made from nothing by `migrate` alone."""
    with new_place(administrator_url) as place:
        code, said = ended(place.migrate(DATABASE_ADMIN_URL=administrator_url))
        assert code == 0, said
        yield place
