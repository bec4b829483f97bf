"""Whether a difference may be chance: p-values in the standard library alone. All are two-sided."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean

from .statistics import Interval, beta_cdf, binomial_cdf, normal_cdf, standard_error, t_quantile

SIGNIFICANT = 0.05
"""Below it a p-value is no longer put down to chance."""

BOTH_INTERVALS = 0.9
"""What the two ends of two 95 % intervals cover together at least."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A mean with its standard error.

    Args:
        df: degrees of freedom of the standard error; n − 1 for a mean of n values.
    """

    mean: float
    se: float
    df: float


@dataclass(frozen=True, slots=True)
class Tested:
    """A p-value and the interval of the difference that belongs to it."""

    p_value: float
    low: float
    high: float


def sample_of(values: Sequence[float]) -> Sample:
    """For two values or more."""
    return Sample(fmean(values), standard_error(values), len(values) - 1)


def t_two_sided(t: float, df: float) -> float:
    """P(|T| ≥ |t|) for Student's T (Abramowitz and Stegun 26.7.1)."""
    return beta_cdf(df / (df + t * t), df / 2, 0.5)


def mcnemar_exact(gained: int, lost: int) -> float:
    """McNemar's exact test (1947) of paired right-or-wrong answers, by the pairs that changed."""
    return min(1.0, 2 * binomial_cdf(min(gained, lost), gained + lost, 0.5)) if gained + lost else 1.0


def sign_flips(changed: int) -> float:
    """Fisher's permutation test when all `changed` differences are equal: both ends of 2ⁿ sign patterns."""
    return min(1.0, 2.0 ** (1 - changed))


def paired_t(
    differences: Sequence[float], weights: Sequence[float], confidence: float = 0.95
) -> Tested | None:
    """Student's test that a (weighted) mean of differences is 0; None when nothing shows their spread.

    The standard error is that of a ratio estimator, √(n/(n−1) Σ(w(d−d̄))²)/Σw (Cochran 1977, 6.13).
    """
    if len(set(differences)) <= 1:
        return None
    n, total = len(differences), math.fsum(weights)
    mean = math.fsum(w * d for w, d in zip(weights, differences, strict=True)) / total
    spread = math.fsum((w * (d - mean)) ** 2 for w, d in zip(weights, differences, strict=True))
    return _by_t(mean, math.sqrt(spread * n / (n - 1)) / total, n - 1, confidence)


def welch(first: Sample, second: Sample, confidence: float = 0.95) -> Tested | None:
    """Welch's test (1947) that two independent means are equal; None when nothing shows their spread."""
    variance = first.se**2 + second.se**2
    if variance <= 0:
        return None
    shares = sum(sample.se**4 / sample.df for sample in (first, second))
    return _by_t(first.mean - second.mean, math.sqrt(variance), variance**2 / shares, confidence)


def _by_t(difference: float, se: float, df: float, confidence: float) -> Tested:
    half = t_quantile((1 + confidence) / 2, df) * se
    return Tested(t_two_sided(difference / se, df), difference - half, difference + half)


def two_proportions(first: Interval, second: Interval) -> float:
    """The pooled z-test that two independent proportions, each (successes, n), are equal: χ², 1 df."""
    pooled = (first[0] + second[0]) / (first[1] + second[1])
    variance = pooled * (1 - pooled) * (1 / first[1] + 1 / second[1])
    if variance <= 0:
        return 1.0
    z = (first[0] / first[1] - second[0] / second[1]) / math.sqrt(variance)
    return min(1.0, 2 * normal_cdf(-abs(z)))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjustment (1979): together, all of them are wrong no more often than one would be.

    An unknown p-value stays unknown and does not count.
    """
    known = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    steps = accumulate((min(1.0, (len(known) - rank) * p) for rank, (p, _at) in enumerate(known)), max)
    adjusted = {at: p for (_p, at), p in zip(known, steps, strict=True)}
    return [adjusted.get(at) for at in range(len(p_values))]
