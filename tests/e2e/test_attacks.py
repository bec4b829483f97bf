"""Attack inputs (trust.md §2.1) against the whole app: each is refused by name, and nothing is stored."""

import base64
import json
import logging

import pytest
from django.db import connection
from django.db.utils import DatabaseError
from django.test import Client

from exchange.accounts import secrets
from exchange.api.forms import ListForm
from exchange.api.pb import endpoints_pb2
from exchange.core.models import AuditEntry
from submissions.endpoints.api.grpc import EndpointService
from submissions.endpoints.models import Endpoint
from tests.e2e import worlds
from tests.e2e.worlds import fields_of, own
from tests.factories.accounts import UserFactory
from tests.hostile.addresses import REFUSED
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.usefixtures("undone")

ROUTES, CALLS = list(worlds.routes()), list(worlds.calls())
SECRET = "/api/v1/proposals/<proposal_id>/ballots"  # refused before the count, whatever the token
LISTS = [route for route in ROUTES if issubclass(route.form, ListForm) and route.pattern != SECRET]
WRITES = [route for route in ROUTES if route.method != "get" and "content" not in route.form().fields]


class TestProviderAddresses:
    @pytest.mark.parametrize("kind", REFUSED)
    def test_are_refused_at_both_doors_and_when_changed(self, client, mine, kind):
        url = REFUSED[kind][0].format(port=8000)
        form = {"organization_id": str(mine.organization.pk), "name": "x", "provider_name": "x"}
        before = list(Endpoint.objects.values())

        made = client.post("/api/v1/endpoints", {**form, "base_url": url})
        changed = client.patch(f"/api/v1/endpoints/{mine.ids['endpoint']}", {"base_url": url})
        request = endpoints_pb2.RegisterEndpointRequest(**form, base_url=url)
        with pytest.raises(RpcFailed) as refused:
            call(EndpointService().RegisterEndpoint, request, token=mine.secret)

        assert (made.status_code, fields_of(made)) == (400, ["base_url"])
        assert changed.status_code in {400, 409}
        assert (refused.value.grpc, refused.value.fields) == ("INVALID_ARGUMENT", ["base_url"])
        assert list(Endpoint.objects.values()) == before

    @pytest.mark.parametrize(
        "key", ["a b", "a\r\nHost: x", "clé", "a\0b", "k" * 513, "{{7*7}}", "sk-\u200b1", "'; --"]
    )
    def test_take_no_key_that_could_break_a_header(self, client, mine, key):
        form = {
            "organization_id": str(mine.organization.pk),
            "name": "x",
            "provider_name": "x",
            "base_url": "https://api.example.org/v1",
            "api_key": key,
        }
        answer = client.post("/api/v1/endpoints", form)

        assert (answer.status_code, fields_of(answer)) == (400, ["api_key"])
        assert key not in json.dumps(answer.json(), ensure_ascii=False)


class TestMassAssignment:
    EXTRA = {
        "is_staff": True,
        "is_superuser": True,
        "is_demo": True,
        "verified": True,
        "level": "audited",
        "verdict": "confirmed",
        "score": 1,
        "rank": 1,
        "org_id": 2,
        "created_at": "2020-01-01T00:00:00Z",
    }

    @pytest.mark.parametrize("route", WRITES, ids=str)
    def test_is_refused_field_by_field_at_every_write(self, client, mine, route):
        answer = route.send(client, {**own(route.form, mine), **self.EXTRA})

        assert answer.status_code == 400
        assert {e["field"] for e in answer.json()["errors"] if e["code"] == "unknown_field"} == set(
            self.EXTRA
        )

    @pytest.mark.parametrize(
        "extra", [{"role": "admin"}, {"email_verified": True}, {"id": "1"}, {"email": "a@b.c"}], ids=str
    )
    def test_gives_nobody_a_role(self, client, extra):
        before = client.get("/api/v1/users/me").json()

        assert client.patch("/api/v1/users/me", {"display_name": "x", **extra}).status_code == 400
        assert client.get("/api/v1/users/me").json() == before


class TestTokens:
    @pytest.mark.parametrize(
        "guess",
        [
            secrets.new_secret("pat"),
            secrets.new_secret("ses"),
            "lbx_pat_" + "A" * 49,
            "lbx_pat_",
            "lbx_pat_\u00e9",
            "null",
            "undefined",
            "' OR 1=1 --",
            "a" * 10_000,
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
        ],
        ids=range(10),
    )
    def test_that_are_guessed_open_nothing(self, api, mine, guess):
        answer = api.get("/api/v1/users/me", HTTP_AUTHORIZATION=f"Bearer {guess}")

        assert answer.status_code == 401
        assert guess not in answer.content.decode()

    def test_that_differ_in_one_character_open_nothing(self, api, mine):
        body = mine.secret[8:-6]
        near = body[:-1] + ("a" if body[-1] != "a" else "b")
        guess = f"lbx_pat_{near}{secrets._checksum(near)}"

        assert secrets.is_well_formed(guess)
        assert api.get("/api/v1/users/me", HTTP_AUTHORIZATION=f"Bearer {guess}").status_code == 401

    @pytest.mark.parametrize("scheme", ["Basic", "Token", "bearer bearer", ""])
    def test_need_their_scheme(self, api, mine, scheme):
        answer = api.get("/api/v1/users/me", HTTP_AUTHORIZATION=f"{scheme} {mine.secret}")

        assert answer.status_code == 401

    @pytest.mark.parametrize("name", ["token", "access_token", "api_key", "Authorization"])
    def test_in_an_address_count_for_nothing_and_are_not_logged(self, api, mine, caplog, name):
        with caplog.at_level(logging.DEBUG):
            answers = [
                api.get(path, {name: mine.secret})
                for path in (
                    "/api/v1/users/me",
                    "/api/v1/tokens",
                    "/api/v1/submissions",
                    "/submissions",
                    "/none",
                )
            ]

        assert [answer.status_code for answer in answers[:3]] == [401, 400, 400]
        assert all(answer.status_code < 500 for answer in answers)
        assert mine.secret not in caplog.text
        assert [mine.secret in answer.content.decode() for answer in answers[:3]] == [False] * 3

    def test_of_a_removed_member_open_the_organization_no_more(self, client, mine):
        path = f"/api/v1/submissions/{mine.submission.pk}"
        assert client.get(path).status_code == 200
        mine.person.memberships.all().delete()

        assert client.get(path).status_code == 404


class TestBrowserForgery:
    @pytest.fixture
    def browser(self, mine):
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(mine.person)
        return browser

    @pytest.mark.parametrize(
        "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/json"]
    )
    @pytest.mark.parametrize("origin", ["null", "https://evil.example", None])
    def test_of_the_api_is_refused(self, browser, mine, content_type, origin):
        headers = {"HTTP_ORIGIN": origin} if origin else {}
        body = {"visibility": "public"}
        path = f"/api/v1/submissions/{mine.submission.pk}/visibility"

        answer = browser.patch(path, json.dumps(body), content_type=content_type, **headers)

        assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
        mine.submission.refresh_from_db()
        assert mine.submission.visibility == "private"

    @pytest.mark.parametrize(
        "page", [p for p in worlds.pages() if "verify" in p or "withdraw" in p or "discover" in p]
    )
    @pytest.mark.parametrize("origin", ["null", "https://evil.example", None])
    def test_of_a_page_is_refused(self, browser, mine, page, origin):
        _kind, path = worlds.page_of(mine, page)
        headers = {"HTTP_ORIGIN": origin} if origin else {}

        assert browser.post(path, {"reason": "because I can"}, **headers).status_code == 403
        mine.submission.refresh_from_db()
        assert mine.submission.status == "accepted"

    @pytest.mark.parametrize("path", ["/login", "/logout", "/register", "/organizations", "/tokens"])
    def test_of_a_log_in_is_refused(self, mine, path):
        assert Client(enforce_csrf_checks=True).post(path, {"email_or_username": "x"}).status_code == 403

    def test_cannot_fix_a_session(self, mine):
        mine.person.set_password("correct horse battery")
        mine.person.save()
        browser = Client()
        browser.get("/login")
        browser.session["planted"] = True
        browser.session.save()
        planted = browser.session.session_key
        form = {"email_or_username": mine.person.username, "password": "correct horse battery"}

        assert browser.post("/login", form).status_code == 302
        assert browser.session.session_key != planted

    @pytest.mark.parametrize(
        "place",
        ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "https:evil"],
    )
    def test_cannot_send_a_reader_elsewhere(self, mine, place):
        mine.person.set_password("correct horse battery")
        mine.person.save()
        form = {
            "email_or_username": mine.person.username,
            "password": "correct horse battery",
            "next": place,
        }

        assert Client().post("/login", form)["Location"] == "/organizations"


class TestRowLevelSecurity:
    def query(self, sql):
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    def test_shows_a_query_that_names_nobody_no_credential(self, mine):
        assert self.query("SELECT * FROM endpoints_endpointcredential") == []

    @pytest.mark.parametrize(
        "sql",
        [
            "SET ROLE exchange_owner",
            "SET SESSION AUTHORIZATION postgres",
            "ALTER TABLE endpoints_endpointcredential DISABLE ROW LEVEL SECURITY",
            "UPDATE core_auditentry SET kind = 'x'",
            "DELETE FROM core_auditentry",
        ],
    )
    def test_cannot_be_left_by_the_application(self, mine, sql):
        assert AuditEntry.objects.exists()
        with pytest.raises(DatabaseError):
            self.query(sql)

    @pytest.mark.parametrize(
        "text",
        [
            "'; SELECT set_config('exchange.mode', 'system', false); --",
            "%' OR '1'='1",
            "\\",
            "%",
            "_",
            "$$",
            "${jndi:x}",
        ],
    )
    def test_is_not_reached_through_a_search(self, api, mine, text):
        for path in ("/api/v1/models", "/api/v1/benchmarks"):
            answer = api.get(path, {"query": text})
            assert answer.status_code == 200
            assert worlds.HUSH not in answer.content.decode()
        assert self.query("SELECT * FROM endpoints_endpointcredential") == []


class TestFilters:
    @pytest.mark.parametrize("route", LISTS, ids=str)
    @pytest.mark.parametrize(
        "name", ["org", "ordering", "organization__apitoken__digest", "id__in", "format"]
    )
    def test_that_nobody_offers_are_refused(self, client, mine, route, name):
        answer = route.send(client, {**own(route.form, mine), name: "org__secret"})

        assert (answer.status_code, fields_of(answer)) == (400, [name])


class TestPageTokens:
    HOSTILE = (
        "A" * 100_000,
        "A" * 1999,
        base64.urlsafe_b64encode(b"[" * 1400).decode(),
        "offset:999999999999999999999",
        "offset:999999999999999",
        "offset:-1",
        "page:0",
        "page:99999999999999",
        "\0",
        "null",
        "e30=",
        "W10=",
        "\u00e9",
        base64.urlsafe_b64encode(b'["\\u0000", "x"]').decode(),
        base64.urlsafe_b64encode(b"[NaN, 1e999]").decode(),
        base64.urlsafe_b64encode(b"[" + b"9" * 1400 + b"]").decode(),
        base64.urlsafe_b64encode(json.dumps([{"a": 1}, ["b"]]).encode()).decode(),
        base64.urlsafe_b64encode(json.dumps(["9999999-99-99", "x"]).encode()).decode(),
    )

    @pytest.mark.parametrize("route", LISTS, ids=str)
    def test_that_are_hostile_are_refused_or_lead_nowhere(self, client, mine, route):
        data = own(route.form, mine)
        for token in self.HOSTILE:
            answer = route.send(client, {**data, "page_token": token})
            is_refused = answer.status_code == 400 and fields_of(answer) == ["page_token"]
            assert is_refused or (answer.status_code == 200 and ":" in token), (token[:30], answer.content)

    @pytest.mark.parametrize("size", ["0", "-1", "101", "1e9", "99999999999999999999", "NaN", "true", ""])
    def test_go_with_a_size_that_is_bounded(self, client, mine, size):
        answer = client.get("/api/v1/submissions", {"page_size": size})

        assert (answer.status_code, fields_of(answer)) == (400, ["page_size"])


class TestHostileRequests:
    @pytest.mark.parametrize(
        "text", ["{{7*7}}", "{% debug %}", '\n{"level":"info"}', "\u2028", "../../../../etc/passwd"]
    )
    def test_write_no_line_of_their_own_into_the_log(self, api, caplog, text):
        with caplog.at_level(logging.DEBUG):
            api.get(f"/api/v1/submissions/{text}")
            api.post("/api/v1/auth/login", {"email_or_username": text, "password": "pass" + text})

        assert '\n{"level":"info"}' not in "\n".join(record.getMessage() for record in caplog.records)
        assert "pass" + text not in caplog.text

    def test_of_a_stranger_learn_no_account(self, api):
        UserFactory(username="known")
        answers = [
            api.post("/api/v1/auth/login", {"email_or_username": name, "password": "wrong-password"})
            for name in ("known", "unknown")
        ]

        shown = [{k: v for k, v in a.json().items() if k not in {"instance", "request_id"}} for a in answers]
        assert shown[0] == shown[1]
