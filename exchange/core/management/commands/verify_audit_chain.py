"""Check every entry of the audit chain."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exchange.core import audit
from exchange.core.models import AuditEntry


class Command(BaseCommand):
    help = "Compute the audit chain again; name the first entry that does not follow, or say how many do."

    def handle(self, *args: Any, **options: Any) -> None:
        entries = AuditEntry.objects.order_by("sequence")
        broken = audit.first_broken(entries.iterator())
        if broken is not None:
            raise CommandError(f"The chain is broken at entry {broken.sequence} ({broken.kind}).")
        self.stdout.write(f"{entries.count()} entries, unbroken")
