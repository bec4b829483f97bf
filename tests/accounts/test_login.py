"""What counts as a try, and whose it is."""

from datetime import timedelta

import pytest
from django.conf import settings as configured
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from exchange.accounts import services
from exchange.accounts.api.grpc import UserService
from exchange.api.addresses import address_of, address_of_call
from exchange.api.interceptors import Call
from exchange.api.pb import users_pb2 as pb
from exchange.core import clock
from exchange.core.actors import ANONYMOUS
from exchange.core.models import AttemptWindow, AuditEntry
from tests import rpc
from tests.factories.accounts import PASSWORD, UserFactory, token_for
from tests.threads import together

pytestmark = pytest.mark.django_db
LOGIN = "/api/v1/auth/login"


def tried(api, name, password="wrong"):
    answer = api.post(LOGIN, {"email_or_username": name, "password": password})
    return answer.json().get("code", "in")


class TestTries:
    def test_that_succeed_do_not_count(self, api, settings):
        settings.LOGIN_TRIES = 1
        user = UserFactory(password=PASSWORD)

        assert [tried(api, user.username, PASSWORD) for _ in range(7)] == ["in"] * 7

    def test_that_succeed_do_not_wash_away_those_that_failed(self, api, settings):
        settings.LOGIN_TRIES = 3
        user = UserFactory(password=PASSWORD)

        passwords = ["a", "b", PASSWORD, "c", PASSWORD]
        seen = [tried(api, user.username, password) for password in passwords]
        assert seen == ["login_failed", "login_failed", "in", "login_failed", "too_many_logins"]

    def test_at_both_doors_are_one_count(self, api, settings):
        settings.LOGIN_TRIES = 1
        for number in range(5):
            assert tried(api, f"x{number}") == "login_failed"

        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(UserService().Login, pb.LoginRequest(email_or_username="y", password="z"))
        assert failed.value.code == "too_many_logins"

    def test_say_when_to_try_again_on_the_page_too(self, client, settings):
        settings.LOGIN_TRIES = 1
        form = {"email_or_username": "x", "password": "y"}
        answers = [client.post("/login", form) for _ in range(2)]

        assert [answer.status_code for answer in answers] == [401, 429]
        assert 0 < int(answers[1]["Retry-After"]) <= settings.LOGIN_WINDOW_SECONDS


class TestVictim:
    """Somebody else tries their account on purpose."""

    def tried_from(self, address, name, password="wrong"):
        form = {"email_or_username": name, "password": password}
        answer = Client().post(LOGIN, form, content_type="application/json", REMOTE_ADDR=address)
        return answer.json().get("code", "in")

    def test_is_shut_out_nowhere_else_by_one_address(self, settings):
        settings.LOGIN_TRIES = 2
        user = UserFactory(password=PASSWORD)
        seen = [self.tried_from("192.0.2.1", user.username) for _ in range(9)]

        assert seen == ["login_failed"] * 2 + ["too_many_logins"] * 7
        assert self.tried_from("192.0.2.1", user.username, PASSWORD) == "too_many_logins"
        assert self.tried_from("198.51.100.1", user.username, PASSWORD) == "in"

    def test_is_guarded_against_many_addresses(self, settings):
        settings.LOGIN_TRIES = 1
        user = UserFactory(password=PASSWORD)
        seen = [self.tried_from(f"192.0.2.{number}", user.username) for number in range(12)]

        assert seen == ["login_failed"] * 10 + ["too_many_logins"] * 2

    def test_has_one_count_by_name_and_by_mail_address(self, settings):
        settings.LOGIN_TRIES = 1
        user = UserFactory(password=PASSWORD)

        seen = [self.tried_from("192.0.2.1", name) for name in (user.username, user.email)]
        assert seen == ["login_failed", "too_many_logins"]

    def test_is_not_tried_from_every_address_of_one_network(self, settings):
        settings.LOGIN_TRIES = 1
        name = UserFactory(password=PASSWORD).username
        seen = [self.tried_from(f"2001:db8::{number}", name) for number in range(2)]

        assert seen == ["login_failed", "too_many_logins"]


@pytest.mark.django_db(transaction=True)
class TestFiftyTries:
    """At once, and with the right password afterwards."""

    def over_rest(self, name, password):
        client = APIClient()
        client.default_format = "json"
        return tried(client, name, password)

    def on_the_page(self, name, password):
        answer = Client().post("/login", {"email_or_username": name, "password": password})
        return {302: "in", 401: "login_failed", 429: "too_many_logins"}[answer.status_code]

    def over_grpc(self, name, password):
        try:
            rpc.call(UserService().Login, pb.LoginRequest(email_or_username=name, password=password))
        except rpc.RpcFailed as failed:
            return failed.code
        return "in"

    @pytest.mark.parametrize("door", ["over_rest", "on_the_page", "over_grpc"])
    def test_reach_the_hasher_as_often_as_the_limit_says(self, door, settings, monkeypatch):
        settings.LOGIN_TRIES = 5
        name, hashed = UserFactory(password=PASSWORD).username, []
        check = services.check_password
        monkeypatch.setattr(services, "check_password", lambda *both: hashed.append(1) or check(*both))
        try_ = getattr(self, door)

        seen = together(*[lambda: try_(name, "wrong")] * 50)

        assert sorted(seen) == ["login_failed"] * 5 + ["too_many_logins"] * 45
        assert len(hashed) == 5
        assert try_(name, PASSWORD) == "too_many_logins"
        AttemptWindow.objects.update(
            started_at=clock.now() - timedelta(seconds=settings.LOGIN_WINDOW_SECONDS + 1)
        )
        assert try_(name, PASSWORD) == "in"

    def test_from_one_address_reach_it_five_times_as_often_over_all_names(self, settings):
        settings.LOGIN_TRIES = 2
        seen = together(*[lambda n=n: self.over_rest(f"x{n}", "wrong") for n in range(50)])

        assert sorted(seen) == ["login_failed"] * 10 + ["too_many_logins"] * 40


class TestNewAccounts:
    def form(self, number):
        return {"username": f"new-{number}", "email": f"{number}@example.org", "password": PASSWORD}

    def test_are_one_count_at_every_door(self, api, client, settings):
        settings.ACCOUNTS_AN_HOUR = 3
        assert api.post("/api/v1/auth/register", self.form(1)).status_code == 201
        assert client.post("/register", self.form(2)).status_code == 302
        rpc.call(UserService().Register, pb.RegisterRequest(**self.form(3)))

        page = client.post("/register", self.form(4))
        assert (page.status_code, 0 < int(page["Retry-After"]) <= 3600) == (429, True)
        assert api.post("/api/v1/auth/register", self.form(4)).json()["code"] == "too_many_accounts"
        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(UserService().Register, pb.RegisterRequest(**self.form(4)))
        assert failed.value.code == "too_many_accounts"

    def test_are_counted_when_they_are_refused_too(self, api, settings):
        settings.ACCOUNTS_AN_HOUR = 1
        taken = {**self.form(1), "username": UserFactory().username}
        answers = [api.post("/api/v1/auth/register", taken).status_code for _ in range(2)]
        assert answers == [409, 429]


class TestAddress:
    @pytest.mark.parametrize(
        ("proxies", "expected"), [(0, "10.0.0.9"), (1, "192.0.2.7"), (2, "203.0.113.1"), (5, "203.0.113.1")]
    )
    def test_is_what_our_outermost_proxy_saw(self, settings, proxies, expected):
        settings.TRUSTED_PROXIES = proxies
        request = RequestFactory().get(
            "/", HTTP_X_FORWARDED_FOR="203.0.113.1, 192.0.2.7", REMOTE_ADDR="10.0.0.9"
        )
        assert address_of(request) == expected

    @pytest.mark.parametrize(
        ("peer", "expected"),
        [
            ("ipv4:192.0.2.1:4711", "192.0.2.1"),
            ("ipv6:%5B2001:db8::1%5D:4711", "2001:db8::1"),
            ("ipv6:[::1]:4711", "::1"),
        ],
    )
    def test_is_spelled_without_family_and_port(self, peer, expected):
        assert address_of_call(Call(ANONYMOUS, {}, peer)) == expected

    @pytest.mark.parametrize(("proxies", "expected"), [(0, "10.0.0.9"), (1, "192.0.2.7")])
    def test_is_what_our_proxy_saw_over_grpc_too(self, settings, proxies, expected):
        settings.GRPC_TRUSTED_PROXIES = proxies
        call = Call(ANONYMOUS, {"x-forwarded-for": "203.0.113.1, 192.0.2.7"}, "ipv4:10.0.0.9:4711")
        assert address_of_call(call) == expected


class TestLogOut:
    def test_ends_the_browsers_session(self, client):
        user = UserFactory(password=PASSWORD)
        client.post("/login", {"email_or_username": user.username, "password": PASSWORD})
        assert client.get("/api/v1/users/me").status_code == 200

        assert client.post("/api/v1/auth/logout", content_type="application/json").status_code == 204

        assert client.get("/api/v1/users/me").status_code == 401
        kinds = AuditEntry.objects.filter(kind__startswith="session.").values_list("kind", flat=True)
        assert sorted(kinds) == ["session.closed", "session.opened"]

    def test_on_the_page_is_the_same_fact(self, client):
        client.force_login(UserFactory(), backend="django.contrib.auth.backends.ModelBackend")
        for _ in range(2):
            client.post("/logout")
        assert AuditEntry.objects.filter(kind="session.closed").count() == 1

    def test_with_an_api_token_closes_nothing(self, api):
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(UserFactory())}")
        answer = api.post("/api/v1/auth/logout")
        assert (answer.status_code, answer.json()["code"]) == (409, "no_session")

    def test_takes_no_key(self, api):
        form = {"email_or_username": "x", "password": "y"}
        answer = api.post(LOGIN, form, headers={"Idempotency-Key": "k1"})
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "not_taken_here")

    def test_takes_no_key_over_grpc(self):
        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(UserService().Login, pb.LoginRequest(email_or_username="y", password="z"), key="k1")
        assert failed.value.fields == ["Idempotency-Key"]


def test_the_api_page_names_the_cookie_that_is_used(client):
    assert f"name: {configured.SESSION_COOKIE_NAME}" in client.get("/api/schema").content.decode()
