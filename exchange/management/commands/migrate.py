"""`manage.py migrate`: Django's, made for a site that goes on meanwhile."""

import time
from textwrap import shorten

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections

from exchange.database import rights, roles, upgrade

LINE = 160


class Command(migrate.Command):
    help = f"{migrate.Command.help} Waits for no lock for long, and for its turn where another upgrades."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.set_defaults(database="owner" if "owner" in connections else "default")

    def execute(self, *args, **options):
        self.shown = options["verbosity"] > 0
        if settings.DATABASE_ADMIN_URL:
            roles.prepare_as(settings.DATABASE_ADMIN_URL, rights.layout())
        return super().execute(*args, **options)

    def handle(self, *args, **options):
        if options["plan"] or options["check_unapplied"] or options["prune"]:
            return super().handle(*args, **options)
        connection = connections[options["database"]]
        with upgrade.turn(connection, say=self._say):
            self._refuse_newer(connection)
            self._refuse_without_role(connection)
            self._migrate(connection, *args, **options)
            self._refuse_without_rights(connection)
        return None

    def migration_progress_callback(self, action, migration=None, *_fake):
        if action in ("apply_start", "unapply_start"):
            self.current, self.started = migration, time.monotonic()
        elif action in ("apply_success", "unapply_success"):
            steps = "; ".join(operation.describe() for operation in migration.operations)
            seconds = time.monotonic() - self.started
            self._say(shorten(f"  {migration} in {seconds:.2f} s: {steps}", LINE, placeholder=" …"))

    def _migrate(self, connection, *args, **options):
        self.current = None
        attempt = super().handle

        def once():
            words, options["verbosity"] = options["verbosity"], 0  # Django's words are not said again
            attempt(*args, **{**options, "verbosity": words})

        try:
            with upgrade.short_waits(connection):
                upgrade.patiently(once, say=self._say)
        except upgrade.StillBusy:
            raise CommandError(
                f"{self.current} waits for a lock that a long transaction holds; nothing of it is changed, "
                "and what came before it stays. Run migrate again when that transaction has ended; "
                "pg_stat_activity names it by its xact_start."
            ) from None

    def _refuse_newer(self, connection):
        if unknown := upgrade.unknown_migrations(connection):
            raise CommandError(
                f"This database is newer than the program, which does not know {', '.join(unknown)}. "
                "Start the version that made it, or restore a backup of this version."
            )

    def _refuse_without_role(self, connection):
        if rights.is_missing(connection):
            statements = roles.as_text(rights.layout())
            raise CommandError(
                f"There is no role {settings.DATABASE_APP_ROLE}. Set DATABASE_ADMIN_URL for this command, "
                f"or have an administrator run what is missing of this in psql:\n{statements}"
            )

    def _refuse_without_rights(self, connection):
        role = settings.DATABASE_APP_ROLE
        if names := rights.out_of_reach(connection):
            statements = "\n".join(roles.grants(rights.layout()))
            raise CommandError(f"{role} may not use {', '.join(names)}. As the owner, run:\n{statements}")

    def _say(self, line):
        if self.shown:
            self.stdout.write(line)
            self.stdout.flush()
