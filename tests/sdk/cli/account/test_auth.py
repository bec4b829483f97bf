import json
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpx
import pytest
from django.utils import timezone

from exchange.accounts.models import Token
from llm_benchmark.cli.frame import home_files
from tests.factories.accounts import PASSWORD, MembershipFactory, OrganizationFactory, UserFactory, token_for

pytestmark = pytest.mark.django_db
HERE = "http://127.0.0.1:8000"


@pytest.fixture
def ada():
    user = UserFactory(username="ada", password=PASSWORD)
    MembershipFactory(user=user, organization=OrganizationFactory(slug="acme"), role="owner")
    return user


@pytest.fixture
def log_in(call, exchange, ada):
    def go(*more):
        arguments = ["auth", "login", "--username", "ada", "--password-stdin", *more]
        return call(*arguments, http=exchange, piped=f"{PASSWORD}\n")

    return go


def kept():
    return home_files.read_credentials().get(HERE)


class TestLogin:
    def test_keeps_a_session_that_only_its_owner_can_read(self, log_in, call, exchange, machine):
        ended = log_in("-o", "table")
        assert ended.code == 0, ended.err
        assert "acme (owner)" in ended.out
        assert kept()["username"] == "ada"
        assert kept()["token"].startswith("lbx_ses_")
        assert kept()["token"] not in ended.out
        assert stat.S_IMODE((machine / "credentials.json").stat().st_mode) == 0o600
        assert "ada" in call("auth", "status", http=exchange).out

    def test_asks_for_name_and_password_on_a_terminal(self, call, exchange, ada, monkeypatch):
        answers = {"User name or e-mail address": "ada", "Password": PASSWORD}
        monkeypatch.setattr("click.prompt", lambda label, **_how: answers.pop(label))
        assert call("auth", "login", http=exchange, typed="").code == 0
        assert answers == {}

    def test_refuses_a_wrong_password(self, call, exchange, ada):
        ended = call("auth", "login", "--username", "ada", "--password-stdin", http=exchange, piped="wrong\n")
        assert ended.code == 3
        assert kept() is None

    def test_refuses_to_send_a_password_unencrypted(self, call, stub):
        http = stub({})
        ended = call(
            "auth", "login", "--username", "ada", "--password-stdin", "--api-url", "http://far.example",
            http=http, piped="secret\n",
        )  # fmt: skip
        assert ended.code == 2
        assert "unencrypted" in ended.err
        assert http.requests == []

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [([], "--username NAME"), (["--username", "ada"], "--password-stdin, or --token SOURCE")],
    )
    def test_says_how_without_a_terminal(self, call, exchange, arguments, words):
        ended = call("auth", "login", *arguments, http=exchange)
        assert ended.code == 2
        assert words in ended.err

    def test_keeps_an_api_token_that_works(self, call, exchange, ada, monkeypatch):
        monkeypatch.setenv("MINE", token_for(ada, "profile:read"))
        assert call("auth", "login", "--token", "env:MINE", http=exchange).code == 0
        assert kept()["token"].startswith("lbx_pat_")
        monkeypatch.delenv("MINE")
        assert call("auth", "status", http=exchange).code == 0

    def test_keeps_no_token_that_does_not(self, call, exchange, monkeypatch):
        monkeypatch.setenv("MINE", "lbx_pat_nonsense")
        assert call("auth", "login", "--token", "env:MINE", http=exchange).code == 3
        assert kept() is None

    def test_goes_on_where_an_old_session_has_expired(self, log_in):
        home_files.write_credentials({HERE: {"token": "lbx_ses_old", "expires_at": "2020-01-01T00:00:00Z"}})
        assert log_in().code == 0

    def test_says_that_the_environment_wins(self, log_in, ada, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_TOKEN", token_for(ada, "profile:read"))
        assert "LLM_BENCHMARK_TOKEN is set, and wins over this log-in." in log_in("-o", "table").out


class TestStatus:
    def test_refuses_where_nobody_is_logged_in(self, call, exchange):
        ended = call("auth", "whoami", http=exchange)
        assert ended.code == 3
        assert f"You are not logged in at {HERE}." in ended.err

    def test_says_that_the_session_has_expired_and_how_to_renew_it(self, log_in, call, exchange):
        log_in()
        Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        ended = call("auth", "status", http=exchange)
        assert ended.code == 3
        assert "has expired" in ended.err
        assert "llm-benchmark auth login" in ended.err

    def test_says_that_a_token_of_the_environment_has_expired(self, exchange_as, ada):
        as_ada = exchange_as(ada)
        Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        ended = as_ada("auth", "status")
        assert ended.code == 3
        assert "The token came from LLM_BENCHMARK_TOKEN" in ended.err

    def test_sends_a_session_to_no_other_address(self, log_in, call, stub):
        log_in()
        http = stub({})
        ended = call("auth", "status", "--api-url", "https://other.example", http=http)
        assert ended.code == 3
        assert http.requests == []

    def test_gives_programs_the_profile(self, exchange_as, ada):
        profile = exchange_as(ada)("auth", "status", "-o", "json").json
        assert (profile["username"], profile["organizations"][0]["role"]) == ("ada", "owner")


class TestLogout:
    def test_ends_the_session_at_the_exchange_too(self, log_in, call, exchange):
        log_in()
        assert call("auth", "logout", http=exchange).code == 0
        assert kept() is None
        assert Token.objects.get().revoked_at is not None

    def test_forgets_a_session_that_has_ended_already(self, log_in, call, exchange):
        log_in()
        Token.objects.update(revoked_at=timezone.now())
        assert call("auth", "logout", http=exchange).code == 0
        assert kept() is None

    def test_keeps_it_where_the_exchange_is_not_reachable(self, log_in, call, monkeypatch):
        log_in()
        monkeypatch.setattr("time.sleep", lambda _seconds: None)

        def refuse(request):
            raise httpx.ConnectError("refused", request=request)

        ended = call("auth", "logout", http=httpx.MockTransport(refuse))
        assert ended.code == 8
        assert "llm-benchmark auth logout --local" in ended.err
        assert kept() is not None
        assert call("auth", "logout", "--local", http=httpx.MockTransport(refuse)).code == 0
        assert kept() is None

    def test_leaves_an_api_token_alone_and_says_so(self, call, exchange, ada, monkeypatch):
        monkeypatch.setenv("MINE", token_for(ada, "profile:read"))
        call("auth", "login", "--token", "env:MINE", http=exchange)
        ended = call("auth", "logout", "-o", "table", http=exchange)
        assert "llm-benchmark auth token revoke NAME" in ended.out
        assert Token.objects.get().revoked_at is None

    def test_does_nothing_where_nobody_is_logged_in(self, call, stub):
        ended = call("auth", "logout", "-o", "table", http=stub({}))
        assert (ended.code, ended.out) == (0, f"Nobody is logged in at {HERE}.\n")


class TestToken:
    def test_is_made_with_its_scopes_and_shown_once(self, log_in, call, exchange):
        log_in()
        ended = call("auth", "token", "create", "ci", "-s", "benchmarks:read", "-o", "json", http=exchange)
        assert ended.json["secret"].startswith("lbx_pat_")
        assert ended.json["token"]["scopes"] == ["benchmarks:read"]
        listed = call("auth", "token", "list", http=exchange)
        assert ended.json["secret"] not in listed.out
        assert [row["name"] for row in listed.rows] == ["ci"]

    def test_is_kept_instead_of_shown(self, log_in, call, exchange):
        log_in()
        ended = call("auth", "token", "create", "ci", "-s", "profile:read", "--save", http=exchange)
        assert kept()["token"].startswith("lbx_pat_")
        assert kept()["token"] not in ended.out

    def test_is_revoked(self, log_in, call, exchange):
        log_in()
        made = call("auth", "token", "create", "ci", "-s", "profile:read", "-o", "json", http=exchange).json
        ended = call("auth", "token", "revoke", made["token"]["id"], http=exchange)
        assert "state\trevoked" in ended.out

    def test_is_revoked_by_its_name_where_one_is_meant(self, log_in, call, exchange):
        log_in()
        for _twice in range(2):
            call("auth", "token", "create", "ci", "-s", "profile:read", http=exchange)
        several = call("auth", "token", "revoke", "ci", http=exchange)
        assert (several.code, "Name an id" in several.err) == (2, True)
        first = call("auth", "token", "list", http=exchange).rows[0]["id"]
        call("auth", "token", "revoke", first, http=exchange)
        assert "state\trevoked" in call("auth", "token", "revoke", "ci", http=exchange).out
        none = call("auth", "token", "revoke", "ci", http=exchange)
        assert (none.code, "There is: none." in none.err) == (5, True)

    def test_needs_a_scope_that_there_is(self, call):
        ended = call("auth", "token", "create", "ci", "-s", "everything")
        assert ended.code == 2
        assert "benchmarks:read" in ended.err
        assert (
            json.loads(call("auth", "token", "create", "ci", "-o", "json").err)["error"]["code"]
            == "wrong_usage"
        )


def test_log_ins_at_the_same_time_are_all_kept(machine):
    urls = [f"https://{number}.example" for number in range(16)]

    with ThreadPoolExecutor(len(urls)) as threads:
        list(threads.map(lambda url: home_files.keep_credential(url, {"token": url}), urls))

    assert sorted(home_files.read_credentials()) == sorted(urls)
