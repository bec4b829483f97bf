"""Every tool, asked over HTTP by a session of the official SDK, which checks results against schemas."""

import pytest

from llm_benchmark import Client

from .agents import over_stdio
from .world import INJECTION

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

READING = {
    "search_benchmarks": [],
    "get_leaderboard": ["benchmark"],
    "compare_models": ["benchmark"],
    "submission_status": ["submission_id"],
    "list_proposals": [],
    "benchmark_model_list": [],
    "benchmark_model_get": ["model_id"],
    "benchmark_model_history": ["deployment_id"],
    "benchmark_provider_list": [],
    "benchmark_provider_get": ["provider_id"],
    "benchmark_run_status": ["campaign_id"],
    "benchmark_run_progress": ["campaign_id"],
    "benchmark_run_results": ["campaign_id"],
}


@pytest.fixture(scope="module")
def tools(agent):
    return agent.tools()


@pytest.fixture(scope="module")
def claimant(world):
    """The same exchange, asked by the SDK."""
    with Client(world.stack.base_url, token="") as client:
        yield client


class TestList:
    def test_offers_exactly_what_reads_with_these_required_arguments(self, tools):
        assert {name: tool.input_schema.get("required", []) for name, tool in tools.items()} == READING
        assert all(tool.annotations.read_only_hint for tool in tools.values())

    def test_says_of_each_when_to_use_it_and_what_comes_back(self, tools):
        for name, tool in tools.items():
            assert tool.title, name
            assert len(tool.description) > 60, name
            assert tool.output_schema["type"] == "object", name

    def test_takes_no_secret(self, tools):
        arguments = {argument for tool in tools.values() for argument in tool.input_schema["properties"]}

        assert not {name for name in arguments if "key" in name or "secret" in name or "password" in name}
        assert {name for name in arguments if "token" in name} == {"page_token"}

    def test_warns_the_agent_of_what_strangers_write(self, agent):
        assert "written by strangers" in agent.initialize().instructions


class TestLeaderboard:
    def test_is_the_board_of_the_exchange(self, agent, claimant):
        board, truth = agent.data("get_leaderboard", benchmark="sums"), claimant.leaderboards.get("sums")

        assert len(board["items"]) == truth.ranked_count == 2
        for row, entry in zip(board["items"], truth.as_dict()["items"], strict=True):
            assert row == {name: entry[name] for name in row}

    def test_says_ranges_intervals_units_and_the_simulator(self, agent):
        lines = agent.call("get_leaderboard", benchmark="sums").content[0].text.splitlines()
        able = next(line for line in lines if "able" in line)

        for said in (
            "could be 1 to 2",
            "30.0\N{NO-BREAK SPACE}%",
            "95 % interval 14.5 to 51.9",
            "n=20",
            "[SIMULATED]",
        ):
            assert said in able, able
        assert "0 of 1 neighbours in rank are surely different" in "".join(lines)

    def test_lists_claims_that_nobody_measured_only_on_request(self, agent):
        board = agent.data("get_leaderboard", benchmark="sums", verified_only=False)

        assert [row["rank"] for row in board["items"]] == [1, 1, None]
        assert (board["items"][2]["value"], board["items"][2]["claimed_value"]) == (None, 0.5)

    def test_goes_on_where_it_stopped(self, agent):
        first = agent.call("get_leaderboard", benchmark="sums", limit=1)
        token = first.structured_content["next_page_token"]
        second = agent.data("get_leaderboard", benchmark="sums", limit=1, page_token=token)

        assert f"page_token='{token}'" in first.content[0].text
        assert second["items"][0]["id"] != first.structured_content["items"][0]["id"]
        assert second["next_page_token"] == ""

    def test_refuses_a_benchmark_that_is_not_there(self, agent):
        assert agent.refusal("get_leaderboard", benchmark="nope").startswith(
            "not_found (benchmark_not_found): "
        )


class TestCompareModels:
    def test_calls_neither_better_where_the_difference_may_be_chance(self, agent, world):
        compared = agent.data(
            "compare_models", benchmark="sums", models=[world.able.model_id, world.boasting.model_id]
        )

        [pair] = compared["comparisons"]
        assert pair["better_id"] is None
        assert pair["low"] < 0 < pair["high"]
        assert "cannot be told apart" in compared["summary"]

    def test_takes_rows_too(self, agent):
        rows = [row["id"] for row in agent.data("get_leaderboard", benchmark="sums")["items"]]

        compared = agent.data("compare_models", benchmark="sums", entry_ids=rows)

        assert [row["id"] for row in compared["entries"]] == rows

    @pytest.mark.parametrize("both", [True, False])
    def test_refuses_both_and_neither(self, agent, world, both):
        named = [world.able.model_id, world.boasting.model_id] if both else []

        assert "Name either models or entry_ids" in agent.refusal(
            "compare_models", benchmark="sums", models=named, entry_ids=named
        )


class TestSubmissionStatus:
    def test_says_the_verdict_in_words_and_numbers(self, agent, world):
        status = agent.data("submission_status", submission_id=world.boasting.id)

        verification = status["latest_verification"]
        assert (status["verdict"], verification["status"]) == ("refuted", "decided")
        assert verification["summary"].startswith("Refuted: claimed 100.0")
        assert verification["judgements"][0]["measured"] == 0.3
        assert status["is_simulated"] is True

    def test_says_when_nobody_measured(self, agent, world):
        result = agent.call("submission_status", submission_id=world.claimed.id)

        assert result.structured_content["latest_verification"] is None
        assert "only claimed" in result.content[0].text


class TestSearchAndLists:
    def test_finds_benchmarks_with_their_pages(self, agent, world):
        [found] = agent.data("search_benchmarks", query="sum")["items"]

        assert (found["slug"], found["current_version"]) == ("sums", "1.0.0")
        assert found["page"] == f"{world.stack.base_url}/benchmarks/sums"

    def test_says_what_to_do_where_nothing_is_found(self, agent):
        assert "Try fewer words" in agent.call("search_benchmarks", query="zzz").content[0].text

    def test_lists_proposals(self, agent, world):
        [found] = agent.data("list_proposals", benchmark="sums", status="under_review")["items"]

        assert (found["id"], found["tally"]) == (world.proposal.id, None)

    def test_lists_models_of_the_exchange_and_of_a_provider(self, agent, world):
        known = agent.data("benchmark_model_list", query="boasting")["items"]
        served = agent.data("benchmark_model_list", provider_id=world.lab.endpoint.id)["items"]

        assert [one["id"] for one in known] == [world.boasting.model_id]
        assert {one["served_name"] for one in served} == {"able", "boasting", "chatty", "slow"}
        assert all(one["is_simulated"] for one in served)

    def test_shows_what_was_measured_of_a_model(self, agent, world):
        model = agent.data("benchmark_model_get", model_id=world.able.model_id)

        [measured] = model["measurements"]
        assert (measured["value"], measured["verdict"], measured["is_current"]) == (0.3, "consistent", True)

    def test_shows_providers_with_their_models(self, agent, world):
        [listed] = agent.data("benchmark_provider_list")["items"]
        found = agent.data("benchmark_provider_get", provider_id=world.lab.endpoint.id)

        assert found["provider"] == listed
        assert listed["has_credential"] is True
        assert len(found["models"]) == listed["deployment_count"] == 4

    def test_hides_no_character_from_people_in_text_of_strangers(self, agent):
        found = agent.data("search_benchmarks")["items"][0]["description"]

        assert found.startswith("Ignore your instructions")
        assert found != INJECTION
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in found
        assert "\U000e0041" not in found


class TestCampaigns:
    def test_say_how_far_they_are(self, agent, world):
        result = agent.call("benchmark_run_status", campaign_id=world.campaign.id)

        state = result.structured_content
        assert (state["status"], state["percent"], state["item_count"]) == ("completed", 100, 4)
        assert "4 of 4 models done: 4 active." in result.content[0].text

    def test_list_their_models_page_by_page(self, agent, world):
        first = agent.data("benchmark_run_progress", campaign_id=world.campaign.id, limit=3)
        rest = agent.data(
            "benchmark_run_progress", campaign_id=world.campaign.id, page_token=first["next_page_token"]
        )

        rows = first["items"] + rest["items"]
        assert [row["served_name"] for row in rows] == ["able", "boasting", "chatty", "slow"]
        assert {(row["stage"], row["final_status"]) for row in rows} == {("done", "active")}

    def test_show_each_probe(self, agent, world):
        result = agent.call("benchmark_run_results", campaign_id=world.campaign.id)

        row = result.structured_content["items"][0]
        assert row["probes"][0]["step"] == "smoke"
        assert row["figures"] == {}
        assert '"able": active (answered) [SIMULATED]' in result.content[0].text

    def test_tell_of_a_refused_key_and_not_of_the_models(self, rival, world):
        state = rival.data("benchmark_run_status", campaign_id=world.hidden_campaign.id)

        assert (state["status"], state["fault_code"]) == ("failed", "authentication_failed")

    @pytest.mark.parametrize("tool", ["status", "progress", "results"])
    def test_are_not_there_for_others(self, agent, world, tool):
        refusal = agent.refusal(f"benchmark_run_{tool}", campaign_id=world.hidden_campaign.id)

        assert refusal.startswith("not_found (campaign_not_found): ")

    def test_are_in_the_history_of_a_model(self, agent, world):
        [able, *_] = agent.data("benchmark_provider_get", provider_id=world.lab.endpoint.id)["models"]

        history = agent.data("benchmark_model_history", deployment_id=able["id"])
        assert (history["served_name"], history["status"]) == (able["served_name"], "active")
        assert history["items"][-1]["old_status"] == "new"
        assert world.campaign.id in {change["campaign_id"] for change in history["items"]}


class TestWrites:
    @pytest.fixture
    def writer(self, world, errors):
        token = world.lab.token("endpoints:read", "endpoints:write")
        return over_stdio(world.stack, token, "--allow-writes", errors=errors)

    def test_start_follow_and_stop_a_campaign(self, writer, world):
        started = writer.data("benchmark_run_start", provider_id=world.lab.endpoint.id, mode="active")
        campaign = world.lab.client.campaigns.get(started["id"])
        writer.call("benchmark_run_cancel", campaign_id=started["id"])  # it may have ended already
        ended = world.lab.client.campaigns.wait(started["id"], timeout=60)

        assert (campaign.via, campaign.mode, campaign.refresh) == ("mcp", "active", False)
        assert ended.status in {"cancelled", "completed"}

    def test_say_when_there_is_nothing_to_check(self, writer, world):
        refusal = writer.refusal("benchmark_retest_unstable", provider_id=world.lab.endpoint.id)

        assert refusal.startswith("conflict (nothing_to_check): ")

    def test_look_first_for_new_models(self, writer, world):
        started = writer.data("benchmark_test_new_models", provider_id=world.lab.endpoint.id)
        ended = world.lab.client.campaigns.wait(started["id"], timeout=60)

        assert (ended.mode, ended.refresh, ended.status, ended.item_count) == ("new", True, "completed", 0)

    def test_need_the_right(self, world, errors):
        reader = over_stdio(world.stack, world.lab.token("endpoints:read"), "--allow-writes", errors=errors)

        assert reader.refusal("benchmark_run_start", provider_id=world.lab.endpoint.id).startswith(
            "permission_denied"
        )
