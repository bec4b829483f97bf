import pytest

from llm_benchmark.errors import TimedOut
from llm_benchmark.services.campaigns import Campaigns
from tests.sdk.document import EXAMPLES, example, schemas
from tests.sdk.stub import Stub

ID = EXAMPLES["uuid"]
GIVEN = example(schemas()["Campaign"])


def campaign(status, done=0):
    return {**GIVEN, "status": status, "done_count": done}


def campaigns(stub):
    """Whose waiting takes no time."""
    return Campaigns(stub.transport)


class TestStart:
    def test_leaves_out_what_is_not_said(self):
        stub = Stub(campaign("queued"))

        campaigns(stub).start(organization_id=ID, mode="full")
        assert stub.bodies == [{"organization_id": ID, "mode": "full"}]


class TestWait:
    @pytest.mark.parametrize("status", ["completed", "completed_with_errors", "failed", "cancelled"])
    def test_ends_with_the_campaign(self, status):
        stub = Stub(campaign("queued"), campaign("running", 1), campaign(status, 2))
        seen = []

        ended = campaigns(stub).wait(ID, progress=lambda now: seen.append((now.status, now.done_count)))
        assert ended.status == status
        assert seen == [("queued", 0), ("running", 1), (status, 2)]

    def test_says_that_it_still_goes_on(self):
        with pytest.raises(TimedOut) as late:
            campaigns(Stub(campaign("running"))).wait(ID, timeout=0)
        assert "still running" in str(late.value)


@pytest.mark.parametrize(("program", "ending"), [("", ""), ("cli", " cli"), ("mcp", " mcp")])
def test_the_exchange_is_told_what_the_client_is_a_part_of(program, ending):
    stub = Stub(campaign("queued"), program=program)

    campaigns(stub).get(ID)
    assert stub.requests[0].headers["User-Agent"].partition(" python/")[2].lstrip("0123456789.") == ending
