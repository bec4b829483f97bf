import inspect
import re

import pytest

from llm_benchmark.measure.verdict import performance, quality
from llm_benchmark.measure.verdict import wording as engine
from submissions import wording

QUALITY = {
    "metric": "accuracy",
    "kind": "quality",
    "title": "Accuracy",
    "unit": "",
    "is_deciding": True,
    "claim": 0.86,
    "measured": 0.861,
    "difference": 0.001,
    "difference_low": -0.011,
    "difference_high": 0.013,
    "tolerance": 0.02,
    "sample_count": 1000,
    "needed_count": None,
    "needed_unit": None,
    "reasons": [],
}
SPEED = {
    **QUALITY,
    "metric": "ttft_p50",
    "kind": "performance",
    "title": "TTFT p50",
    "unit": "ms",
    "claim": 14.0,
    "measured": 41.2,
    "difference": 2.943,
    "difference_low": 2.9,
    "difference_high": 3.0,
    "tolerance": 0.15,
    "sample_count": 10,
}


def summary(name, judgement, **changes):
    judgement = {**judgement, "verdict": name, **changes}
    text = wording.summary_of(status="decided", verdict=name, judgements=[judgement])
    return text.replace("\u00a0", " ")


class TestSummaryOfQuality:
    def test_confirmed(self):
        assert summary("confirmed", QUALITY) == (
            "Confirmed: the claim of 86.0 % holds. We asked the same 1,000 questions again and measured "
            "86.1 %; the difference is +0.1 points (−1.1 to +1.3), the tolerance was ±2."
        )

    def test_consistent(self):
        changes = {
            "claim": 0.84,
            "measured": 0.843,
            "sample_count": 300,
            "needed_count": 1350,
            "needed_unit": "cases",
        }
        assert summary("consistent", QUALITY, **changes) == (
            "Consistent: nothing speaks against 84.0 %; we measured 84.3 %. 300 cases cannot settle "
            "±2 points. About 1,050 more would."
        )

    def test_understated(self):
        changes = {"claim": 0.61, "measured": 0.67, "difference": 0.06}
        changes |= {"difference_low": 0.025, "difference_high": 0.095}
        assert summary("understated", QUALITY, **changes) == (
            "Understated: claimed 61.0 %, measured 67.0 %, at least 2.5 points more. "
            "The board ranks our number."
        )

    def test_refuted(self):
        changes = {"claim": 0.931, "measured": 0.893, "difference": -0.038}
        changes |= {"difference_low": -0.054, "difference_high": -0.022}
        assert summary("refuted", QUALITY, **changes) == (
            "Refuted: claimed 93.1 %, measured 89.3 %. The claim is at least 2.2 points above what we found."
        )

    def test_inconclusive(self):
        text = summary("inconclusive", QUALITY, sample_count=200, needed_count=514, needed_unit="cases")
        assert text.startswith("Inconclusive: claimed 86.0 %, measured 86.1 % with 200 cases.")
        assert text.endswith("About 314 more would.")


class TestSummaryOfPerformance:
    def test_refuted(self):
        assert summary("refuted", SPEED) == (
            "Refuted: claimed 14.0 ms (TTFT p50), measured 41.2 ms, which is worse than the claim by "
            "at least 190.0 %."
        )

    def test_understated(self):
        changes = {"claim": 120.0, "difference": 0.343, "difference_low": 0.34, "difference_high": 0.36}
        assert "which is better by at least 64.0 %" in summary("understated", SPEED, **changes)

    def test_consistent_says_how_many_sessions_would_settle_it(self):
        changes = {"claim": 40.0, "difference": 1.03, "needed_count": 5, "needed_unit": "sessions"}
        assert summary("consistent", SPEED, **changes) == (
            "Consistent: nothing speaks against 40.0 ms (TTFT p50); we measured 41.2 ms, which is +3.0 % "
            "and within ±15 %. About 5 sessions would settle it."
        )

    def test_inconclusive_without_a_number_gives_the_reason(self):
        reasons = [{"code": "not_stated", "params": {"n": 10, "minimum": 72}}]
        text = summary("inconclusive", SPEED, difference=None, reasons=reasons)
        assert text == (
            "Inconclusive: nothing is decided. 10 successful requests are too few for this percentile; it is "
            "stated from 72."
        )

    def test_names_the_metric_that_decided(self):
        good = {**SPEED, "verdict": "consistent", "title": "Latency"}
        bad = {**SPEED, "verdict": "refuted"}
        assert "TTFT p50" in wording.summary_of(status="decided", verdict="refuted", judgements=[good, bad])


class TestSummaryOfWhatIsNotDecided:
    @pytest.mark.parametrize(
        ("side", "words"),
        [
            ("provider", "endpoint’s; this says nothing about the model"),
            ("platform", "ours; this says nothing about the model"),
            ("submitter", "what was submitted"),
            ("model", "no verdict"),
        ],
    )
    def test_says_whose_fault_a_failure_is(self, side, words):
        text = wording.summary_of(
            status="failed",
            verdict="",
            judgements=[],
            fault_side=side,
            fault_message="The endpoint limits the rate (429)",
        )
        assert text.startswith("Not measured: The endpoint limits the rate (429). ")
        assert words in text

    @pytest.mark.parametrize("status", ["requested", "running", "cancelled"])
    def test_is_a_sentence(self, status):
        text = wording.summary_of(status=status, verdict="", judgements=[], done=12, planned=2000)
        assert text.endswith(".")
        assert status != "running" or "12 of 2,000" in text

    def test_knows_a_verdict_without_judgements(self):
        assert wording.summary_of(status="decided", verdict="inconclusive", judgements=[]).endswith(
            "decided."
        )


PARAMS = {
    **dict.fromkeys(("low", "high", "bound", "difference", "limit", "claim", "evidence", "measured"), 0.01),
    **dict.fromkeys(("floor", "ceiling", "ratio"), 1.2),
    **dict.fromkeys(("n", "minimum", "claim_n", "sessions", "requests"), 5),
    "tolerance": 0.02,
    "level": 0.99,
    "unit": "cases",
}


def codes_of(*modules):
    """Every code the engine gives a reason with, its rules' names included."""
    text = "".join(inspect.getsource(module) for module in modules)
    found = set(re.findall(r'because\(\s*"(\w+)"', text)) | set(re.findall(r'"(\w+)" if near', text))
    return found | (
        {"not_near_claim", "few_sessions", "one_session", "sessions"} if performance in modules else set()
    )


class TestReasonText:
    @pytest.mark.parametrize(
        ("judgement", "code"),
        [
            *((QUALITY, code) for code in sorted(codes_of(quality))),
            *((SPEED, code) for code in sorted(codes_of(performance))),
        ],
    )
    def test_has_a_sentence_for_every_code_of_the_engine(self, judgement, code):
        own = engine.QUALITY_REASONS if judgement is QUALITY else engine.SPEED_REASONS
        assert code in own or code in engine.REASONS, code
        text = wording.reason_text({"code": code, "params": PARAMS}, judgement)
        assert text[0].isupper() or text[0].isdigit()
        assert text.endswith(".")
        assert "%(" not in text

    def test_says_an_open_side_in_words(self):
        params = {**PARAMS, "low": 1.1, "high": None}
        text = wording.reason_text({"code": "not_surely_beyond", "params": params}, SPEED)
        assert "at least +10.0\u00a0%" in text

    def test_keeps_a_code_that_it_does_not_know(self):
        assert wording.reason_text({"code": "moon_was_full", "params": {}}, QUALITY) == "Moon was full."

    def test_never_accuses(self):
        text = (inspect.getsource(wording) + inspect.getsource(engine)).lower()
        for word in ("cheat", "significant", " fails", "approximately", "please", "oops"):
            assert word not in text
