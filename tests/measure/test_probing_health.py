"""Every row of the table of states, without a network."""

import pytest

from llm_benchmark.measure.faults import FAULTS
from llm_benchmark.measure.probing.health import State, judge

ANSWERED = (None,)
STEADY = [ANSWERED] * 3

STATES = {
    "model_not_found": State.NOT_AVAILABLE,
    "capability_mismatch": State.INCOMPATIBLE,
    "request_refused": State.FAILED,
    "redirect_refused": State.FAILED,
    "unexpected_status": State.FAILED,
    "rate_limited": State.UNSTABLE,
    "overloaded": State.UNSTABLE,
    "provider_error": State.FAILED,
    "request_timeout": State.FAILED,
    "first_byte_timeout": State.FAILED,
    "idle_timeout": State.FAILED,
    "total_timeout": State.FAILED,
    "connection_lost": State.FAILED,
    "invalid_response": State.FAILED,
    "wrong_content_type": State.FAILED,
    "encoding_refused": State.FAILED,
    "response_too_large": State.FAILED,
    "provider_reported_error": State.FAILED,
    "incomplete_stream": State.FAILED,
    "credential_echoed": State.FAILED,
    "empty_response": State.FAILED,
    "output_truncated": State.FAILED,
}
STATELESS = {
    "authentication_failed",
    "payment_required",
    "connect_failed",
    "connect_timeout",
    "tls_certificate",
    "tls_failed",
}
OF_RUNS = {"request_bound_reached", "token_bound_reached", "model_changed"}


class TestJudge:
    def test_knows_every_code_that_a_probe_can_bring(self):
        assert set(STATES) | STATELESS == set(FAULTS) - OF_RUNS

    @pytest.mark.parametrize(("code", "state"), STATES.items())
    def test_gives_what_never_answered_its_own_state(self, code, state):
        verdict = judge([(code,)])

        assert (verdict.state, verdict.reason, verdict.error) == (state, code, code)
        assert not verdict.stops_campaign
        assert not verdict.is_ours

    @pytest.mark.parametrize("tries", [3, 5])
    @pytest.mark.parametrize("code", ["provider_error", "rate_limited"])
    def test_goes_by_the_last_of_the_tries(self, code, tries):
        assert judge([("overloaded",) * (tries - 1) + (code,)]).state is STATES[code]

    def test_calls_active_what_answers_each_time_at_once(self):
        verdict = judge([ANSWERED, *STEADY])

        assert (verdict.state, verdict.reason, verdict.error) == (State.ACTIVE, "answered", None)

    @pytest.mark.parametrize(
        "steps",
        [
            [("rate_limited", None), *STEADY],
            [ANSWERED, ANSWERED, ("provider_error", "connection_lost", None), ANSWERED],
        ],
    )
    def test_calls_unstable_what_answers_only_when_asked_again(self, steps):
        verdict = judge(steps)

        assert (verdict.state, verdict.reason) == (State.UNSTABLE, "answered_after_retries")

    @pytest.mark.parametrize("code", sorted(set(STATES) | {"connect_failed", "tls_failed"}))
    def test_calls_unstable_what_answered_once_and_not_again(self, code):
        verdict = judge([ANSWERED, ANSWERED, (code,)])

        assert (verdict.state, verdict.reason, verdict.error) == (State.UNSTABLE, "unstable_probes", code)

    @pytest.mark.parametrize("code", ["authentication_failed", "payment_required"])
    @pytest.mark.parametrize("before", [[], [ANSWERED, ANSWERED]])
    def test_stops_the_campaign_where_the_credential_is_refused(self, code, before):
        verdict = judge([*before, (code,)])

        assert (verdict.state, verdict.reason, verdict.stops_campaign) == (None, code, True)

    @pytest.mark.parametrize("code", ["connect_failed", "connect_timeout", "tls_certificate", "tls_failed"])
    def test_says_nothing_of_a_model_that_it_could_not_reach(self, code):
        verdict = judge([(code,) * 3])

        assert (verdict.state, verdict.reason, verdict.is_ours) == (None, code, True)

    @pytest.mark.parametrize("before", [[], [ANSWERED]])
    def test_says_nothing_where_our_side_failed(self, before):
        verdict = judge([*before, ("address_not_public",)])

        assert (verdict.state, verdict.error, verdict.is_ours) == (None, "address_not_public", True)
