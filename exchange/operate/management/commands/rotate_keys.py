"""Seal everything by the active key."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exchange.operate import keys


class Command(BaseCommand):
    help = (
        "Seal the keys of endpoints and the kept answers anew by EXCHANGE_KEYRING_ACTIVE. The site may be at "
        "work, and it may be repeated. Says which keys of the ring seal nothing."
    )

    def handle(self, *args, **options):
        shut = 0
        for one in keys.rotate():
            shut += one.shut
            counts = f"{one.anew} sealed anew, {one.already} were already, {one.shut} do not open"
            self.stdout.write(f"{one.name}: {counts}")
        self._say_what_may_go()
        if shut:
            raise CommandError(
                f"{shut} do not open with this ring. `manage.py reconcile` says which and why; put the "
                "missing key into EXCHANGE_KEYRING, or let `manage.py forget_credentials` remove them."
            )

    def _say_what_may_go(self):
        used, active = keys.keys_in_use(), settings.KEYRING_ACTIVE
        for key_id in settings.KEYRING:
            if key_id != active and not used[key_id]:
                self.stdout.write(
                    f"The key {key_id} seals nothing. If it is new, set EXCHANGE_KEYRING_ACTIVE={key_id}, "
                    "restart every process and run this again. If it is old, restart every process with "
                    f"{active} as the active one, run this again, and take {key_id} out of EXCHANGE_KEYRING. "
                    "Backups made before now need it: keep it with them."
                )
