"""`python -m exchange.alive` among the other commands. Probes take that itself: it starts much faster."""

import sys

from django.core.management.base import BaseCommand

from exchange import alive


class Command(BaseCommand):
    help = "Exit code 0 while this host's worker, measure or beat makes progress, else 1."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--kind", choices=alive.KINDS, required=True)
        parser.add_argument("--seconds", type=float, default=alive.STALLED_SECONDS)

    def handle(self, *, kind, seconds, **options):
        sys.exit(alive.main(["--kind", kind, "--seconds", str(seconds)]))
