"""Give up the keys of endpoints that no key of the ring opens."""

from django.core.management.base import BaseCommand

from exchange.operate import keys


class Command(BaseCommand):
    help = (
        "List the keys of endpoints that no key of EXCHANGE_KEYRING opens; with --yes, delete them. Their "
        "owners then enter them again at the endpoint."
    )

    def add_arguments(self, parser):
        parser.add_argument("--yes", action="store_true", help="delete what is listed")

    def handle(self, *args, yes, **options):
        shut = keys.shut_credentials()
        for row, why in shut:
            self.stdout.write(f"{row.endpoint.organization.slug}: the key of {row.endpoint.name} {why}")
        if yes:
            self.stdout.write(f"{keys.forget_shut()} deleted; their owners have to enter them again")
        elif shut:
            self.stdout.write("Nothing was deleted. If the ring is the right one, repeat with --yes.")
        else:
            self.stdout.write("Every key of an endpoint opens with this ring.")
