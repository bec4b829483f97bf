"""The operators' pages: who gets in, what they do, and what is not there."""

import re

import pytest
from django.contrib import admin
from django.test import Client

from benchmarks.models import Benchmark
from exchange.accounts.models import Letter, Organization, User
from exchange.accounts.selectors import actor_for_user
from exchange.core.models import AuditEntry
from governance.services import withdraw_proposal
from tests.factories.accounts import PASSWORD, OrganizationFactory, UserFactory
from tests.factories.benchmarks import BenchmarkFactory
from tests.factories.governance import draft_proposal, reviewed_proposal

pytestmark = pytest.mark.django_db
LISTS = [
    "accounts/user",
    "accounts/organization",
    "accounts/letter",
    "benchmarks/benchmark",
    "governance/proposal",
]


@pytest.fixture
def operator():
    client = Client()
    client.force_login(UserFactory(role=4, username="olga"))
    return client


def act(client, where, action, *rows):
    form = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(f"/operate/{where}/", form, follow=True)


class TestGettingIn:
    def test_leads_over_our_own_log_in(self, client):
        UserFactory(role=4, username="olga", password=PASSWORD)
        asked = client.get("/operate/accounts/user/")
        assert asked["Location"].startswith("/operate/login/")
        page = client.get(asked["Location"])["Location"]
        assert page == "/login?next=%2Foperate%2Faccounts%2Fuser%2F"
        form = {"email_or_username": "olga", "password": PASSWORD, "next": "/operate/accounts/user/"}
        assert client.post("/login", form, follow=True).status_code == 200

    @pytest.mark.parametrize("role", [1, 2, 3])
    def test_ends_for_others_with_nothing_here(self, client, role):
        client.force_login(UserFactory(role=role))
        for path in (
            "/operate/",
            "/operate/accounts/user/",
            f"/operate/accounts/user/{UserFactory().pk}/change/",
        ):
            assert client.get(path, follow=True).status_code == 404

    def test_is_linked_for_operators_alone(self, operator, client):
        client.force_login(UserFactory(role=3))
        shown = ["/operate/" in browser.get("/profile").content.decode() for browser in (operator, client)]
        assert shown == [True, False]

    def test_is_no_way_around_the_rules_for_passwords(self, operator):
        for path in ("logout", "password_change"):
            assert operator.post(f"/operate/{path}/")["Location"] == "/profile"


class TestLists:
    @pytest.mark.parametrize("where", LISTS)
    def test_are_read_only(self, operator, where):
        assert operator.get(f"/operate/{where}/").status_code == 200
        assert operator.get(f"/operate/{where}/add/").status_code == 403

    def test_are_all_that_there_is(self):
        shown = {model._meta.label_lower.replace(".", "/") for model in admin.site._registry}
        assert shown == set(LISTS)

    @pytest.mark.parametrize("asked", ["password__startswith=pbkdf2", "tokens__isnull=0", "bio__contains=x"])
    def test_answer_no_question_about_what_they_do_not_show(self, operator, asked):
        assert operator.get(f"/operate/accounts/user/?{asked}").status_code == 400

    def test_answer_no_question_about_an_open_vote(self, operator):
        assert operator.get("/operate/governance/proposal/?ballots__isnull=0").status_code == 400

    def test_take_their_own_filters(self, operator):
        for asked in ("user/?role__exact=3", "organization/?verified_at__isempty=1"):
            assert operator.get(f"/operate/accounts/{asked}").status_code == 200

    @pytest.mark.parametrize("where", LISTS)
    def test_take_a_search(self, operator, where):
        if "letter" not in where:
            assert operator.get(f"/operate/{where}/?q=x").status_code == 200

    def test_hold_no_secret(self, operator):
        user = UserFactory(password=PASSWORD)
        pages = [operator.get(path).content.decode() for path in (
            f"/operate/accounts/user/{user.pk}/change/", "/operate/accounts/user/")]  # fmt: skip
        assert user.username in pages[0]
        assert not any(user.password in page for page in pages)

    def test_hide_what_is_private(self, operator):
        hidden = [
            BenchmarkFactory(name="HUSH", visibility="private", active=True),
            BenchmarkFactory(name="HUSH", visibility="unlisted", active=True),
            BenchmarkFactory(name="HUSH"),
        ]
        seen = BenchmarkFactory(name="Seen", active=True)
        page = operator.get("/operate/benchmarks/benchmark/").content.decode()
        assert "HUSH" not in page
        assert "Seen" in page
        assert operator.get(f"/operate/benchmarks/benchmark/{seen.pk}/change/").status_code == 200
        for benchmark in hidden:
            answer = operator.get(f"/operate/benchmarks/benchmark/{benchmark.pk}/change/")
            assert answer.status_code == 302

    def test_hide_proposals_that_nobody_else_has_seen(self, operator):
        person = UserFactory(role=2)
        withdrawn = draft_proposal(person, title="HUSH")
        withdraw_proposal(actor=actor_for_user(person), proposal_id=withdrawn.pk)
        about_hidden = reviewed_proposal(person, title="Seen")
        Benchmark.objects.filter(pk=about_hidden.benchmark_id).update(visibility="private")

        page = operator.get("/operate/governance/proposal/").content.decode()

        assert "HUSH" not in page
        assert "Seen" in page
        assert about_hidden.benchmark.slug not in page
        where = "/operate/governance/proposal"
        shown = [operator.get(f"{where}/{one.pk}/change/") for one in (withdrawn, about_hidden)]
        assert [answer.status_code for answer in shown] == [302, 200]
        assert about_hidden.benchmark.slug not in shown[1].content.decode()

    def test_open_no_letter(self, operator):
        letter = Letter.objects.create(kind="password_changed", user=UserFactory())
        assert operator.get(f"/operate/accounts/letter/{letter.pk}/change/").status_code == 403

    def test_load_nothing_that_the_policy_refuses(self, operator):
        pages = [operator.get(f"/operate/{where}").content.decode() for where in ("", "accounts/user/")]
        for page in pages:
            assert not re.search(
                r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)(?![^>]*application/json)", page
            )


class TestActions:
    def test_grant_a_role_through_the_service(self, operator):
        user = UserFactory()
        act(operator, "accounts/user", "make_reviewer", user)
        assert User.objects.get(pk=user.pk).role == 3
        olga = User.objects.get(username="olga")
        assert AuditEntry.objects.get(kind="user.role_granted").actor_id == olga.pk

    def test_say_why_one_was_refused(self, operator):
        page = act(operator, "accounts/user", "make_registered", User.objects.get(username="olga"))
        assert "Nobody changes their own role" in page.content.decode()
        assert User.objects.get(username="olga").role == 4

    def test_refuse_rows_that_are_none(self, operator):
        answer = operator.post(
            "/operate/accounts/user/", {"action": "make_admin", "_selected_action": "zzz", "index": "0"}
        )
        assert answer.status_code == 400
        assert not User.objects.exclude(username="olga").filter(role=4).exists()

    def test_deactivate_and_activate(self, operator):
        user = UserFactory()
        for action, active in (("deactivate", False), ("activate", True)):
            act(operator, "accounts/user", action, user)
            assert User.objects.get(pk=user.pk).is_active is active

    def test_verify_organizations(self, operator):
        rows = [OrganizationFactory(), OrganizationFactory()]
        act(operator, "accounts/organization", "verify", *rows)
        assert Organization.objects.filter(verified_at=None).count() == 0
        act(operator, "accounts/organization", "unverify", rows[0])
        assert Organization.objects.filter(verified_at=None).count() == 1

    def test_are_not_taken_from_others(self, client):
        client.force_login(UserFactory(role=3))
        user = UserFactory()
        act(client, "accounts/user", "make_admin", user)
        assert User.objects.get(pk=user.pk).role == 1
