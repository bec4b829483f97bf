"""Campaigns at the doors of programs: REST and gRPC."""

import csv
import io

import pytest

from exchange.api.pb import campaigns_pb2 as pb
from llm_benchmark.measure.probing import ProbeRecord
from submissions.campaigns.api.grpc import CampaignService
from submissions.campaigns.models import Campaign
from submissions.runs.models import Run
from tests.factories.accounts import MembershipFactory, token_for
from tests.rpc import RpcFailed, call

from .conftest import check_all, end_load, finding

pytestmark = pytest.mark.django_db
PROBE = ProbeRecord("smoke", 1, 200, None, 12.5, None, "Hello.")
OURS = "llm-benchmark-exchange/0.1 python/3.11.7"


@pytest.fixture
def person(organization):
    return MembershipFactory(organization=organization, role="member").user


@pytest.fixture
def client(api_as, person):
    return api_as(person)


@pytest.fixture
def form(organization):
    """`form(endpoint, mode="active")`: what starts a campaign."""

    def make(endpoint, **changes):
        return {
            "organization_id": str(organization.pk),
            "endpoint_id": str(endpoint.pk),
            "mode": "full",
            "refresh": False,
            **changes,
        }

    return make


@pytest.fixture
def swept(serving, start):
    """A campaign that has ended: `good` answered, `lost` was not there."""
    endpoint = serving(new=("good", "lost"))
    campaign = start(endpoint)
    gone = finding("not_available", reason="model_not_found", error="model_not_found", message="No model.")
    check_all({"good": finding(probes=[PROBE]), "lost": gone})
    return campaign


class TestStarting:
    def test_answers_before_it_is_done(self, client, serving, form):
        answer = client.post("/api/v1/campaigns", form(serving(new=("a", "b"))))

        shown = answer.json()
        assert answer.status_code == 202
        assert (shown["status"], shown["percent"], shown["item_count"]) == ("queued", 0, 2)
        assert client.get(f"/api/v1/campaigns/{shown['id']}").json() == shown

    def test_knows_no_percent_before_the_endpoint_was_asked(self, client, serving, form):
        answer = client.post("/api/v1/campaigns", form(serving(new="a"), refresh=None))

        assert (answer.json()["refresh"], answer.json()["percent"]) == (True, None)

    def test_happens_once_for_one_key(self, client, serving, form):
        asked = form(serving(new="a"))

        first, again = (
            client.post("/api/v1/campaigns", asked, headers={"Idempotency-Key": "k"}) for _ in range(2)
        )
        assert first.json() == again.json()
        assert Campaign.objects.count() == 1

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"mode": "bogus"}, "mode"),
            ({"deployment": "a"}, "deployment"),
            ({"mode": "one"}, "deployment_id"),
        ],
    )
    def test_names_the_wrong_field_and_makes_no_row(self, client, serving, form, change, field):
        answer = client.post("/api/v1/campaigns", form(serving(new="a"), **change))

        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)
        assert (Campaign.objects.count(), Run.objects.count()) == (0, 0)

    def test_is_refused_while_one_is_open_there(self, client, serving, form):
        endpoint = serving(new="a")
        client.post("/api/v1/campaigns", form(endpoint))

        answer = client.post("/api/v1/campaigns", form(endpoint))
        assert (answer.status_code, answer.json()["code"]) == (409, "campaign_open")

    @pytest.mark.parametrize(
        ("agent", "via"),
        [
            ("curl/8", "api"),
            (OURS, "api"),
            (f"{OURS} cli", "cli"),
            (f"{OURS} mcp", "mcp"),
            (f"{OURS} web", "api"),
        ],
    )
    def test_says_at_which_door(self, client, serving, form, agent, via):
        answer = client.post("/api/v1/campaigns", form(serving(new="a")), headers={"User-Agent": agent})

        assert answer.json()["via"] == via


class TestReading:
    def test_lists_those_of_a_status(self, client, swept):
        path = f"/api/v1/campaigns?organization_id={swept.organization_id}&status="

        assert [row["id"] for row in client.get(f"{path}completed").json()["items"]] == [str(swept.pk)]
        assert client.get(f"{path}failed").json()["items"] == []

    def test_counts_outcomes_in_lists_too(self, client, swept):
        [row] = client.get("/api/v1/campaigns").json()["items"]

        assert row["outcomes"] == {"active": 1, "not_available": 1}
        assert (row["percent"], row["status"], len(row["endpoints"])) == (100, "completed", 1)

    def test_shows_the_rows_in_their_order_page_by_page(self, client, swept):
        path = f"/api/v1/campaigns/{swept.pk}/items?page_size=1"
        first = client.get(path).json()
        second = client.get(f"{path}&page_token={first['next_page_token']}").json()

        rows = first["items"] + second["items"]
        assert [(row["served_name"], row["stage"], row["final_status"]) for row in rows] == [
            ("good", "done", "active"),
            ("lost", "done", "not_available"),
        ]
        assert (rows[1]["status_reason"], rows[1]["message"]) == ("model_not_found", "No model.")
        assert second["next_page_token"] == ""

    def test_narrows_rows_by_their_state(self, client, swept):
        rows = client.get(f"/api/v1/campaigns/{swept.pk}/items?status=not_available").json()["items"]

        assert [row["served_name"] for row in rows] == ["lost"]

    def test_shows_probes_of_what_is_done(self, client, swept):
        [row] = client.get(f"/api/v1/campaigns/{swept.pk}/results?outcome=active").json()["items"]

        assert row["figures"] == {}
        assert row["probes"] == [
            {
                "step": "smoke",
                "number": 1,
                "status": 200,
                "error": None,
                "latency_ms": 12.5,
                "retry_after_seconds": None,
                "excerpt": "Hello.",
            }
        ]

    def test_shows_no_result_of_what_is_not_done(self, client, serving, start):
        campaign = start(serving(new="a"))

        assert len(client.get(f"/api/v1/campaigns/{campaign.pk}/items").json()["items"]) == 1
        assert client.get(f"/api/v1/campaigns/{campaign.pk}/results").json()["items"] == []

    def test_shows_what_was_measured(self, client, serving, start, profile):
        campaign = start(serving(new="a"), profile_version_id=profile.pk)
        check_all()
        run = end_load({"ttft_p50": 50.0, "itl_p50": None})

        [row] = client.get(f"/api/v1/campaigns/{campaign.pk}/results").json()["items"]
        assert row["figures"] == {"ttft_p50": 50.0, "itl_p50": None}
        assert row["performance_run_id"] == str(run.pk)

    def test_says_why_an_endpoint_was_not_swept(self, client, swept):
        swept.sweeps.update(fault_code="connect_failed", fault_message="No connection.")

        [endpoint] = client.get(f"/api/v1/campaigns/{swept.pk}").json()["endpoints"]
        assert (endpoint["fault_code"], endpoint["fault_message"]) == ("connect_failed", "No connection.")


class TestComparing:
    def test_says_what_has_changed_since_the_one_before(self, client, swept, start):
        now = start(swept.endpoint)
        check_all({"good": finding("unstable", reason="unstable_probes"), "lost": finding()})

        shown = client.get(f"/api/v1/campaigns/{now.pk}/comparison").json()
        changes = {row["served_name"]: row for row in shown["changes"]}
        assert (shown["previous"]["id"], shown["appeared"], shown["vanished"]) == (str(swept.pk), [], [])
        assert shown["previous"]["outcomes"] == {"active": 1, "not_available": 1}
        assert (changes["good"]["previous_status"], changes["good"]["status"]) == ("active", "unstable")
        assert changes["good"]["is_changed"]

    def test_takes_the_one_that_is_named(self, client, swept, start):
        later = start(swept.endpoint)
        check_all()
        path = f"/api/v1/campaigns/{swept.pk}/comparison"

        assert client.get(path).json()["code"] == "no_previous_campaign"
        assert client.get(f"{path}?previous={later.pk}").json()["previous"]["id"] == str(later.pk)


class TestExporting:
    def test_gives_everything_as_json(self, client, swept):
        answer = client.get(f"/api/v1/campaigns/{swept.pk}/export")

        assert answer["Content-Type"] == "application/json"
        assert f'filename="campaign-{swept.pk}.json"' in answer["Content-Disposition"]
        whole = b"".join(answer.streaming_content)
        assert b'"not_available"' in whole

    def test_gives_a_line_for_each_row_as_csv(self, client, swept):
        answer = client.get(f"/api/v1/campaigns/{swept.pk}/export?format=csv")

        lines = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
        assert [line["final_status"] for line in lines] == ["active", "not_available"]


class TestCancelling:
    def test_stops_what_waits_and_is_refused_once_over(self, client, serving, start):
        campaign = start(serving(new="a"))
        path = f"/api/v1/campaigns/{campaign.pk}/cancel"

        assert client.post(path).json()["status"] == "cancelled"
        assert client.post(path).json()["code"] == "campaign_closed"


class TestOthers:
    @pytest.mark.parametrize("part", ["", "/items", "/results", "/comparison", "/export"])
    def test_do_not_learn_that_there_is_one(self, api_as, swept, part):
        stranger = api_as(MembershipFactory().user)

        answer = stranger.get(f"/api/v1/campaigns/{swept.pk}{part}")
        assert (answer.status_code, answer.json()["code"]) == (404, "campaign_not_found")
        assert stranger.get("/api/v1/campaigns").json()["items"] == []


class TestGrpc:
    @pytest.fixture
    def ask(self, person):
        service, token = CampaignService(), token_for(person)
        return lambda name, **fields: call(
            getattr(service, name), getattr(pb, f"{name}Request")(**fields), token=token
        )

    def test_starts_and_shows_and_cancels(self, ask, serving, form):
        asked = form(serving(new="a"), mode=pb.CAMPAIGN_MODE_NEW)

        made = ask("StartCampaign", **asked)
        assert (made.via, made.percent, made.item_count) == (pb.CAMPAIGN_VIA_GRPC, 0, 1)
        assert ask("GetCampaign", id=made.id) == made
        assert ask("CancelCampaign", id=made.id).status == pb.CAMPAIGN_STATUS_CANCELLED

    def test_leaves_out_a_percent_that_is_not_known(self, ask, serving, form):
        asked = {**form(serving(new="a"), mode=pb.CAMPAIGN_MODE_FULL), "refresh": True}

        assert not ask("StartCampaign", **asked).HasField("percent")

    def test_reads_all_of_one(self, ask, swept, start):
        [listed] = ask("ListCampaigns", status=pb.CAMPAIGN_STATUS_COMPLETED).items
        rows = ask("ListCampaignItems", campaign_id=str(swept.pk)).items
        [result] = ask(
            "ListCampaignResults", campaign_id=str(swept.pk), outcome=pb.CAMPAIGN_OUTCOME_ACTIVE
        ).items
        export = ask("ExportCampaign", id=str(swept.pk), format="csv")

        assert dict(listed.outcomes) == {"active": 1, "not_available": 1}
        assert [row.served_name for row in rows] == ["good", "lost"]
        assert (result.probes[0].latency_ms, result.final_status) == (12.5, 2)
        assert export.content.count(b"\r\n") == 3

    def test_compares(self, ask, swept, start):
        now = start(swept.endpoint)
        check_all()

        compared = ask("CompareCampaigns", id=str(now.pk))
        assert [change.is_changed for change in compared.changes] == [False, True]
        assert compared.previous.id == str(swept.pk)

    def test_refuses_as_rest_does(self, ask, serving, form):
        with pytest.raises(RpcFailed) as refusal:
            ask("StartCampaign", **form(serving(failed="a"), mode=pb.CAMPAIGN_MODE_ACTIVE))
        assert (refusal.value.grpc, refusal.value.code) == ("FAILED_PRECONDITION", "nothing_to_check")
