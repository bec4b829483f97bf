"""A database that the first version made and filled, after its upgrade."""

import re
from io import StringIO

import pytest
from django.core.management import call_command

from benchmarks.models import Benchmark
from exchange.accounts.models import User
from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from exchange.operate.reconcile import reconcile
from governance.models import Contribution, VotingRules
from leaderboards.models import Entry
from submissions.endpoints.credentials import open_key
from submissions.endpoints.models import Endpoint
from tests.database.conftest import connected

pytestmark = pytest.mark.sockets
KEY = "sk-of-the-first-version"
# What is dumped and restored is cast otherwise in words, and means the same.
CASTS = re.compile(r"::[a-z ]+(\[\])?|[()]")
REWORDED = re.compile(r"\.(license|summary): ")
COLUMNS = """
SELECT table_name, column_name, udt_name, character_maximum_length, is_nullable, column_default,
    identity_generation
FROM information_schema.columns WHERE table_schema = 'public'
"""
THE_REST = """
SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
WHERE NOT tgisinternal
UNION ALL SELECT 'policy', tablename, policyname, concat(qual, with_check) FROM pg_policies
UNION ALL SELECT 'function', '', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""


def shape_of(url):
    with connected(url) as connection:
        columns, rest = connection.execute(COLUMNS).fetchall(), connection.execute(THE_REST).fetchall()
    return {*columns, *((*name, CASTS.sub("", made)) for *name, made in rest)}


def differences(before, after, path):
    """What was said before and is not said now; more may be said."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in before:
            yield from differences(before[name], after.get(name, "nothing"), f"{path}.{name}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from differences(*pair, f"{path}[{number}]")
    elif before != after:
        yield f"{path}: {before!r} is now {after!r}"


def without(row, *names):
    return {name: value for name, value in row.items() if name not in names}


def said_by(command):
    out = StringIO()
    call_command(command, stdout=out)
    return out.getvalue()


class TestUpgrade:
    def test_leaves_the_tables_of_a_new_database(self, upgraded, migrated):
        assert shape_of(upgraded.url("owner")) == shape_of(migrated.url("owner"))

    def test_changes_no_answer_over_rest_but_the_names_of_licences(self, site, api, answers):
        found = [
            one
            for path, before in answers["rest"].items()
            for one in differences(before, api.get(f"/api/v1{path}").json(), path)
        ]
        assert len(answers["rest"]) == 84
        assert [one for one in found if not REWORDED.search(one)] == []

    def test_opens_every_page(self, site, client, answers):
        assert {path: client.get(path).status_code for path in answers["pages"]} == dict.fromkeys(
            answers["pages"], 200
        )

    def test_keeps_the_audit_chain(self, site):
        assert said_by("verify_audit_chain") == "150 entries, unbroken\n"

    def test_opens_the_keys_of_endpoints(self, site):
        with acting_for(SYSTEM):
            assert [open_key(endpoint) for endpoint in Endpoint.objects.all()] == [KEY, KEY]

    def test_leaves_nothing_that_differs_when_all_is_counted_again(self, site):
        """The files of evidence are not kept here, so that these are missing."""
        found = {one.title: one.differences for one in reconcile(skip_bytes=True)}
        assert {title for title, differences in found.items() if differences} == {"sizes of evidence"}

    def test_ranks_as_before(self, site):
        def board():
            return {
                row["submission_id"]: without(row, "id", "created_at", "updated_at")
                for row in Entry.objects.values()
            }

        before = board()
        said_by("rebuild_leaderboards")
        assert board() == before
        assert len(before) == 7

    def test_names_who_made_what_and_on_which_terms(self, site):
        made = {
            benchmark.slug: benchmark for benchmark in Benchmark.objects.filter(organization__slug="ada-lab")
        }
        assert made["sums-3"].license == "apache_2"
        assert (made["words-3"].license, made["words-3"].custom_license) == ("custom", "As said on our site")
        assert made["bare-3"].license is None
        ada = User.objects.get(username="ada")
        assert all(
            one.created_by == ada.pk and list(one.maintained_by.all()) == [ada] for one in made.values()
        )

    def test_gives_earlier_people_their_addresses_and_their_votes(self, site):
        assert all(user.emailaddress_set.get().email == user.email.lower() for user in User.objects.all())
        assert set(Contribution.objects.values_list("user__username", flat=True)) == {"ada", "demo"}
        assert VotingRules.objects.count() == 4
