"""Every read of benchmarks. All start from what the actor may see."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.aggregates import Count
from django.db.models.functions import Coalesce

from exchange.accounts.models import User
from exchange.core.actors import Actor
from exchange.core.clock import DatabaseNow
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.contents import CASE_FIELDS, LATER_CASE_FIELDS, METRIC_FIELDS
from llm_benchmark.measure.plans import Question
from llm_benchmark.measure.questions import question

from .content import Content, digest
from .errors import BenchmarkNotFound, CasesArePrivate, NoPublishedVersion, VersionNotFound
from .filters import DEFAULT_ORDER, ORDERS, BenchmarkFilter
from .models import (
    Benchmark,
    BenchmarkStatus,
    BenchmarkVersion,
    Case,
    Metric,
    StatusChange,
    VerificationPolicy,
    VersionStatus,
    Visibility,
)
from .permissions import can_see_cases, may_read_for_organizations, require_review_reader


def visible_to(actor: Actor) -> QuerySet[Benchmark]:
    """What lists show: public benchmarks that are no drafts, and those of the actor's organizations."""
    return Benchmark.objects.filter(_theirs(actor) | _opened(Visibility.PUBLIC))


def reachable_by(actor: Actor) -> QuerySet[Benchmark]:
    """What may be read by id: also unlisted benchmarks."""
    return Benchmark.objects.filter(_theirs(actor) | _opened(Visibility.PUBLIC, Visibility.UNLISTED))


def _opened(*visibilities: Visibility, prefix: str = "") -> Q:
    shown = Q(**{f"{prefix}visibility__in": visibilities})
    return shown & ~Q(**{f"{prefix}status": BenchmarkStatus.DRAFT})


def _theirs(actor: Actor, prefix: str = "") -> Q:
    if actor.is_system:
        return Q(pk__isnull=False)
    own = actor.organization_ids if may_read_for_organizations(actor) else frozenset()
    return Q(**{f"{prefix}organization_id__in": own})


def _with_current(rows: QuerySet[Benchmark]) -> QuerySet[Benchmark]:
    """Rows with their organization, maintainers and published version (None while there is none)."""
    published = BenchmarkVersion.objects.filter(benchmark=OuterRef("pk"), status=VersionStatus.PUBLISHED)
    people = Benchmark.maintained_by.through.objects.filter(benchmark=OuterRef("pk"))
    return rows.select_related(
        "organization"
    ).annotate(  # type: ignore[no-redef]  # the plugin takes annotations for fields
        current_version=Subquery(published.values("version")[:1]),
        current_version_id=Subquery(published.values("pk")[:1]),
        maintainers=ArraySubquery(people.order_by("user__username").values("user__username")),
    )


def list_benchmarks(
    *,
    actor: Actor,
    category: str = "",
    kind: str = "",
    status: str = "",
    tags: Sequence[str] = (),
    organization: str = "",
    license: str = "",
    endorsed: bool | None = None,
    query: str = "",
    ordering: str = DEFAULT_ORDER,
) -> QuerySet[Benchmark]:
    """Those that all the filters let through; see `BenchmarkFilter`."""
    wanted = {
        "category": category,
        "kind": kind,
        "status": status,
        "tags": list(tags),
        "organization": organization,
        "license": license,
        "endorsed": endorsed,
        "query": query,
    }
    rows = BenchmarkFilter(wanted, queryset=visible_to(actor))
    if not rows.is_valid():
        raise InvalidInput.of(next(iter(rows.errors)), "invalid_choice", "")
    if ordering not in ORDERS:
        raise InvalidInput.of("ordering", "invalid_choice", "")
    return _with_current(rows.qs).order_by(ordering, "id")


def list_review_queue(*, actor: Actor) -> QuerySet[Benchmark]:
    """What waits for a reviewer, the longest first, with `waiting_since` and `submitted_by_name`."""
    require_review_reader(actor)
    rows = _with_current(reachable_by(actor)).filter(status=BenchmarkStatus.UNDER_REVIEW)
    submitted = StatusChange.objects.filter(
        benchmark=OuterRef("pk"), to_status=BenchmarkStatus.UNDER_REVIEW
    ).order_by("-created_at")
    submitter = submitted.values("changed_by")[:1]
    return rows.annotate(  # type: ignore[no-redef, misc]  # the plugin takes annotations for fields
        waiting_since=Subquery(submitted.values("created_at")[:1]),
        submitted_by=Subquery(submitter),
        submitted_by_name=Subquery(User.objects.filter(pk=OuterRef("submitted_by")).values("username")[:1]),
    ).order_by("waiting_since", "id")


def list_status_changes(*, actor: Actor, benchmark_id: UUID) -> QuerySet[StatusChange]:
    """Every move of a benchmark, newest first."""
    benchmark = get_benchmark(actor=actor, benchmark_id=benchmark_id)
    who = User.objects.filter(pk=OuterRef("changed_by")).values("username")[:1]
    rows = StatusChange.objects.filter(benchmark=benchmark).annotate(  # type: ignore[no-redef]  # the plugin takes annotations for fields
        changed_by_name=Subquery(who)
    )
    return rows.order_by("-created_at", "id")


def get_benchmark(*, actor: Actor, benchmark_id: UUID, lock: bool = False) -> Benchmark:
    """`lock` holds the row until the transaction ends."""
    return _one(_with_current(reachable_by(actor)).filter(pk=benchmark_id), lock=lock)


def get_benchmark_by_slug(*, actor: Actor, slug: str) -> Benchmark:
    """Slugs can be guessed, so an unlisted benchmark is found by its id only."""
    return _one(_with_current(visible_to(actor)).filter(slug=slug))


def _one(rows: QuerySet[Benchmark], *, lock: bool = False) -> Benchmark:
    benchmark = (rows.select_for_update(no_key=True, of=("self",)) if lock else rows).first()
    if benchmark is None:
        raise BenchmarkNotFound
    return benchmark


def versions_reachable_by(actor: Actor) -> QuerySet[BenchmarkVersion]:
    """Drafts of a version are for the organization alone, until a proposal shows them to everybody."""
    opened = _opened(Visibility.PUBLIC, Visibility.UNLISTED, prefix="benchmark__")
    shown = ~Q(status=VersionStatus.DRAFT) | Q(is_proposed=True)
    return BenchmarkVersion.objects.filter(_theirs(actor, "benchmark__") | (opened & shown))


def _whole(rows: QuerySet[BenchmarkVersion]) -> QuerySet[BenchmarkVersion]:
    """Rows with all that `BenchmarkVersionSerializer` shows, in a fixed number of queries."""
    cases = Case.objects.filter(version=OuterRef("pk")).order_by().values("version")
    policies = VerificationPolicy.objects.filter(effective_at__lte=DatabaseNow()).order_by("-number")
    return (
        rows.select_related("benchmark", "parent")  # type: ignore[no-redef]  # the plugin takes annotations for fields
        .annotate(test_case_count=Coalesce(Subquery(cases.annotate(n=Count("pk")).values("n")), 0))
        .prefetch_related(
            Prefetch("metrics", Metric.objects.order_by("position")),
            Prefetch("policies", policies, to_attr="policies_in_force"),
        )
    )


def list_versions(*, actor: Actor, benchmark_id: UUID) -> QuerySet[BenchmarkVersion]:
    """Newest first."""
    benchmark = get_benchmark(actor=actor, benchmark_id=benchmark_id)
    rows = versions_reachable_by(actor).filter(benchmark=benchmark)
    return _whole(rows).order_by("-created_at", "id")


def get_version(*, actor: Actor, version_id: UUID, lock: bool = False) -> BenchmarkVersion:
    """`lock` holds the version's row until the transaction ends."""
    rows = _whole(versions_reachable_by(actor)).filter(pk=version_id)
    version = (rows.select_for_update(no_key=True, of=("self",)) if lock else rows).first()
    if version is None:
        raise VersionNotFound
    return version


def get_version_by_number(*, actor: Actor, benchmark_id: UUID, number: str = "") -> BenchmarkVersion:
    """The version with this number; the current one when `number` is empty."""
    benchmark = get_benchmark(actor=actor, benchmark_id=benchmark_id)
    if not number:
        return current_version(benchmark)
    rows = _whole(versions_reachable_by(actor)).filter(benchmark=benchmark, version=number)
    version = rows.first()
    if version is None:
        raise VersionNotFound
    return version


def current_version(benchmark: Benchmark) -> BenchmarkVersion:
    """The published version, or NoPublishedVersion."""
    rows = _whole(BenchmarkVersion.objects.filter(benchmark=benchmark, status=VersionStatus.PUBLISHED))
    version = rows.first()
    if version is None:
        raise NoPublishedVersion
    return version


def get_policy_in_force(version: BenchmarkVersion, at: datetime) -> VerificationPolicy:
    """The policy with the highest number that is effective at `at`. Every version has one."""
    policies = VerificationPolicy.objects.filter(version=version, effective_at__lte=at)
    policy = policies.order_by("-number").first()
    if policy is None:
        raise VerificationPolicy.DoesNotExist(f"no policy of version {version.pk} at {at}")
    return policy


def list_policies(*, actor: Actor, version_id: UUID) -> QuerySet[VerificationPolicy]:
    """Every rule that a version has had or will have, newest first."""
    version = get_version(actor=actor, version_id=version_id)
    return VerificationPolicy.objects.filter(version=version).order_by("-number", "id")


def list_test_cases(*, actor: Actor, version_id: UUID) -> QuerySet[Case]:
    """In the version's order, for whoever may see them."""
    version = get_version(actor=actor, version_id=version_id)
    if not can_see_cases(actor, version):
        raise CasesArePrivate
    return Case.objects.filter(version=version).order_by("position", "id")


def content_of(version: BenchmarkVersion) -> Content:
    """What the version's rows say, as its hash sees it."""
    metrics = Metric.objects.filter(version=version).order_by("position")
    cases = Case.objects.filter(version=version).order_by("position")
    return Content(
        kind=version.benchmark.kind,
        system_prompt=version.system_prompt,
        prompt_template=version.prompt_template,
        generation=version.generation,
        load_profile=version.load_profile,
        metrics=list(metrics.values(*METRIC_FIELDS)),
        cases=list(cases.values(*CASE_FIELDS, *LATER_CASE_FIELDS)),
    )


def content_hash_of(version: BenchmarkVersion) -> str:
    """The hash that a draft gets if it is published as it is."""
    return digest(content_of(version))


def plan_questions(version: BenchmarkVersion) -> list[Question]:
    """Every case, ready for the engine: its prompt rendered by the version's template. For runs: no actor."""
    content = content_of(version)
    return [question(content.prompt_template, case) for case in content.cases]


def list_metrics(version: BenchmarkVersion) -> list[Metric]:
    """In the author's order."""
    return list(Metric.objects.filter(version=version).order_by("position"))
