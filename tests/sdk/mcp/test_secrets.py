"""Keys and tokens are planted wherever there is room for one; no result, refusal or log may hold them."""

import pytest

from .agents import over_http, over_stdio
from .world import INJECTION

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]


def calls(world):
    """Each tool, rightly and wrongly asked, for what is one's own and what is not."""
    yield "search_benchmarks", {}
    yield "list_proposals", {}
    yield "benchmark_model_list", {}
    yield "benchmark_provider_list", {}
    yield "get_leaderboard", {"benchmark": "sums", "verified_only": False}
    yield "compare_models", {"benchmark": "sums", "models": [world.able.model_id, world.boasting.model_id]}
    for submission in (world.able, world.hidden_submission):
        yield "submission_status", {"submission_id": submission.id}
    yield "benchmark_model_get", {"model_id": world.able.model_id}
    for person in (world.lab, world.rival):
        yield "benchmark_provider_get", {"provider_id": person.endpoint.id}
        yield "benchmark_provider_discover", {"provider_id": person.endpoint.id}
        yield "benchmark_retest_unstable", {"provider_id": person.endpoint.id}
        yield "benchmark_test_new_models", {"provider_id": person.endpoint.id, "refresh": False}
    for campaign in (world.campaign, world.hidden_campaign):
        for tool in ("status", "progress", "results"):
            yield f"benchmark_run_{tool}", {"campaign_id": campaign.id}
    yield "get_leaderboard", {"benchmark": "sums", "limit": "lbx_pat_in_an_argument"}
    yield "search_benchmarks", {"key": "lbx_pat_in_an_argument"}
    yield "get_leaderboard", {"benchmark": "lbx_pat_in_an_argument"}
    yield "submission_status", {"submission_id": "lbx_pat_in_an_argument"}


@pytest.fixture(scope="module")
def said(world, server_url, own_token, errors):
    """All that everybody was answered."""
    askers = [
        over_http(server_url, own_token),
        over_http(server_url, world.rival.token("endpoints:read")),
        over_http(server_url),
        over_http(server_url, "lbx_pat_in_a_header"),
        over_stdio(world.stack, own_token, "--allow-writes", errors=errors),
        # The provider refuses the rival's key.
        over_stdio(world.stack, world.rival.token("endpoints:write"), "--allow-writes", "-v", errors=errors),
    ]
    return [answer for asker in askers for answer in asker.call_each(calls(world))]


def test_no_answer_holds_a_secret(world, said):
    text = "\n".join(answer.model_dump_json() for answer in said)

    assert len(said) == 6 * len(list(calls(world)))
    for secret in [*world.lab.secrets, *world.rival.secrets, "lbx_pat_in_", "lbx_ses_"]:
        assert secret not in text


def test_no_log_holds_a_secret(world, said, errors):
    errors.flush()
    errors.seek(0)
    log = errors.read()

    assert "/discover → 409" in log
    for secret in [*world.lab.secrets, *world.rival.secrets, "lbx_pat_", "lbx_ses_"]:
        assert secret not in log


def test_no_answer_hides_a_character(said):
    hidden = set(INJECTION) - set(filter(str.isprintable, INJECTION))

    assert hidden
    assert not hidden & set("".join(answer.model_dump_json() for answer in said))
