import csv
import io
import json

import pytest

from submissions.campaigns import errors, exports

from .conftest import check_all, end_load, finding

pytestmark = pytest.mark.django_db
FORMULA = '=HYPERLINK("http://evil.example")'


@pytest.fixture
def campaign(serving, start, profile):
    """One model was measured, another one is not there."""
    made = start(serving(new=("good", FORMULA)), profile_version_id=profile.pk)
    probe = {"step": "smoke", "number": 1, "status": 404, "error": "model_not_found", "latency_ms": 3.5}
    gone = finding("not_available", reason="model_not_found", message="It is not served.", probes=[probe])
    check_all({FORMULA: gone})
    end_load({"ttft_p50": 40.5, "error_rate": 0.0})
    return made


@pytest.fixture
def exported(campaign, member):
    """`exported("json")`: the file's text."""

    def call(format, actor=member):
        export = exports.get_export(actor=actor, campaign_id=campaign.pk, format=format)
        return b"".join(export.content).decode()

    return call


class TestJson:
    def test_has_all_that_is_known(self, exported, campaign):
        whole = json.loads(exported("json"))

        assert whole["campaign"]["status"] == "completed"
        assert whole["campaign"]["outcomes"] == {"active": 1, "not_available": 1}
        assert whole["campaign"]["profile"] == f"{campaign.profile.benchmark.slug} 1.0.0"
        gone, good = whole["items"]
        assert (gone["model"], gone["final_status"]) == (FORMULA, "not_available")
        assert gone["probes"][0]["error"] == "model_not_found"
        assert good["metrics"] == {"ttft_p50": 40.5, "error_rate": 0.0}
        assert [run["kind"] for run in good["runs"]] == ["health", "performance"]
        assert good["runs"][0]["attempts"] == {}


class TestCsv:
    def test_has_one_line_for_each_row_and_no_formula(self, exported):
        gone, good = csv.DictReader(io.StringIO(exported("csv")))

        assert gone["model"] == f"'{FORMULA}"
        assert (gone["outcome"], gone["message"], gone["ttft_p50"]) == (
            "not_available",
            "It is not served.",
            "",
        )
        assert (good["model"], good["ttft_p50"], good["error_rate"]) == ("good", "40.5", "0.0")


def test_is_for_the_organization_alone(exported, actor_of):
    with pytest.raises(errors.CampaignNotFound):
        exported("json", actor=actor_of())
