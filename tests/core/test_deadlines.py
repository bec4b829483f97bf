import time

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

import benchmarks.selectors
from exchange.accounts.models import Organization
from exchange.api.pb import users_pb2
from exchange.core import deadlines
from exchange.core.actors import ANONYMOUS, SYSTEM
from exchange.core.errors import DeadlineExceeded
from exchange.core.tenancy import acting_for
from tests.factories.accounts import OrganizationFactory
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db


def sleep(seconds):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(%s)", [seconds])


def timeout():
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'")
        return cursor.fetchone()[0]


def store_and(act, *, seconds):
    with deadlines.within(seconds), acting_for(ANONYMOUS):
        OrganizationFactory(slug="half")
        act()


class TestStatements:
    def test_are_bounded_by_the_setting_where_nobody_is_in_a_hurry(self, settings):
        settings.STATEMENT_SECONDS = 7

        with deadlines.within(None), acting_for(ANONYMOUS):
            assert timeout() == 7000

    def test_are_bounded_by_what_is_left_of_a_nearer_deadline(self):
        with deadlines.within(5), acting_for(ANONYMOUS):
            assert 4000 < timeout() <= 5000

    def test_are_bounded_however_little_is_left(self, settings):
        settings.STATEMENT_SECONDS = 0.0001

        with deadlines.within(None):
            assert deadlines.statement_milliseconds() == 1

    def test_are_not_bounded_outside_requests(self):
        with acting_for(SYSTEM):
            assert timeout() == 0

    @pytest.mark.django_db(transaction=True)
    def test_are_bounded_no_longer_than_the_transaction(self):
        with deadlines.within(5), acting_for(ANONYMOUS):
            pass
        assert timeout() == 0

    def test_are_bounded_without_a_round_trip(self):
        counts = []
        for seconds in (None, 5):
            with CaptureQueriesContext(connection) as queries:
                if seconds is None:
                    with acting_for(ANONYMOUS):
                        pass
                else:
                    with deadlines.within(seconds), acting_for(ANONYMOUS):
                        pass
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_that_an_operator_stops_in_a_worker_are_no_refusal(self):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 50")
        with pytest.raises(OperationalError), acting_for(SYSTEM):
            sleep(5)

    def test_that_are_stopped_are_refused_and_undone(self, settings):
        settings.STATEMENT_SECONDS = 0.05

        with pytest.raises(DeadlineExceeded):
            store_and(lambda: sleep(5), seconds=None)
        assert not Organization.objects.filter(slug="half").exists()


class TestTransactions:
    def test_that_end_too_late_are_undone(self):
        with pytest.raises(DeadlineExceeded):
            store_and(lambda: time.sleep(0.06), seconds=0.05)
        assert not Organization.objects.filter(slug="half").exists()

    def test_of_a_call_that_comes_too_late_do_not_begin(self):
        with (
            pytest.raises(DeadlineExceeded),
            CaptureQueriesContext(connection) as queries,
            deadlines.within(0),
            acting_for(ANONYMOUS),
        ):
            pytest.fail("the block was entered")
        assert not [query for query in queries if "set_config" in query["sql"]]


class TestCalls:
    def made(self, seconds, act=lambda: None):
        def method(request, context):
            OrganizationFactory(slug="half")
            act()
            return users_pb2.LogoutResponse()

        with pytest.raises(RpcFailed) as failed:
            call(method, users_pb2.LogoutRequest(), seconds=seconds)
        assert not Organization.objects.filter(slug="half").exists()
        return failed.value.grpc, failed.value.code

    def test_that_come_too_late_do_nothing(self):
        assert self.made(0) == ("DEADLINE_EXCEEDED", "deadline_exceeded")

    def test_stop_the_database_at_their_deadline(self):
        begun = time.monotonic()

        assert self.made(0.2, lambda: sleep(5)) == ("DEADLINE_EXCEEDED", "deadline_exceeded")
        assert time.monotonic() - begun < 4

    def test_leave_no_deadline_behind(self):
        self.made(0)
        deadlines.check()


class TestRequests:
    @pytest.mark.parametrize("path", ["/api/v1/benchmarks", "/benchmarks"])
    def test_are_refused_with_504(self, client, settings, monkeypatch, path):
        settings.STATEMENT_SECONDS = 0.05
        monkeypatch.setattr(benchmarks.selectors, "list_benchmarks", lambda **_asked: sleep(5))

        assert client.get(path).status_code == 504
