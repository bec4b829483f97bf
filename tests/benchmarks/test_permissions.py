"""Every service and selector of benchmarks × who asks."""

import pytest

from benchmarks import reviewing, selectors, services
from tests.contract.matrix import NOTHING, YES, World, changed, check, lasting, nothing_else, row
from tests.factories.benchmarks import BenchmarkFactory, content_for, draft_version

WHO_ARE_YOU, SCOPE, NOT_YOURS = "unauthenticated", "scope_missing", "not_your_organization"
NO_BENCHMARK, NO_VERSION = "benchmark_not_found", "benchmark_version_not_found"
NO_REVIEWER = "not_a_reviewer"
REASON = "It can be found on the web by now."
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)
WORKERS = {"member": YES, "admin": YES, "owner": YES, "read_only": SCOPE}
ADMINS = {"member": NOT_YOURS, "admin": YES, "owner": YES, "read_only": SCOPE}

EVERYBODY = row(YES)
AUTHORS = row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS)
RULERS = row(NOT_YOURS, anonymous=WHO_ARE_YOU, **ADMINS)


def hidden(code, **others):
    """A private thing is read by its organization and is not there for anybody else."""
    return row(code, **{**OWN, **others})


WORKERS_OF_BENCHMARK = hidden(NO_BENCHMARK, viewer=NOT_YOURS, **WORKERS)
ADMINS_OF_BENCHMARK = hidden(NO_BENCHMARK, viewer=NOT_YOURS, **ADMINS)
WORKERS_OF_VERSION = hidden(NO_VERSION, viewer=NOT_YOURS, **WORKERS)
ADMINS_OF_VERSION = hidden(NO_VERSION, viewer=NOT_YOURS, **ADMINS)
REVIEWERS = row(NO_REVIEWER, anonymous=WHO_ARE_YOU, reviewer=YES, site_admin=YES, read_only=SCOPE)
STEWARDS = changed(RULERS, reviewer=YES, site_admin=YES)


class Benchmarks(World):
    """A benchmark in each state that matters, with a published version and a draft of the next."""

    def __init__(self):
        super().__init__()
        made = {
            "public": BenchmarkFactory(organization=self.organization, active=True),
            "private": BenchmarkFactory(organization=self.organization, active=True, visibility="private"),
            "draft": BenchmarkFactory(organization=self.organization, published=True),
            "waiting": self._moved(reviewing.submit_for_review, published=True),
            "retired": self._moved(
                services.deprecate_benchmark, active=True, reason="It is too easy by now."
            ),
        }
        self.benchmarks = made
        self.published = {which: benchmark.versions.get() for which, benchmark in made.items()}
        self.drafts = {which: draft_version(benchmark, "1.1.0") for which, benchmark in made.items()}

    def _moved(self, move, *, published=False, active=False, **more):
        benchmark = BenchmarkFactory(organization=self.organization, published=published, active=active)
        move(actor=self.actors["owner"], benchmark_id=benchmark.pk, **more)
        return benchmark


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Benchmarks()


def benchmark(which, **more):
    return lambda world: {"benchmark_id": world.benchmarks[which].pk, **more}


def slug(which):
    return lambda world: {"slug": world.benchmarks[which].slug}


def published(which, **more):
    return lambda world: {"version_id": world.published[which].pk, **more}


def draft(which, **more):
    return lambda world: {"version_id": world.drafts[which].pk, **more}


def new_benchmark(world):
    definition = {"slug": "new-one", "name": "x", "kind": "quality", "category": "accuracy"}
    return {"organization_id": world.organization.pk, **definition}


NEXT = {"version": "1.2.0", "changelog": "Other questions.", **content_for("quality")}
MATRIX = {
    "create_benchmark": (AUTHORS, new_benchmark),
    "update_benchmark (public)": (RULERS, benchmark("public", name="x")),
    "update_benchmark (private)": (ADMINS_OF_BENCHMARK, benchmark("private", name="x")),
    "update_benchmark (draft)": (WORKERS_OF_BENCHMARK, benchmark("draft", name="x")),
    "create_version (of a public one)": (AUTHORS, benchmark("public", **NEXT)),
    "create_version (of a private one)": (WORKERS_OF_BENCHMARK, benchmark("private", **NEXT)),
    "update_version": (WORKERS_OF_VERSION, draft("public", changelog="Other questions.")),
    "publish_version": (WORKERS_OF_VERSION, draft("public")),
    "add_policy (to what is published)": (RULERS, published("public", delta=0.04)),
    "add_policy (to a draft)": (ADMINS_OF_VERSION, draft("public", delta=0.04)),
    "submit_for_review": (WORKERS_OF_BENCHMARK, benchmark("draft")),
    "approve_benchmark": (REVIEWERS, benchmark("waiting")),
    "reject_benchmark": (REVIEWERS, benchmark("waiting", reason=REASON)),
    "take_back_from_review": (AUTHORS, benchmark("waiting")),
    "deprecate_benchmark": (STEWARDS, benchmark("public", reason=REASON)),
    "reactivate_benchmark": (STEWARDS, benchmark("retired")),
    "archive_benchmark": (STEWARDS, benchmark("retired")),
    "activate_benchmark (waiting)": (row("only_by_the_system"), benchmark("waiting")),
    "activate_benchmark (draft)": (
        row(NO_BENCHMARK, **dict.fromkeys(OWN, "only_by_the_system")),
        benchmark("draft"),
    ),
    "show_draft": (row(NO_VERSION, **dict.fromkeys(OWN, "only_by_the_system")), draft("public")),
    "list_review_queue": (
        row(NO_REVIEWER, anonymous=WHO_ARE_YOU, reviewer=YES, site_admin=YES),
        nothing_else,
    ),
    "list_status_changes (public)": (EVERYBODY, benchmark("public")),
    "list_status_changes (private)": (hidden(NO_BENCHMARK), benchmark("private")),
    "list_benchmarks": (EVERYBODY, nothing_else),
    "list_benchmarks (drafts)": (hidden(NOTHING), lambda _: {"status": "draft"}),
    "get_benchmark (public)": (EVERYBODY, benchmark("public")),
    "get_benchmark (private)": (hidden(NO_BENCHMARK), benchmark("private")),
    "get_benchmark (draft)": (hidden(NO_BENCHMARK), benchmark("draft")),
    "get_benchmark_by_slug (public)": (EVERYBODY, slug("public")),
    "get_benchmark_by_slug (private)": (hidden(NO_BENCHMARK), slug("private")),
    "list_versions (public)": (EVERYBODY, benchmark("public")),
    "list_versions (private)": (hidden(NO_BENCHMARK), benchmark("private")),
    "get_version (public)": (EVERYBODY, published("public")),
    "get_version (private)": (hidden(NO_VERSION), published("private")),
    "get_version (a draft of a public one)": (hidden(NO_VERSION), draft("public")),
    "get_version_by_number (public)": (EVERYBODY, benchmark("public", number="1.0.0")),
    "get_version_by_number (private)": (hidden(NO_BENCHMARK), benchmark("private", number="1.0.0")),
    "get_version_by_number (a draft)": (hidden(NO_VERSION), benchmark("public", number="1.1.0")),
    "list_policies (public)": (EVERYBODY, published("public")),
    "list_policies (private)": (hidden(NO_VERSION), published("private")),
    "list_test_cases (public)": (hidden("cases_are_private"), published("public")),
    "list_test_cases (private)": (hidden(NO_VERSION), published("private")),
}
OUTSIDE = {
    "of what its caller lets the actor write": {"checked", "problems"},
    "where every read starts": {"visible_to", "reachable_by", "versions_reachable_by"},
    "of what its caller has found": {
        "content_hash_of",
        "content_of",
        "current_version",
        "get_policy_in_force",
        "list_metrics",
        "plan_questions",
    },
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, reviewing, selectors)
