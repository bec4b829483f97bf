import pytest

from llm_benchmark.measure.verdict import (
    Gate,
    Judgement,
    Reason,
    Verdict,
    are_set_alike,
    combine,
    gate_of,
    through_gate,
)
from llm_benchmark.measure.verdict.wording import reason_text

STEPS = (Reason("one_session", {}), Reason("would_decide", {"n": 5, "unit": "sessions"}))
GATE = {"benchmark": "Sums", "version": "1.0.0", "title": "Accuracy", "required": 0.85}


def judged(verdict, *, is_deciding=True):
    return Judgement(
        metric="ttft_p50",
        verdict=Verdict(verdict),
        rule="one_session",
        claim=40.0,
        measured=41.0,
        difference=1.025,
        difference_low=None,
        difference_high=None,
        difference_confidence=None,
        tolerance=0.15,
        sample_count=20,
        reasons=STEPS,
        needed_count=5,
        needed_unit="sessions",
        is_deciding=is_deciding,
    )


class TestGateOf:
    @pytest.mark.parametrize(
        ("minimum", "measured", "gate"),
        [
            (0.85, 0.9, "passed"),
            (0.85, 0.85, "passed"),
            (0.3, 0.1 * 3 - 1e-16, "passed"),
            (0.0, 0.0, "passed"),
            (0.85, 0.849, "failed"),
            (1.0, 0.999, "failed"),
            (0.85, None, "missing"),
            (0.0, None, "missing"),
        ],
    )
    def test_asks_for_the_minimum(self, minimum, measured, gate):
        assert gate_of(minimum, measured) == gate


class TestAreSetAlike:
    @pytest.mark.parametrize(
        ("one", "other", "fixed", "alike"),
        [
            ({}, {}, (), True),
            ({"precision": "fp8"}, {"precision": "fp8"}, (), True),
            ({"precision": "fp8"}, {"precision": "fp16"}, (), False),
            ({"precision": "fp8"}, {}, (), False),
            ({}, {"system_prompt": "Think."}, (), False),
            ({}, {"system_prompt": "Think."}, ("system_prompt",), True),
            ({"dialect": "vllm"}, {"dialect": "openai"}, ("max_tokens",), False),
            ({}, {"temperature": 0.7}, ("temperature",), True),
            ({}, {"temperature": 0.7}, (), False),
            ({"concurrency": 8, "streaming": True}, {}, (), True),
        ],
    )
    def test_compares_what_both_kinds_leave_open(self, one, other, fixed, alike):
        assert are_set_alike(one, other, fixed=fixed) is alike
        assert are_set_alike(other, one, fixed=fixed) is alike


class TestThroughGate:
    @pytest.mark.parametrize(
        ("gate", "speed", "verdict"),
        [
            ("passed", "confirmed", "confirmed"),
            ("passed", "consistent", "consistent"),
            ("passed", "understated", "understated"),
            ("passed", "inconclusive", "inconclusive"),
            ("passed", "refuted", "refuted"),
            ("failed", "confirmed", "inconclusive"),
            ("failed", "consistent", "inconclusive"),
            ("failed", "understated", "inconclusive"),
            ("failed", "inconclusive", "inconclusive"),
            ("failed", "refuted", "refuted"),
            ("missing", "confirmed", "inconclusive"),
            ("missing", "understated", "inconclusive"),
            ("missing", "refuted", "refuted"),
        ],
    )
    def test_lets_only_a_passed_one_speak_for_a_claim(self, gate, speed, verdict):
        assert combine(through_gate([judged(speed)], Gate(gate), **GATE)) == verdict

    @pytest.mark.parametrize("gate", ["failed", "missing"])
    def test_gives_its_reason_first_and_asks_for_no_more_sessions(self, gate):
        found = through_gate([judged("consistent")], Gate(gate), **GATE)[0]
        assert [reason.code for reason in found.reasons] == [f"quality_gate_{gate}", "one_session"]
        assert (found.needed_count, found.needed_unit, found.measured) == (None, None, 41.0)

    def test_says_behind_the_steps_that_it_is_passed(self):
        found = through_gate([judged("consistent")], Gate.PASSED, **GATE)[0]
        assert found.reasons[:2] == STEPS
        assert found.reasons[2].code == "quality_gate_passed"
        assert found.needed_count == 5

    def test_leaves_what_does_not_decide(self):
        shown = judged("consistent", is_deciding=False)
        assert through_gate([shown], Gate.FAILED, **GATE) == [shown]


class TestItsWords:
    def say(self, gate, **params):
        return reason_text(f"quality_gate_{gate}", GATE | params, kind="performance", unit="ms")

    def test_name_the_number_and_what_to_do_next(self):
        said = self.say("failed", found=0.71).replace("\u00a0", " ")
        assert "came to 71.0 % on Sums 1.0.0 (Accuracy)" in said
        assert "asks for 85.0 %" in said
        assert (
            "Have a claim on Sums 1.0.0 verified that reaches it, then have this one measured again." in said
        )

    def test_keep_a_number_that_is_not_public(self):
        assert "came to a value that is not public on Sums 1.0.0" in self.say("failed")

    def test_name_what_was_never_measured(self):
        said = self.say("missing")
        assert "Have a claim on Sums 1.0.0 verified, then have this one measured again." in said
