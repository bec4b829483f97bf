"""Somebody who serves models: sees how they stand, checks them all, and mends what is not right."""

import re

import pytest

from tests.e2e.people import KEY, PASSWORD

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

PATIENCE_SECONDS = 200


@pytest.fixture(scope="module")
def campaigner(people, lab):
    person = people()
    person.log_in(lab.name, PASSWORD)
    return person


@pytest.fixture(scope="module")
def plain(people, lab):
    """The same, in a browser that runs no scripts."""
    person = people(javascript=False)
    person.log_in(lab.name, PASSWORD)
    return person


class TestEndpoints:
    def test_shows_those_of_the_organization_and_takes_another(self, campaigner, mixed):
        campaigner.go("/organizations/lab/endpoints")
        campaigner.fill(name="Mixed", provider_name="Mixed provider", base_url=mixed.base_url, api_key=KEY)
        campaigner.press("Register", campaigner.page.locator("#register-endpoint"))
        campaigner.press("Look for models")
        campaigner.sees("steady")
        campaigner.look("endpoint-not-checked")


class TestCampaign:
    def test_is_chosen_in_words_with_numbers(self, campaigner):
        campaigner.follow("Check what it serves")
        campaigner.look("campaign-start")
        campaigner.select("profile_version_id", containing="lab-performance")

    def test_is_watched_while_it_goes_on(self, campaigner):
        with campaigner.standing_still():
            campaigner.press("Start it")
            campaigner.is_at("^/campaigns/[0-9a-f-]{36}$")
            campaigner.sees_after_reloading(re.compile("of 7 models done"), within_seconds=60)
            campaigner.look("campaign-running")

    def test_ends_with_what_it_found(self, campaigner):
        campaigner.sees("Export as CSV", within_seconds=PATIENCE_SECONDS)
        campaigner.sees(re.compile("of 7 models are active"))
        campaigner.look("campaign-ended")

    def test_changed_how_the_endpoint_stands(self, campaigner):
        campaigner.go("/organizations/lab/endpoints")
        campaigner.look("endpoints")
        campaigner.follow("Mixed", campaigner.main)
        campaigner.look("endpoint-checked")
        campaigner.go(f"{campaigner.path}?status=failed")
        campaigner.sees("broken")
        campaigner.look("endpoint-failed-only")


class TestDeployment:
    def test_tells_why_it_stands_so(self, campaigner):
        campaigner.follow("broken", campaigner.main)
        campaigner.is_at("^/deployments/")
        campaigner.sees("no answer of the endpoint")
        campaigner.look("deployment-failed")

    def test_is_priced_set_by_hand_and_disabled(self, campaigner):
        campaigner.page.get_by_text("Set a price").click()
        campaigner.fill(input_per_million="0.15", output_per_million="0.6")
        campaigner.press("Set the price")
        campaigner.sees("$0.15 / $0.6")
        campaigner.fill(capability="safety")
        campaigner.press("Set it")
        campaigner.sees("set by hand")
        campaigner.press("Disable it")
        campaigner.sees("Enable it again")
        campaigner.look("deployment-disabled")


class TestWithoutScripts:
    def test_checks_again_cancels_and_reads_the_list(self, plain):
        plain.go("/organizations/lab/campaigns/start")
        plain.page.get_by_role("radio", name="What is active").check()
        plain.press("Start it")
        plain.look("campaign-no-scripts")
        plain.press("Cancel the campaign")
        plain.go("/organizations/lab/campaigns")
        plain.sees("What is active")
        plain.look("campaigns")
