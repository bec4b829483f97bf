"""The database and its two roles, as an administrator makes them."""

import subprocess
from dataclasses import replace

import psycopg
import pytest

from exchange.database import roles
from exchange.database.roles import Role
from exchange.embedded import programs
from exchange.embedded.home import find_home
from tests import servers
from tests.database.conftest import connected, run

TABLE = "CREATE TABLE kept (id bigint GENERATED ALWAYS AS IDENTITY, text text)"
WRITE = "INSERT INTO kept (text) VALUES ('a')"


def rights_of(place, *ends):
    """(superuser, goes round row-level security, makes databases, makes roles) of each role there is."""
    query = "SELECT rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole FROM pg_roles"
    with connected(place.administrator_url) as connection:
        rights = {name: tuple(rest) for name, *rest in connection.execute(query)}
    return {end: rights[place.role(end).name] for end in ends if place.role(end).name in rights}


class TestPrepare:
    def test_lets_the_owner_make_tables_and_the_application_use_them(self, place):
        roles.prepare_as(place.administrator_url, place.layout)
        run(place.url("owner"), TABLE)
        assert run(place.url("app"), WRITE, "UPDATE kept SET text = 'b'", "DELETE FROM kept") == [1, 1, 1]
        for statement in ("DROP TABLE kept", "CREATE TABLE more ()"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(place.url("app"), statement)

    def test_binds_the_application_to_row_level_security(self, place):
        roles.prepare_as(place.administrator_url, place.layout)
        assert rights_of(place, "owner", "app") == {
            "owner": (False, True, False, False),
            "app": (False, False, False, False),
        }

    def test_is_safe_to_repeat_and_sets_new_passwords(self, place):
        before = replace(place.layout, application=Role(place.role("app").name, "old"))
        roles.prepare_as(place.administrator_url, before)
        roles.prepare_as(place.administrator_url, place.layout)
        assert run(place.url("app"), "SELECT") == [1]

    def test_needs_no_superuser(self, place):
        """As at providers of managed databases. Who may not go round row-level security gives nobody that."""
        role = place.role("admin")
        rights = f"LOGIN PASSWORD '{role.password}' CREATEROLE CREATEDB"
        run(place.administrator_url, f"CREATE ROLE {role.name} {rights}")
        for _ in range(2):
            roles.prepare_as(place.url("admin", "postgres"), place.layout)
        run(place.url("owner"), TABLE)
        assert run(place.url("app"), WRITE) == [1]
        assert rights_of(place, "owner") == {"owner": (False, False, False, False)}

    def test_makes_one_role_where_application_and_owner_are_one(self, place):
        roles.prepare_as(place.administrator_url, replace(place.layout, application=place.role("owner")))
        run(place.url("owner"), TABLE, WRITE)
        assert rights_of(place, "owner", "app") == {"owner": (False, False, False, False)}


@pytest.mark.sockets
class TestAsText:
    def test_does_the_same_in_psql(self, place):
        text = roles.as_text(place.layout)
        for role in (place.role("owner"), place.role("app")):
            asked = f'\\password "{role.name}"'
            assert asked in text
            text = text.replace(asked, f"ALTER ROLE \"{role.name}\" PASSWORD '{role.password}';")
        psql = programs.postgres_bin(find_home(servers.STATE)) / "psql"
        argv = [psql, "-v", "ON_ERROR_STOP=1", place.administrator_url]
        subprocess.run(argv, input=text, text=True, check=True, capture_output=True)
        run(place.url("owner"), TABLE)
        assert run(place.url("app"), WRITE) == [1]


class TestGrants:
    def test_reach_what_is_there_and_what_comes(self, place):
        roles.prepare_as(place.administrator_url, replace(place.layout, application=place.role("owner")))
        role = place.role("app")
        run(place.administrator_url, f"CREATE ROLE {role.name} LOGIN PASSWORD '{role.password}'")
        run(place.url("owner"), TABLE)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(place.url("app"), WRITE)
        run(place.url("owner"), *roles.grants(place.layout), "CREATE TABLE later (text text)")
        assert run(place.url("app"), WRITE, "INSERT INTO later VALUES ('a')") == [1, 1]
