"""What becomes of a campaign as its runs end, without a network."""

import pytest

from exchange.core.errors import FieldError
from exchange.core.models import AuditEntry
from llm_benchmark.measure.plans import Failure, Side
from llm_benchmark.measure.probing import DiscoveredModel, Pause
from submissions.campaigns import progress, selectors
from submissions.endpoints import deployments
from submissions.endpoints.discovering import Listing
from submissions.endpoints.errors import DiscoveryFailed
from submissions.endpoints.models import Deployment
from submissions.runs import leases, planning, settling
from submissions.runs.models import Run
from submissions.runs.services import reap_runs

from .conftest import UNAUTHORISED, asked, check_all, claimed, end_load, finding

pytestmark = pytest.mark.django_db


@pytest.fixture
def seen(member):
    """The campaign as it is shown."""
    return lambda campaign: selectors.get_campaign(actor=member, campaign_id=campaign.pk)


def item_of(campaign, name):
    return campaign.items.get(deployment__served_name=name)


def status_of(name):
    return Deployment.objects.get(served_name=name).status


class TestChecks:
    def test_come_one_after_the_other_in_the_order_of_the_rows(self, serving, start):
        start(serving(active=("c", "a", "b")))
        assert Run.objects.count() == 1

        assert check_all() == ["a", "b", "c"]

    @pytest.mark.parametrize(
        "state", ["active", "unstable", "not_available", "incompatible", "unsupported", "failed"]
    )
    def test_move_the_deployment_and_end_the_row(self, state, serving, start, seen):
        campaign = start(serving(new="a"))
        check_all(default=finding(state, reason="told"))

        item, deployment = item_of(campaign, "a"), Deployment.objects.get()
        assert (item.outcome, item.final_status, item.measurement_status) == (state, state, "skipped")
        assert (deployment.status, deployment.status_reason) == (state, "told")
        change = deployment.status_changes.get()
        assert (change.old_status, change.new_status, change.campaign_id) == ("new", state, campaign.pk)
        assert seen(campaign).status == "completed"

    def test_say_when_a_model_last_answered_and_last_did_not(self, serving, start):
        start(serving(new=("good", "bad", "other")))
        check_all({"bad": finding("failed"), "other": finding("unsupported")})

        found = Deployment.objects.values_list("served_name", "last_success_at", "last_failure_at")
        said = {name: (good is not None, bad is not None) for name, good, bad in found}
        assert said == {"good": (True, False), "bad": (False, True), "other": (False, False)}

    def test_find_the_capability_anew_unless_it_was_set_by_hand(self, serving, start, member):
        endpoint = serving(new=("a", "b"))
        by_hand = endpoint.deployments.get(served_name="b")
        deployments.set_capability(actor=member, deployment_id=by_hand.pk, capability="rerank")
        start(endpoint)
        check_all()

        found = dict(Deployment.objects.values_list("served_name", "capability"))
        assert found == {"a": "chat_text", "b": "rerank"}

    def test_change_no_state_when_the_check_itself_failed(self, serving, start, seen):
        campaign = start(serving(active=("a", "b")))
        check_all({"a": finding(None, reason="connect_failed", error="connect_failed", is_ours=True)})

        item = item_of(campaign, "a")
        assert (item.outcome, item.final_status) == ("benchmark_error", "active")
        assert (item.measurement_status, item.measurement_code) == ("failed", "connect_failed")
        assert Deployment.objects.get(served_name="a").status_changes.count() == 0
        assert seen(campaign).status == "completed_with_errors"

    def test_leave_a_deployment_alone_that_was_disabled_meanwhile(self, serving, start, member):
        campaign = start(serving(active="a"))
        run, lease = claimed()
        deployments.disable_deployment(actor=member, deployment_id=run.deployment_id)
        settling.settle_check(lease, finding("failed"))

        assert status_of("a") == item_of(campaign, "a").final_status == "disabled"

    def test_go_on_with_the_next_while_one_waits_for_its_provider(self, serving, start):
        campaign = start(serving(active=("a", "b")))
        run, lease = claimed()
        settling.postpone(lease, Pause(30, {"probes": []}))

        run.refresh_from_db()
        assert (run.status, run.failed_attempts, run.findings["probe"]) == ("queued", 0, {"probes": []})
        assert check_all() == ["b"]
        Run.objects.filter(pk=run.pk).update(not_before=run.created_at)
        claimed()
        assert item_of(campaign, "a").measurement_status == "pending"

    def test_wait_for_their_provider_in_small_numbers(self, serving, start, monkeypatch):
        monkeypatch.setattr(progress, "MOST_WAITING_CHECKS", 2)
        start(serving(active=("a", "b", "c")))
        for _ in range(2):
            _run, lease = claimed()
            settling.postpone(lease, Pause(30, {}))
        assert leases.claim_next_run(kinds=["health"]) is None

        Run.objects.filter(deployment__served_name="b").update(not_before="2020-01-01T00:00Z")
        assert check_all() == ["b", "c"]

    def test_are_taken_up_again_after_their_worker_was_lost(self, serving, start):
        start(serving(active=("a", "b")))
        run, _lease = claimed()
        Run.objects.filter(pk=run.pk).update(lease_until=run.created_at)
        assert reap_runs() == 1

        assert check_all() == ["a", "b"]

    def test_let_two_endpoints_go_on_side_by_side(self, serving, start):
        start(serving(active=("a1", "a2", "a3")))
        start(serving(active=("b1", "b2")))

        assert check_all() == ["a1", "b1", "a2", "b2", "a3"]

    @pytest.mark.parametrize("brought", [finding(), UNAUTHORISED], ids=["answered", "refused"])
    def test_ask_as_much_of_the_database_among_many_rows_as_among_few(self, brought, serving, start):
        def queries(count):
            start(serving(active=[f"m{number}" for number in range(count)]))
            _run, lease = claimed()
            return asked(lambda: settling.settle_check(lease, brought))

        assert queries(3) == queries(30)

    def test_are_one_at_a_time_at_an_endpoint(self, serving, start):
        start(serving(active=("a", "b")))
        claimed()
        assert leases.claim_next_run(kinds=["health"]) is None


class TestRefusedCredential:
    def test_stops_the_campaign_and_changes_no_model(self, serving, start, seen):
        campaign = start(serving(active=("a", "b", "c"), failed="d"))
        assert check_all({"b": UNAUTHORISED}) == ["a", "b"]

        campaign = seen(campaign)
        assert (campaign.status, campaign.fault_code) == ("failed", "authentication_failed")
        assert campaign.outcomes == {"active": 1, "auth_error": 3}
        assert not Run.objects.filter(status__in=["queued", "running"]).exists()
        assert (status_of("b"), status_of("d")) == ("active", "failed")

    def test_ends_what_is_queued_at_this_endpoint_and_lets_others_go_on(self, serving, start, seen):
        serving(active=("a1", "a2", "a3"))
        serving(active=("b1", "b2", "b3"))
        campaign = start()
        run, lease = claimed()
        settling.postpone(lease, Pause(30, {}))
        (endpoint,) = run.deployment.served_name[:1]
        order = check_all({f"{endpoint}2": UNAUTHORISED})

        run.refresh_from_db()
        others = "b" if endpoint == "a" else "a"
        assert (run.status, sorted(order)) == (
            "cancelled",
            sorted([f"{endpoint}2", f"{others}1", f"{others}2", f"{others}3"]),
        )
        assert seen(campaign).outcomes == {"active": 3, "auth_error": 3}
        assert seen(campaign).status == "failed"


class TestLoads:
    @pytest.fixture
    def measured(self, serving, start, profile):
        """A campaign over `a`, which answered and now is measured."""
        campaign = start(serving(new="a"), profile_version_id=profile.pk)
        check_all()
        return campaign

    def test_follow_a_check_that_was_answered(self, measured):
        run = Run.objects.get(kind="performance")
        item = item_of(measured, "a")

        assert (item.stage, item.performance_run, status_of("a")) == ("benchmark", run, "active")
        assert run.request_bound == planning.load_bound(run.version).requests
        assert run.snapshot["campaign_id"] == str(measured.pk)

    def test_are_one_at_a_time_in_the_queue(self, serving, start, profile, seen):
        """Whoever else waits for a measurement has its turn between two of them."""
        campaign = start(serving(new=("a", "b", "c")), profile_version_id=profile.pk)
        check_all()
        order = []
        for done in (1, 2, 3):
            assert Run.objects.filter(kind="performance", status="queued").count() == 1
            order.append(end_load().deployment.served_name)
            assert seen(campaign).done_count == done

        assert (order, seen(campaign).status) == (["a", "b", "c"], "completed")

    def test_end_the_row_with_their_figures(self, measured, seen):
        end_load({"ttft_p50": 40.0, "error_rate": 0.0})

        item = item_of(measured, "a")
        assert (item.outcome, item.measurement_status) == ("active", "succeeded")
        assert item.figures == {"ttft_p50": 40.0, "error_rate": 0.0}
        assert seen(measured).status == "completed"

    def test_make_a_model_unstable_whose_requests_fail(self, measured, seen):
        end_load({"ttft_p50": 40.0, "error_rate": 0.3})

        item = item_of(measured, "a")
        assert (item.outcome, item.status_reason, status_of("a")) == (
            "unstable",
            "errors_under_load",
            "unstable",
        )
        assert seen(measured).status == "completed"

    def fail(self, side, code):
        while found := leases.claim_next_run(kinds=["performance"]):
            run, lease = found
            settling.fail(lease, Failure(side, code, "words"))
            Run.objects.filter(pk=run.pk, status="queued").update(not_before=run.created_at)

    def test_make_a_model_unstable_that_fails_under_them(self, measured, seen):
        self.fail(Side.PROVIDER, "too_many_errors")

        item = item_of(measured, "a")
        assert (item.outcome, item.final_status, item.measurement_status) == (
            "unstable",
            "unstable",
            "failed",
        )
        assert (status_of("a"), seen(measured).status) == ("unstable", "completed_with_errors")

    @pytest.mark.parametrize(
        ("side", "code"),
        [
            (Side.PLATFORM, "aiperf_failed"),
            (Side.PROVIDER, "connect_failed"),
            (Side.PROVIDER, "token_bound_reached"),
            (Side.SUBMITTER, "address_not_public"),
        ],
    )
    def test_change_no_state_by_a_fault_that_is_not_the_models(self, side, code, measured, seen):
        self.fail(side, code)

        item = item_of(measured, "a")
        assert (item.outcome, item.final_status) == ("benchmark_error", "active")
        assert (item.measurement_side, item.measurement_code) == (side, code)
        assert (status_of("a"), seen(measured).status) == ("active", "completed_with_errors")

    def test_stop_the_campaign_when_the_credential_is_refused(self, measured, seen):
        self.fail(Side.SUBMITTER, "authentication_failed")

        assert (item_of(measured, "a").outcome, status_of("a")) == ("auth_error", "active")
        assert seen(measured).status == "failed"

    def test_go_on_with_the_next_while_one_waits_to_be_tried_again(self, serving, start, profile):
        start(serving(new=("a", "b")), profile_version_id=profile.pk)
        check_all()
        _run, lease = claimed("performance")
        settling.fail(lease, Failure(Side.PLATFORM, "times_disagree", ""))

        run, _lease = claimed("performance")
        assert run.deployment.served_name == "b"

    def test_are_skipped_for_what_they_are_not_made_for(self, serving, start, profile):
        campaign = start(serving(new=("chat", "emb")), profile_version_id=profile.pk)
        check_all({"emb": finding(capability="embedding", protocol="embeddings")})

        item = item_of(campaign, "emb")
        assert (item.outcome, item.final_status) == ("skipped_unsupported_profile", "active")
        assert Run.objects.get(kind="performance").deployment.served_name == "chat"


class TestDiscoveries:
    def list_models(self, *names):
        run, lease = claimed("discovery")
        found = [DiscoveredModel(name) for name in names]
        settling.settle_discovery(lease, Listing(run.endpoint.base_url, found, None))

    def test_bring_new_models_and_take_away_the_missing(self, serving, start, seen):
        endpoint = serving(active=("kept", "gone"), missing="back", disabled="off")
        Deployment.objects.filter(served_name="back").update(is_listed=False)
        campaign = start(endpoint, refresh=True)
        assert seen(campaign).percent is None
        self.list_models("kept", "back", "off", "fresh")

        assert check_all() == ["back", "fresh", "kept"]
        assert (status_of("gone"), status_of("off")) == ("missing", "disabled")
        assert item_of(campaign, "back").initial_status == "new"
        assert seen(campaign).percent == 100

    def test_make_the_rows_once_all_of_them_have_ended(self, serving, start, seen):
        serving(active="a")
        serving(active="a")
        campaign = start(refresh=True)
        self.list_models("a")
        assert seen(campaign).selected_at is None

        self.list_models("a")
        assert seen(campaign).item_count == 2

    def fail(self, code):
        _run, lease = claimed("discovery")
        refusal = DiscoveryFailed("words", errors=[FieldError("base_url", code, "words")])
        settling.settle_failed_discovery(lease, refusal)

    @pytest.mark.parametrize("code", ["connect_failed", "authentication_failed"])
    def test_end_the_campaign_that_has_no_other_endpoint(self, code, serving, start, seen):
        campaign = start(serving(active="a"), refresh=True)
        self.fail(code)

        campaign = seen(campaign)
        assert (campaign.status, campaign.fault_code, campaign.item_count) == ("failed", code, 0)
        assert status_of("a") == "active"

    def test_leave_out_the_endpoint_that_cannot_be_asked(self, serving, start, seen):
        serving(active="a")
        serving(active="a")
        campaign = start(refresh=True)
        self.fail("connect_failed")
        self.list_models("a")
        check_all()

        campaign = seen(campaign)
        assert (campaign.status, campaign.item_count) == ("completed_with_errors", 1)

    def test_that_find_nothing_to_check_complete_the_campaign(self, serving, start, seen):
        endpoint = serving(active="a")
        campaign = start(endpoint, mode="new", refresh=None)
        self.list_models("a")

        campaign = seen(campaign)
        assert (campaign.status, campaign.item_count, campaign.percent) == ("completed", 0, 100)


class TestTheEnd:
    def test_freezes_what_the_rows_say(self, serving, start, seen):
        endpoint = serving(new="a")
        first = start(endpoint)
        check_all()
        start(endpoint)
        check_all(default=finding("failed", reason="provider_error"))

        assert (status_of("a"), item_of(first, "a").final_status) == ("failed", "active")
        assert seen(first).outcomes == {"active": 1}

    def test_is_told_once(self, serving, start):
        campaign = start(serving(new=("a", "b")))
        check_all()

        kinds = AuditEntry.objects.filter(subject_id=campaign.pk).order_by("sequence")
        assert list(kinds.values_list("kind", flat=True)) == ["campaign.started", "campaign.completed"]

    def test_is_exact_on_its_way(self, serving, start, seen):
        campaign = start(serving(new=("a", "b", "c", "d")))
        percents = []
        for _ in range(4):
            _run, lease = claimed()
            settling.settle_check(lease, finding())
            percents.append(seen(campaign).percent)

        assert percents == [25, 50, 75, 100]
