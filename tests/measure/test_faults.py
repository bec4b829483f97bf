import pytest

from llm_benchmark.measure.faults import FAULTS, failure, outcome_failure, status_fault
from llm_benchmark.measure.plans import Side


class TestStatusFault:
    @pytest.mark.parametrize(
        "status", [100, 204, 206, 301, 302, 307, 400, 402, 405, 418, 422, 451, 501, 529, 599]
    )
    def test_knows_every_status_but_200_as_a_fault(self, status):
        assert status_fault(status) in FAULTS

    def test_lets_200_pass(self):
        assert status_fault(200) is None

    @pytest.mark.parametrize(
        ("status", "code", "is_retryable"),
        [(501, "unexpected_status", False), (504, "provider_error", True), (529, "overloaded", True)],
    )
    def test_repeats_only_what_may_pass(self, status, code, is_retryable):
        assert (status_fault(status), FAULTS[code].is_retryable) == (code, is_retryable)


class TestFailure:
    def test_says_the_status(self):
        assert failure("provider_error", status=502).message.endswith("(HTTP 502)")

    def test_blames_the_platform_for_a_code_in_no_table(self):
        assert failure("client_disconnected").side is Side.PLATFORM

    @pytest.mark.parametrize(
        ("outcome", "status", "code"),
        [("http_error", 429, "rate_limited"), ("incomplete_stream", 200, "incomplete_stream")],
    )
    def test_reads_a_journal(self, outcome, status, code):
        assert outcome_failure(outcome, status).code == code
