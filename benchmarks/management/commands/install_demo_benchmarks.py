"""Install the benchmarks that come with the exchange."""

from django.core.management.base import BaseCommand

from benchmarks import installing


class Command(BaseCommand):
    help = "Install the shipped benchmarks, all marked demo. What is there already stays as it is."

    def handle(self, *args, **options):
        for benchmark in installing.install_demo_benchmarks():
            self.stdout.write(f"{benchmark.slug} {benchmark.current_version}")
