"""`manage.py migrate`: one at a time, patient, and refusing what would not work."""

import re
from select import select

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError

from exchange.database import roles, upgrade
from tests.database.conftest import connected, ended, run, working_on

pytestmark = pytest.mark.sockets


class TestMigrate:
    def test_makes_database_roles_and_tables_for_an_administrator(self, migrated):
        assert run(migrated.url("app"), "SELECT FROM core_auditentry") == [0]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(migrated.url("app"), "DROP TABLE core_auditentry")

    def test_says_what_an_administrator_has_to_run(self, place):
        roles.prepare_as(place.administrator_url, place.layout)
        role = place.role("app").name
        run(_inside(place), f"DROP OWNED BY {role}")
        run(place.administrator_url, f"DROP ROLE {role}")
        code, said = ended(place.migrate())
        assert (code, f"There is no role {role}" in said) == (1, True), said
        assert f'CREATE ROLE "{role}"' in said
        assert place.role("owner").password not in said

    def test_refuses_a_database_that_is_newer_and_names_what_it_does_not_know(
        self, migrated, django_db_blocker
    ):
        newer = "INSERT INTO django_migrations (app, name, applied) VALUES ('runs', '0999_later', now())"
        run(migrated.url("owner"), newer)
        try:
            with (
                working_on(migrated, "owner", django_db_blocker),
                pytest.raises(CommandError, match=r"does not know runs\.0999_later"),
            ):
                call_command("migrate", verbosity=0)
        finally:
            run(migrated.url("owner"), "DELETE FROM django_migrations WHERE name = '0999_later'")

    def test_says_which_rights_the_application_lacks_and_what_gives_them(self, migrated):
        role = migrated.role("app").name
        run(migrated.url("owner"), f'REVOKE DELETE ON accounts_user FROM "{role}"')
        code, said = ended(migrated.migrate())
        assert (code, f"{role} may not use accounts_user." in said) == (1, True), said
        run(migrated.url("owner"), *re.findall(r"^(?:GRANT|ALTER) .*;$", said, re.MULTILINE))
        assert ended(migrated.migrate())[0] == 0

    @pytest.mark.parametrize("right", ["SUPERUSER", "BYPASSRLS"])
    def test_refuses_an_application_that_goes_round_row_level_security(
        self, migrated, right, django_db_blocker
    ):
        role = migrated.role("app").name
        run(migrated.administrator_url, f"ALTER ROLE {role} {right}")
        try:
            with (
                working_on(migrated, "owner", django_db_blocker),
                pytest.raises(SystemCheckError, match="goes round row-level security"),
            ):
                call_command("migrate", verbosity=0, skip_checks=False)
        finally:
            run(migrated.administrator_url, f"ALTER ROLE {role} NO{right}")

    def test_waits_for_its_turn_and_then_finds_nothing_to_do(self, migrated):
        with connected(migrated.url("owner")) as other:
            other.execute("SELECT pg_advisory_lock(%s)", [upgrade.TURN])
            process = migrated.migrate(DATABASE_ADMIN_URL=migrated.administrator_url)
            try:
                assert select([process.stdout], [], [], 120)[0], "it says nothing"
                assert process.stdout.readline() == "Another upgrade is running; this one waits for it.\n"
                assert process.poll() is None
                other.execute("SELECT pg_advisory_unlock(%s)", [upgrade.TURN])
                code, said = ended(process)
            finally:
                process.kill()
        assert (code, "No migrations to apply" in said) == (0, True), said


def _inside(place):
    """The test's own database as the administrator."""
    return f"{place.administrator_url.removesuffix('postgres')}{place.name}"


class TestDatabaseRoles:
    def test_prints_what_an_administrator_runs_without_a_password(self, settings, capsys):
        call_command("database_roles")
        said = capsys.readouterr().out
        role, password = settings.DATABASE_APP_ROLE, settings.DATABASES["default"]["PASSWORD"]
        assert f'CREATE ROLE "{role}" LOGIN' in said
        assert password not in said
