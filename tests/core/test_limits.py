"""How many requests are let in, whoever counts them and wherever they come in."""

import time

import grpc
import pytest
import redis
from django.conf import settings as configured
from django.db import OperationalError
from django.test import Client
from google.rpc.error_details_pb2 import RetryInfo

from exchange.api.pb import users_pb2 as pb
from exchange.core import limits, throttle
from exchange.core.errors import Unavailable
from exchange.core.models import AttemptWindow
from exchange.embedded.ports import free_port
from tests import rpc
from tests.factories.accounts import UserFactory, token_for
from tests.threads import together

pytestmark = pytest.mark.django_db
LIMIT, AT_ONCE = 5, 50


@pytest.fixture(autouse=True)
def limited(settings, monkeypatch):
    settings.REQUESTS_A_MINUTE = settings.ANONYMOUS_REQUESTS_A_MINUTE = LIMIT
    monkeypatch.setattr(limits._redis, "away_until", 0.0)
    monkeypatch.setattr(limits, "PATIENCE_SECONDS", 30)  # a time-out begins a new count
    limits._script.cache_clear()
    settings.CELERY_BROKER_URL = kept_apart(configured.CELERY_BROKER_URL)
    redis.from_url(settings.CELERY_BROKER_URL).flushdb()


def kept_apart(url):
    """Another of Redis's databases: elsewhere tests empty the usual one."""
    return url.rpartition("/")[0] + "/7"


@pytest.fixture
def without_redis(settings, limited):
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{free_port()}/0"


@pytest.fixture(params=["with Redis", "without Redis"])
def counted(request):
    if request.param == "without Redis":
        request.getfixturevalue("without_redis")


def asked(token="", path="/api/v1/users/me", **more):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client().get(path, headers=headers, **more)


def called(token):
    from exchange.accounts.api.grpc import UserService

    try:
        return rpc.call(UserService().GetProfile, pb.GetProfileRequest(), token=token)
    except rpc.RpcFailed as failed:
        return failed


@pytest.mark.usefixtures("counted")
@pytest.mark.django_db(transaction=True)
class TestFiftyAtOnce:
    def test_over_rest_let_in_as_many_as_the_limit_says(self):
        token = token_for(UserFactory())
        answers = together(*[lambda: asked(token)] * AT_ONCE)

        codes = sorted(answer.status_code for answer in answers)
        assert codes == [200] * LIMIT + [429] * (AT_ONCE - LIMIT)

    def test_over_grpc_let_in_as_many_as_the_limit_says(self):
        token = token_for(UserFactory())
        answers = together(*[lambda: called(token)] * AT_ONCE)

        refused = [answer for answer in answers if isinstance(answer, rpc.RpcFailed)]
        assert (len(answers) - len(refused), {failed.grpc for failed in refused}) == (
            LIMIT,
            {grpc.StatusCode.RESOURCE_EXHAUSTED.name},
        )

    def test_on_pages_let_in_as_many_as_the_limit_says(self):
        answers = together(*[lambda: asked(path="/login")] * AT_ONCE)

        assert sorted(answer.status_code for answer in answers) == [200] * LIMIT + [429] * (AT_ONCE - LIMIT)


@pytest.mark.usefixtures("counted")
class TestRefusal:
    def test_says_over_rest_when_to_come_back(self):
        token = token_for(UserFactory())
        answers = [asked(token) for _ in range(LIMIT + 1)]

        left = [answer["RateLimit-Remaining"] for answer in answers]
        assert left == ["4", "3", "2", "1", "0", "0"]
        assert (answers[-1].status_code, answers[-1].json()["code"]) == (429, "limit_exceeded")
        assert 0 < int(answers[-1]["Retry-After"]) <= limits.MINUTE
        assert answers[-1]["RateLimit-Reset"] == answers[-1]["Retry-After"]

    def test_says_over_grpc_when_to_come_back(self):
        token = token_for(UserFactory())
        answers = [called(token) for _ in range(LIMIT + 1)]

        assert answers[-1].code == "limit_exceeded"
        assert 0 < answers[-1].detail(RetryInfo).retry_delay.seconds <= limits.MINUTE

    def test_is_a_page_for_people(self):
        answers = [asked(path="/login") for _ in range(LIMIT + 1)]

        assert answers[-1]["Content-Type"].startswith("text/html")
        assert "Retry-After" in answers[-1]


class TestWhoIsCounted:
    def test_is_one_person_at_every_door_and_with_every_token(self):
        user = UserFactory()
        tokens = [token_for(user) for _ in range(LIMIT)]
        for token in tokens:
            assert asked(token).status_code == 200

        assert called(tokens[0]).code == "limit_exceeded"
        browser = Client()
        browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        assert browser.get("/profile").status_code == 429

    def test_is_not_another_person_behind_the_same_address(self):
        tokens = [token_for(UserFactory()) for _ in range(2)]
        for _ in range(LIMIT):
            assert asked(tokens[0]).status_code == 200

        assert asked(tokens[1]).status_code == 200

    def test_is_the_address_where_a_token_is_none(self):
        answers = [asked(f"lbx_pat_{number:043d}").status_code for number in range(LIMIT + 1)]
        assert answers == [401] * LIMIT + [429]
        assert called("lbx_pat_none").code == "limit_exceeded"

    def test_is_the_subnet_of_ipv6(self):
        here = [asked(path="/login", REMOTE_ADDR=f"2001:db8::{number:x}") for number in range(LIMIT + 1)]
        elsewhere = asked(path="/login", REMOTE_ADDR="2001:db8:0:1::1")
        assert (here[-1].status_code, elsewhere.status_code) == (429, 200)

    @pytest.mark.parametrize("path", ["/live", "/ready", "/health", "/static/web/exchange.css"])
    def test_is_nobody_who_watches_the_process_or_takes_its_files(self, path):
        answers = [asked(path=path) for _ in range(LIMIT + 1)]
        for answer in answers:
            answer.close()
        assert {"RateLimit-Limit" in answer for answer in answers} == {False}
        assert 429 not in {answer.status_code for answer in answers}

    def test_is_nobody_where_the_setting_says_so(self, settings):
        settings.REQUESTS_A_MINUTE = 0
        token = token_for(UserFactory())
        assert {asked(token).status_code for _ in range(LIMIT + 1)} == {200}


class TestRedis:
    def test_is_left_alone_for_a_while_when_it_does_not_answer(self, without_redis, monkeypatch):
        asked(path="/login")
        monkeypatch.setattr(limits._redis, "count", None)  # calling it would be an error

        assert asked(path="/login").status_code == 200
        assert limits._redis.away_until > time.monotonic()

    def test_counts_again_when_it_is_back(self, monkeypatch):
        monkeypatch.setattr(limits._redis, "away_until", time.monotonic() - 1)
        asked(path="/login")

        assert AttemptWindow.objects.count() == 0

    def test_forgets_a_window_when_it_ends(self, settings):
        asked(path="/login")
        kept = redis.from_url(settings.CELERY_BROKER_URL)
        [key] = kept.keys("exchange|*")
        assert 0 < kept.ttl(key) <= limits.MINUTE


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.2", "192.0.2.2"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix:", "unix:"),
    ],
)
def test_an_address_stands_for_one_subscriber(address, network):
    assert limits.network_of(address) == network


def test_redis_that_was_away_is_asked_by_one_at_a_time(monkeypatch):
    away = _Slow()
    monkeypatch.setattr(limits, "_redis", away)
    away.away_until = time.monotonic() - 1
    for _ in range(3):
        limits.count_request(user_id=None, address="192.0.2.1")
    assert away.asked == 1


class _Slow(limits._Redis):
    """While it waits for Redis, two others come."""

    asked = 0

    def count(self, key):
        self.asked += 1
        if self.asked == 1:
            for _ in range(2):
                limits._count(key)
        raise redis.TimeoutError


def test_nobody_is_let_in_uncounted_when_postgresql_is_away_too(without_redis, monkeypatch):
    def away(**_):
        raise OperationalError

    monkeypatch.setattr(throttle, "count", away)
    with pytest.raises(Unavailable):
        limits.count_request(user_id=None, address="192.0.2.1")
