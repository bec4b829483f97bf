import csv
import io
import json

import pytest

from submissions.campaigns.models import Campaign
from tests.campaigns.conftest import check_all, end_load, finding
from tests.factories.accounts import MembershipFactory
from tests.factories.endpoints import DeploymentFactory, EndpointFactory
from tests.factories.runs import load_version

from .answers import CAMPAIGN, campaign, item, page

ONE = f"/campaigns/{CAMPAIGN}"


@pytest.fixture
def membership(db):
    return MembershipFactory(role="member")


@pytest.fixture
def program(exchange_as, membership):
    return exchange_as(membership.user)


@pytest.fixture
def endpoint(membership):
    made = EndpointFactory(organization=membership.organization, name="mine")
    for name in ("a", "b"):
        DeploymentFactory(endpoint=made, served_name=name)
    return made


@pytest.fixture
def swept(program, endpoint):
    """A campaign that has ended, in which `b` was not there."""
    program("campaign", "start", "mine", "--no-refresh", "--no-wait")
    check_all({"b": finding("not_available", reason="model_not_found")})
    return Campaign.objects.get()


class TestStart:
    def test_checks_one_endpoint(self, program, endpoint):
        ended = program("campaign", "start", "MINE", "--no-wait", "-o", "json")

        assert ended.code == 0, ended.err
        assert (ended.json["mode"], ended.json["refresh"], ended.json["via"]) == ("full", True, "cli")
        assert Campaign.objects.get().endpoint == endpoint

    def test_checks_all_endpoints(self, program, endpoint):
        ended = program("campaign", "start", "--mode", "new", "--no-refresh", "--no-wait", "-o", "json")

        assert (ended.json["endpoint_id"], ended.json["item_count"]) == (None, 2)

    @pytest.mark.parametrize("where", [["mine"], []])
    def test_checks_one_model(self, program, endpoint, where):
        ended = program("campaign", "start", *where, "--model", "b", "--no-wait", "-o", "json")

        one = endpoint.deployments.get(served_name="b")
        assert (ended.json["mode"], ended.json["deployment_id"]) == ("one", str(one.pk))

    def test_takes_a_load_by_its_slug(self, program, endpoint, membership):
        version = load_version(organization=membership.organization)
        name = f"{version.benchmark.slug}@{version.version}"

        ended = program("campaign", "start", "mine", "--profile", name, "--no-wait", "-o", "json")
        assert ended.json["profile_version_id"] == str(version.pk), ended.err

    def test_says_how_to_look_again(self, program, endpoint):
        ended = program("campaign", "start", "mine", "--no-wait", "-o", "table")

        assert f"campaign watch {Campaign.objects.get().pk}" in ended.out

    def test_is_refused_where_nothing_is_to_do(self, program, endpoint):
        ended = program("campaign", "start", "mine", "--mode", "failed")

        assert (ended.code, Campaign.objects.count()) == (6, 0)

    def test_knows_the_modes(self, program, endpoint):
        assert program("campaign", "start", "mine", "--mode", "bogus").code == 2


class TestWatch:
    @pytest.mark.parametrize(
        ("status", "states", "code"),
        [
            ("completed", ["active", "active"], 0),
            ("completed", ["active", "failed"], 11),
            ("completed", [], 0),
            ("completed_with_errors", ["active"], 12),
            ("failed", [], 13),
            ("cancelled", ["active"], 14),
        ],
    )
    def test_says_by_its_exit_code_how_it_ended(self, call, stub, status, states, code):
        rows = page(*(item(str(number), state) for number, state in enumerate(states)))
        http = stub({f"GET {ONE}": campaign(status), f"GET {ONE}/items": rows})

        assert call("campaign", "watch", CAMPAIGN, http=http).code == code

    def test_says_how_far_it_is_meanwhile(self, call, stub):
        queued = campaign("queued", percent=None, item_count=0)
        going = [
            *(queued, queued),
            campaign("running", percent=None, item_count=0),
            campaign("running", percent=50.0, done_count=1),
            campaign(),
        ]
        http = stub(
            {
                f"GET {ONE}": lambda _request: _answer(going.pop(0) if len(going) > 1 else going[0]),
                f"GET {ONE}/items": page(item("a")),
            }
        )

        ended = call("campaign", "watch", CAMPAIGN, http=http)
        assert ended.err.splitlines() == [
            "Waiting for a worker …",
            "Asking what is served …",
            "Checking models …",
        ]
        assert [(row["model"], row["state"]) for row in ended.rows] == [("a", "active")]

    def test_shows_the_campaign_and_its_rows_to_people(self, program, swept):
        ended = program("campaign", "watch", "-o", "table")

        assert ended.code == 11
        assert "1 active, 1 not_available" in ended.out
        assert "model_not_found" in ended.out

    def test_goes_on_when_nobody_watches_any_more(self, call, stub, monkeypatch):
        def interrupt(*_arguments, **_options):
            raise KeyboardInterrupt

        monkeypatch.setattr("llm_benchmark.services.campaigns.Campaigns.wait", interrupt)
        ended = call("campaign", "watch", CAMPAIGN, http=stub({f"GET {ONE}": campaign("running")}))

        assert ended.code == 130
        assert f"campaign watch {CAMPAIGN}" in ended.err
        assert f"campaign cancel {CAMPAIGN}" in ended.err


class TestRead:
    def test_lists_campaigns(self, program, swept):
        [row] = program("campaign", "list", "--status", "completed", "--endpoint", "mine").rows

        assert (row["endpoint"], row["mode"], row["done"], row["id"]) == (
            "mine",
            "full",
            "100.0",
            str(swept.pk),
        )

    def test_shows_the_newest_where_none_is_named(self, program, swept):
        assert program("campaign", "show", "-o", "json").json["id"] == str(swept.pk)

    def test_says_how_to_start_one_where_there_is_none(self, program):
        ended = program("campaign", "show")

        assert ended.code == 5
        assert "campaign start" in ended.err
        assert "campaign start" in program("campaign", "list", "-o", "table").out

    def test_lists_rows(self, program, swept):
        rows = program("campaign", "items").rows

        assert [(row["model"], row["stage"], row["state"]) for row in rows] == [
            ("a", "done", "active"),
            ("b", "done", "not_available"),
        ]

    @pytest.mark.parametrize("words", [["campaign", "results"], ["results"]])
    def test_lists_what_was_measured(self, program, endpoint, words):
        profile = load_version(organization=endpoint.organization)
        name = profile.benchmark.slug
        program("campaign", "start", "mine", "--model", "a", "--profile", name, "--no-refresh", "--no-wait")
        check_all()
        end_load({"ttft_p50": 52.4, "error_rate": 0.0})

        [row] = program(*words).rows
        assert (row["model"], row["ttft_p50"], row["errors"]) == ("a", "52.4", "0.0")
        assert "52.4" in program(*words, "-o", "table").out

    def test_compares_with_the_one_before(self, program, swept):
        program("campaign", "start", "mine", "--no-refresh", "--no-wait")
        check_all({"a": finding("unstable", reason="unstable_probes"), "b": finding("not_available")})

        assert [row["model"] for row in program("campaign", "compare").rows] == ["a"]
        assert [row["model"] for row in program("campaign", "compare", "--all").rows] == ["a", "b"]
        assert program("campaign", "compare", "-o", "json").json["previous"]["id"] == str(swept.pk)

    def test_cancels_the_one_that_is_named(self, program, endpoint):
        program("campaign", "start", "mine", "--no-refresh", "--no-wait")
        key = Campaign.objects.get().pk

        assert program("campaign", "cancel", key, "-o", "json").json["status"] == "cancelled"
        assert program("campaign", "cancel").code == 2


class TestExport:
    def test_writes_json_or_csv(self, program, swept, tmp_path):
        file = tmp_path / "kept.json"

        assert program("campaign", "export", "--to", file).code == 0
        assert json.loads(file.read_text())["campaign"]["id"] == str(swept.pk)
        lines = csv.DictReader(io.StringIO(program("campaign", "export", swept.pk, "-f", "csv").out))
        assert [line["final_status"] for line in lines] == ["active", "not_available"]

    def test_is_what_export_does_with_the_id_of_a_campaign(self, program, swept):
        lines = csv.DictReader(io.StringIO(program("export", swept.pk).out))

        assert [line["model"] for line in lines] == ["a", "b"]


def test_run_with_a_mode_says_what_is_meant(call):
    ended = call("run", "mine", "--mode", "active")

    assert ended.code == 2
    assert "campaign start ENDPOINT --mode active" in ended.err


def _answer(data):
    import httpx

    return httpx.Response(200, json=data)
