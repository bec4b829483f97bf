"""Copy all evidence that the database names into another store."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exchange.operate.moving import FAILED, Outcome, move
from exchange.operate.named import named_digests
from exchange.storage import EvidenceUnavailable, store_at

A_LINE_EACH = 100


class Command(BaseCommand):
    help = "Copy all evidence into another store and read it again there. Deletes nothing; may be repeated."

    def add_arguments(self, parser):
        parser.add_argument("--to", required=True, metavar="URL", help="file:///folder or s3://bucket/prefix")
        parser.add_argument(
            "--from", dest="source", default=settings.EVIDENCE_URL, metavar="URL", help="the store in use"
        )

    def handle(self, *args, to, source, **options):
        if to == source:
            raise CommandError("--to and --from are the same store.")
        self.digests, self.done = list(named_digests()), 0
        try:
            counts = move(
                self.digests, source=self.store_at(source), target=self.store_at(to), report=self.report
            )
        except EvidenceUnavailable as error:
            done = f"{self.done} of {len(self.digests)} objects are done"
            raise CommandError(f"{error} {done}; the same command goes on from there.") from error
        found = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome)
        self.stdout.write(f"{len(self.digests)} objects: {found}")
        if any(counts[outcome] for outcome in FAILED):
            raise CommandError(f"Not all are whole at {to}. Mend the objects named above, then repeat.")
        self.stdout.write(
            f"All are whole at {to}, and nothing was deleted at {source}. Now set EXCHANGE_EVIDENCE_URL={to} "
            f"for every process, restart them, and repeat with --from {source} for what came in meanwhile."
        )

    def store_at(self, url):
        try:
            return store_at(url)
        except ValueError as wrong:
            raise CommandError(f"{url}: {wrong}.") from wrong

    def report(self, sha256, outcome):
        self.done += 1
        if outcome in FAILED:
            self.stderr.write(f"{sha256} is {outcome}")
        if self.done % A_LINE_EACH == 0:
            self.stdout.write(f"{self.done} of {len(self.digests)}")
            self.stdout.flush()
