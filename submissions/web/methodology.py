"""How claims are judged, for a careful reader. Every number on the page is the code's own."""

from dataclasses import asdict

from django.shortcuts import render

from llm_benchmark.measure import metrics, significance, statistics
from llm_benchmark.measure.configuration import CONCURRENCY
from llm_benchmark.measure.performance import acceptance
from llm_benchmark.measure.quality import UNANSWERED_SHARE
from llm_benchmark.measure.verdict import (
    PerformancePolicy,
    QualityPolicy,
    default_rule,
    judge_quality,
)
from llm_benchmark.measure.verdict.quality import EVIDENCE_ROUNDING
from submissions.api.serializers import MetricJudgementSerializer
from submissions.bounds import RESTARTS
from submissions.runs.planning import HARD_STOP
from submissions.wording import verdict_sentence

CASES = 1000
EXAMPLES = {"confirmed": (860, 25, 24), "refuted": (931, 7, 45)}
"""Right in the claim, gained and lost in the re-run, of CASES."""

TIED = ((0.84, 0.88), (0.83, 0.87), (0.76, 0.80))
_ACCURACY = {"name": "accuracy", "title": "Accuracy", "unit": "ratio", "direction": "higher_is_better"}


def methodology(request):
    return render(request, "submissions/methodology.html", facts())


def facts():
    """What the page says in numbers."""
    quality, speed = QualityPolicy(), PerformancePolicy(())
    return {
        "quality": _quality_numbers(quality),
        "speed": {
            "tolerances": _tolerances(),
            "sure": _percent(1 - speed.gamma),
            "within": _percent(1 - 2 * speed.alpha),
            "sessions": speed.sessions_to_confirm,
            "requests": {q: statistics.requests_to_state(q / 100) for q in (95, 99)},
        },
        "measuring": _measuring_numbers(),
        "comparing": {
            "significant": f"{significance.SIGNIFICANT:g}",
            "both": _percent(significance.BOTH_INTERVALS),
        },
        "examples": [_example(name, *counts) for name, counts in EXAMPLES.items()],
        "accuracy": _ACCURACY,
        "tied": _tied(),
        "confidence": _percent(metrics.CONFIDENCE),
    }


def _quality_numbers(policy):
    return {
        "delta": f"{100 * policy.delta:g}",
        "alpha": _percent(policy.alpha),
        "gamma": _percent(policy.gamma),
        "within": _percent(1 - 2 * policy.alpha),
        "sure": _percent(1 - policy.gamma),
        "z_within": f"{statistics.two_sided_z(1 - 2 * policy.alpha):.3f}",
        "z_sure": f"{statistics.two_sided_z(1 - 2 * policy.gamma):.3f}",
        "least": policy.minimum_n,
        "rounding": f"{100 * EVIDENCE_ROUNDING:g}",
        "kept": _percent((1 - policy.delta) ** policy.minimum_n),
    }


def _tolerances():
    names = ("output_tokens_per_second", "ttft_p50", "ttft_p90", "ttft_p95", "ttft_p99")
    shown = ("throughput", "p50", "p90", "p95", "p99")
    return {short: _percent(default_rule(name).tolerance) for short, name in zip(shown, names, strict=True)}


def _measuring_numbers():
    return {
        "hard_stop": f"{HARD_STOP:g}",
        "restarts": RESTARTS,
        "concurrency": CONCURRENCY,
        "unanswered": _percent(UNANSWERED_SHARE),
        "output_band": _percent(acceptance.OUTPUT_BAND),
        "output_band_without_usage": _percent(acceptance.OUTPUT_BAND_WITHOUT_USAGE),
        "input_band": _percent(acceptance.INPUT_BAND),
        "gateway_share": _percent(acceptance.GATEWAY_SHARE),
        "times_slack_ms": f"{acceptance.TIMES_SLACK_MS:g}",
        "times_slack": _percent(acceptance.TIMES_SLACK),
        "saturation_slack": _percent(acceptance.SATURATION_SLACK),
        "credit_share": _percent(acceptance.CREDIT_SHARE),
    }


def _example(name, right, gained, lost):
    claimed = [1.0] * right + [0.0] * (CASES - right)
    rerun = [0.0] * lost + [1.0] * (right - lost + gained) + [0.0] * (CASES - right - gained)
    judged = judge_quality(QualityPolicy(), claim=right / CASES, planned=CASES, rerun=rerun, claimed=claimed)
    stored = {
        **asdict(judged),
        "reasons": [asdict(reason) for reason in judged.reasons],
        "kind": "quality",
        **{part: _ACCURACY[part] for part in ("title", "unit")},
    }
    return {
        "verdict": name,
        "sentence": verdict_sentence(str(judged.verdict), stored),
        "judgement": MetricJudgementSerializer(stored).data,
        "gained": gained,
        "lost": lost,
        "cases": CASES,
    }


def _tied():
    """Three rows, the first two of them touching, with the ranks that their intervals allow."""
    ranges = statistics.rank_ranges(TIED)
    return [
        {"low": low, "high": high, "ranks": str(first) if first == last else f"{first}–{last}"}
        for (low, high), (first, last) in zip(TIED, ranges, strict=True)
    ]


def _percent(share):
    return f"{round(100 * share, 2):g}\u00a0%"
