"""Every service and selector of runs × who asks."""

import io
from uuid import uuid4

import pytest

from exchange.storage import get_store
from submissions.runs import selectors, services
from submissions.runs.models import Run
from tests.contract.matrix import YES, World, check, lasting, row
from tests.factories.submissions import make_submission, make_verification

WHO_ARE_YOU, SCOPE, NOT_YOURS = "unauthenticated", "scope_missing", "not_your_organization"
NO_RUN, NO_BUNDLE = "run_not_found", "bundle_not_found"
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)
WORKERS = {"member": YES, "admin": YES, "owner": YES, "read_only": SCOPE}

EVERYBODY = row(YES)


class Runs(World):
    """The runs of a public and of a private claim, with bundles."""

    def __init__(self):
        super().__init__()
        self.runs = {visibility: self._run(visibility) for visibility in ("public", "private")}

    def _run(self, visibility):
        claim = make_submission(organization=self.organization, visibility=visibility)
        run = make_verification(claim).runs.get()
        stored = get_store().put_stream(io.BytesIO(b"a bundle"))
        Run.objects.filter(pk=run.pk).update(
            bundle_sha256=stored.sha256, public_bundle_sha256=stored.sha256, bundle_size_bytes=stored.size
        )
        return Run.objects.select_related("deployment", "version__benchmark").get(pk=run.pk)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Runs()


def run(which, **more):
    return lambda world: {"run_id": world.runs[which].pk, **more}


def new_run(world):
    known = world.runs["public"]
    names = ("deployment", "version", "seed", "snapshot", "fingerprint")
    bounds = ("request_bound", "token_bound", "planned_count")
    return {name: getattr(known, name) for name in (*names, *bounds)}


def checked(world):
    return {"deployment": world.runs["public"].deployment, "campaign_id": uuid4()}


def discovered(world):
    return {"endpoint": world.runs["public"].endpoint, "campaign_id": uuid4()}


MATRIX = {
    "create_check": (row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS), checked),
    "create_discovery": (row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS), discovered),
    "create_run": (row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS), new_run),
    "cancel_run (public)": (row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS), run("public")),
    "cancel_run (private)": (row(NO_RUN, viewer=NOT_YOURS, **WORKERS), run("private")),
    "get_run (public)": (EVERYBODY, run("public")),
    "get_run (private)": (row(NO_RUN, **OWN), run("private")),
    "open_bundle (public part)": (EVERYBODY, run("public")),
    "open_bundle (whole)": (row(NO_BUNDLE, **OWN), run("public", part="whole")),
    "open_bundle (public part, private)": (row(NO_RUN, **OWN), run("private")),
    "open_bundle (whole, private)": (row(NO_RUN, **OWN), run("private", part="whole")),
}
OUTSIDE = {
    "where every read starts": {"visible_to"},
    "for workers": {
        "work",
        "begin_checks",
        "work_once",
        "keep_calibrated",
        "claimable_runs",
        "expired_runs",
        "is_measuring",
        "answered_keys",
        "stored_answers",
    },
    "of a run that its caller has found": {
        "attempt_counts",
        "case_scores",
        "declared_kinds",
        "returned_model",
        "session_of",
        "standing_responses",
        "stand_of",
    },
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, selectors)
