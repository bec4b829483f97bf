"""The benchmarks that come with the exchange, put into a database."""

from django.db import transaction

from exchange.accounts.models import Organization, OrganizationType
from exchange.core.actors import SYSTEM

from . import demo, selectors
from .models import Benchmark
from .services import activate_benchmark, create_benchmark, create_version, publish_version


@transaction.atomic
def install_demo_benchmarks() -> list[Benchmark]:
    """The shipped benchmarks, published and active; those that are there already stay as they are."""
    organization, _new = Organization.objects.get_or_create(
        slug=demo.ORGANIZATION_SLUG,
        defaults={"name": "Exchange demo", "type": OrganizationType.OPEN_SOURCE, "is_demo": True},
    )
    return [_installed(organization, shipped) for shipped in demo.shipped()]


def _installed(organization: Organization, shipped: demo.Shipped) -> Benchmark:
    slug = shipped.benchmark["slug"]
    if not Benchmark.objects.filter(slug=slug).exists():
        actor = demo.actor_for(organization.pk)
        draft = create_benchmark(actor=actor, organization_id=organization.pk, **shipped.benchmark)
        version = create_version(actor=actor, benchmark_id=draft.pk, **shipped.version)
        publish_version(actor=actor, version_id=version.pk)
        activate_benchmark(actor=SYSTEM, benchmark_id=draft.pk, endorsed=False)
    return selectors.get_benchmark_by_slug(actor=SYSTEM, slug=slug)
