import pytest

from llm_benchmark.errors import Conflict, TimedOut, Unavailable
from llm_benchmark.services.verifications import Verifications
from tests.sdk.document import EXAMPLES, example, schemas
from tests.sdk.stub import Stub, problem

ID = EXAMPLES["uuid"]
BOUND = {"requests": 100, "tokens": 9000, "accept_bound": "digest"}
GIVEN = example(schemas()["Verification"])


def verification(status, done=0):
    return {**GIVEN, "status": status, "done_count": done}


def verifications(stub):
    """Whose waiting takes no time."""
    return Verifications(stub.transport)


class TestRequest:
    def test_consents_to_the_bound_that_was_accepted(self):
        stub = Stub(BOUND, verification("requested"))
        seen = []

        verifications(stub).request(ID, accept=lambda bound: seen.append(bound.requests) or True)

        assert seen == [100]
        assert b'"accept_bound":"digest"' in stub.requests[1].content

    def test_asks_for_nothing_where_the_bound_was_not_accepted(self):
        stub = Stub(BOUND)

        with pytest.raises(Conflict) as refusal:
            verifications(stub).request(ID, accept=lambda _bound: False)
        assert refusal.value.code == "bound_not_accepted"
        assert [request.method for request in stub.requests] == ["GET"]

    def test_takes_consent_that_was_given_before(self):
        stub = Stub(verification("requested"))

        verifications(stub).request(ID, accept_bound="digest", repeat_reason="dispute")

        assert stub.bodies == [{"accept_bound": "digest", "repeat_reason": "dispute"}]


class TestWait:
    @pytest.mark.parametrize("status", ["decided", "failed", "cancelled"])
    def test_ends_with_the_verification(self, status):
        stub = Stub(verification("requested"), verification("running", 5), verification(status))
        seen = []

        ended = verifications(stub).wait(ID, progress=lambda v: seen.append((v.status, v.done_count)))

        assert ended.status == status
        assert seen == [("requested", 0), ("running", 5), (status, 0)]

    def test_asks_less_and_less_often(self):
        stub = Stub(*[verification("running")] * 20, verification("decided"))

        verifications(stub).wait(ID)

        assert stub.waits == sorted(stub.waits)
        assert (stub.waits[0], stub.waits[-1]) == (0.25, 2.0)

    def test_gives_up_when_it_is_told_to(self):
        stub = Stub(verification("running"))

        with pytest.raises(TimedOut, match="still running"):
            verifications(stub).wait(ID, timeout=0.001)

    def test_does_not_ask_twice_where_there_is_no_time(self):
        stub = Stub(verification("running"))

        with pytest.raises(TimedOut):
            verifications(stub).wait(ID, timeout=0)
        assert len(stub.requests) == 1

    def test_outlasts_an_exchange_that_is_away_for_a_moment(self):
        stub = Stub(verification("running"), *[problem(503, "unavailable")] * 2, verification("decided"))

        assert verifications(stub).wait(ID).status == "decided"

    def test_says_so_where_the_exchange_stays_away(self):
        with pytest.raises(Unavailable):
            verifications(Stub(verification("running"), problem(503, "unavailable"))).wait(ID)
