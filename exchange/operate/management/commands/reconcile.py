"""Count everything again."""

from django.core.management.base import BaseCommand, CommandError

from exchange.operate.reconcile import reconcile
from exchange.storage import EvidenceUnavailable


class Command(BaseCommand):
    help = (
        "Count everything again: a line for each check with how much it looked at, every difference by its "
        "name, and their number. It changes nothing, and the site may be at work. Ends with 1 when something "
        "differs."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "--skip-bytes", action="store_true", help="look at the evidence's sizes, and do not read it"
        )

    def handle(self, *args, skip_bytes, **options):
        total = 0
        try:
            for found in reconcile(skip_bytes=skip_bytes):
                total += found.differences
                self._say(found)
        except EvidenceUnavailable as error:
            raise CommandError(f"{error} What comes after the last line was not looked at.") from error
        if total:
            raise CommandError(f"{total} differences" if total > 1 else "1 difference")
        self.stdout.write("0 differences")

    def _say(self, found):
        self.stdout.write(f"{found.title}: {found.looked_at} looked at, {found.differences} differ")
        for text in (*found.named, *found.remarks):
            self.stdout.write(f"  {_printable(text)}")
        if unnamed := found.differences - len(found.named):
            self.stdout.write(f"  and {unnamed} more")


def _printable(text):
    """Of one line, and nothing that a terminal would obey: names in the database are not ours."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
