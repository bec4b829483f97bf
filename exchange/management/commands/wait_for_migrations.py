"""Wait until the database is as new as the program. Pods begin with it, so that none serves before."""

import time

from django.core.management.base import BaseCommand
from django.db import Error, connection

from exchange.database import upgrade

PAUSE_SECONDS = 2.0


class Command(BaseCommand):
    help = "Return once every migration of this program is applied, whether or not the database answers yet."
    requires_system_checks = ()

    def handle(self, *args, **options):
        said = None
        while reason := self._why_not():
            if reason != said:
                self.stdout.write(f"Waiting: {reason}.")
                said = reason
            time.sleep(PAUSE_SECONDS)
        self.stdout.write("Every migration is applied.")

    def _why_not(self):
        """What is waited for, or an empty string. No connection is held between two looks."""
        try:
            missing = upgrade.pending_migrations(connection)
        except Error as error:
            return f"the database does not answer ({type(error).__name__})"
        finally:
            connection.close()
        return f"{', '.join(missing)} not applied" if missing else ""
