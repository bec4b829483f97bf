import pytest

from llm_benchmark.measure import retries


def pause(policy, code, attempt, retry_after=None):
    return policy.pause(code, attempt, retry_after=retry_after, now=1000.0)


class TestQuestionPolicy:
    @pytest.mark.parametrize(
        ("attempt", "retry_after", "seconds"),
        [
            *((1, None, 0.25), (2, None, 0.5), (3, None, None), (1, "7", 7.0), (1, "0", 0.25)),
            *((1, "999999999999", 60.0), (1, "soon", 0.25), (1, "-5", 0.25), (3, "7", None)),
            (1, "Thu, 01 Jan 1970 00:16:50 GMT", 10.0),
            (1, "Thu, 01 Jan 1970 00:00:00 GMT", 0.25),
            (1, "Fri, 31 Dec 9999 23:59:59 GMT", 60.0),
        ],
    )
    def test_backs_off_and_listens_up_to_a_minute(self, attempt, retry_after, seconds):
        assert pause(retries.QUESTION, "overloaded", attempt, retry_after) == seconds

    @pytest.mark.parametrize("code", ["authentication_failed", "request_refused", "empty_response", "nobody"])
    def test_repeats_nothing_that_stays(self, code):
        assert pause(retries.QUESTION, code, 1) is None


class TestProbePolicy:
    @pytest.mark.parametrize(
        ("code", "pauses"),
        [
            ("rate_limited", [1.0, 2.0, 5.0, 10.0, None]),
            ("overloaded", [1.0, 2.0, 5.0, 10.0, None]),
            ("provider_error", [1.0, 3.0, None]),
            ("total_timeout", [1.0, 3.0, None]),
            ("connection_lost", [1.0, 3.0, None]),
            ("model_not_found", [None]),
        ],
    )
    def test_has_the_pauses_of_its_kind(self, code, pauses):
        assert [pause(retries.PROBE, code, n) for n in range(1, len(pauses) + 1)] == pauses

    def test_says_how_often_a_request_can_be_sent(self):
        assert [policy.most_attempts for policy in retries.POLICIES.values()] == [1, 3, 5]
