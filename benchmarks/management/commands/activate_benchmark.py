"""Let a benchmark take submissions."""

from django.core.management.base import BaseCommand, CommandError

from benchmarks import selectors, services
from exchange.core.actors import SYSTEM
from exchange.core.errors import DomainError


class Command(BaseCommand):
    help = "Make a benchmark active; it is written to the audit chain."

    def add_arguments(self, parser):
        parser.add_argument("slug")

    def handle(self, *args, slug, **options):
        try:
            benchmark = selectors.get_benchmark_by_slug(actor=SYSTEM, slug=slug)
            services.activate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, endorsed=False)
        except DomainError as refusal:
            raise CommandError(f"{slug}: {refusal}") from refusal
        self.stdout.write(f"{slug} is active.")
