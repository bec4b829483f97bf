"""Save everything into a folder."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from exchange.core.errors import DomainError
from exchange.operate.backup import ring, saving


class Command(BaseCommand):
    help = (
        "Save the database and its evidence into a folder; the site may be at work. A second backup into the "
        "same folder copies only new evidence and reads all of it. No key of EXCHANGE_KEYRING is in it."
    )

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--keyring",
            type=Path,
            metavar="FILE",
            help="save the keyring too, in a file outside of the folder",
        )

    def handle(self, *args, folder, keyring, **options):
        if keyring and keyring.resolve().is_relative_to(folder.resolve()):
            raise CommandError("Keep the keys apart from the data: name a file outside of the folder.")
        try:
            manifest = saving.save(folder)
            if keyring:
                ring.save(keyring)
        except (DomainError, OSError) as refusal:
            raise CommandError(str(refusal)) from refusal
        self._say(folder, manifest, keyring)

    def _say(self, folder, manifest, keyring):
        rows, size = sum(manifest.rows.values()), manifest.object_bytes / 2**20
        self.stdout.write(f"Saved in {folder}: {rows} rows, {manifest.objects} objects of {size:.1f} MiB.")
        place = f"saved in {keyring}" if keyring else "not saved; keep EXCHANGE_KEYRING elsewhere"
        self.stdout.write(f"Keys that it needs: {', '.join(manifest.keys)} ({place}).")
        if manifest.missing:
            raise CommandError(
                f"{len(manifest.missing)} objects are not in the backup, since the evidence store does not "
                f"have them whole: {', '.join(manifest.missing[:20])}"
            )
