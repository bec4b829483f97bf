"""Bring a backup into a fresh place."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from exchange.core.errors import DomainError
from exchange.operate.backup import restoring


class Command(BaseCommand):
    help = (
        "Restore a backup into the empty database and the evidence store that the settings name. All of it "
        "is read first; what is damaged, unfinished or newer is refused. It may be repeated."
    )

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path)

    def handle(self, *args, folder, **options):
        try:
            done = restoring.restore(folder)
        except (DomainError, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        made = done.manifest
        self.stdout.write(
            f"Restored {sum(made.rows.values())} rows, {made.objects} objects of {made.made_at}."
        )
        if done.migrated:
            self.stdout.write("It was older than this version and has been migrated.")
        for key_id, why in done.differing_keys.items():
            self.stdout.write(
                f"The key {key_id} {why}: what it sealed does not open. Set EXCHANGE_KEYRING to the ring "
                "of the backup, or let `manage.py forget_credentials` remove what nothing opens; owners then "
                "enter their keys again."
            )
        self.stdout.write("Now run `manage.py reconcile`, then start the processes.")
