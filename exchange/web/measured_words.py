"""What a measurement noted beside its figures, in sentences: tokens, what was cached, and both clocks."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.core.quantities import quantity

CLOSE = 0.005  # a difference that is shown as 0 %
Findings = Mapping[str, Any]
# A sweep has its figures at the knee and the peak; loads without tokens have requests.
FIGURES: Mapping[str, Sequence[tuple[str, str]]] = {
    "first": (("ttft_p50", "ms"), ("knee_ttft_p50", "ms")),
    "rate": (
        ("output_tokens_per_second", "tokens/s"),
        ("peak_output_tokens_per_second", "tokens/s"),
        ("requests_per_second", "requests/s"),
    ),
    "failed": (("error_rate", "share"),),
}


def figure_words(figures: Mapping[str, float | None], kind: str) -> str:
    """The first value there is of a kind: time to the first token, rate, or failed requests. Empty: none."""
    known = ((figures.get(name), unit) for name, unit in FIGURES[kind])
    return next((quantity(value, unit) for value, unit in known if value is not None), "")


def measured_sentences(findings: Findings) -> list[str]:
    """What people should know of a performance run; empty for others.

    Args:
        findings: as `llm_benchmark.measure.performance.acceptance` gives them.
    """
    usage, times = findings.get("usage"), findings.get("times")
    said = [_clocks(times)] if times else []
    if usage:
        said += [
            _difference(_("input"), usage["input_difference"]),
            _difference(_("output"), usage["output_difference"]),
            _cached(usage),
        ]
    return [sentence for sentence in said if sentence]


def _clocks(times: Mapping[str, float | None]) -> str:
    """The time to the first token, as both that measured it say."""
    theirs, ours = times.get("ttft_p50_aiperf"), times.get("ttft_p50_gateway")
    if theirs is None or ours is None:
        return ""
    words = {"aiperf": quantity(theirs, "ms"), "gateway": quantity(ours, "ms")}
    return (
        _("The first token came after %(aiperf)s by AIPerf and %(gateway)s by our gateway, both medians.")
        % words
    )


def _difference(kind: str, share: float | None) -> str:
    """The provider's count of tokens beside ours."""
    words = {"kind": kind, "share": f"{100 * abs(share or 0):.0f}\u00a0%"}
    if share is None:
        return _("The endpoint does not say how many %(kind)s tokens it counts.") % words
    if abs(share) < CLOSE:
        return _("The endpoint counts as many %(kind)s tokens as we do.") % words
    if share > 0:
        return _("The endpoint counts %(share)s more %(kind)s tokens than our tokenizer, o200k.") % words
    return _("The endpoint counts %(share)s fewer %(kind)s tokens than our tokenizer, o200k.") % words


def _cached(usage: Mapping[str, Any]) -> str:
    tokens, requests = usage["cached_tokens"], usage["cached_requests"]
    if tokens is None:
        return _("It does not say what it had cached.")
    if not tokens:
        return _("It says that it had nothing cached.")
    said = ngettext(
        "It had %(tokens)s tokens of %(number)d request cached, whose answer may have come sooner.",
        "It had %(tokens)s tokens of %(number)d requests cached, whose answers may have come sooner.",
        requests,
    )
    return said % {"tokens": f"{tokens:,}", "number": requests}
