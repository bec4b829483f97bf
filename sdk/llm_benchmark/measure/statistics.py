"""Quantiles and intervals behind every verdict and board, in the standard library alone.

An interval is `(low, high)`; `confidence` is its two-sided coverage. A one-sided bound at level 1−γ is the
end of the two-sided interval with confidence 1−2γ.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

Interval = tuple[float, float]

_STANDARD = NormalDist()
_TINY = 1e-300
_EPSILON = 1e-16
_LARGEST_EXPONENT = 700.0


def normal_quantile(p: float) -> float:
    """z with P(Z ≤ z) = p, for 0 < p < 1."""
    return _STANDARD.inv_cdf(p)


def normal_cdf(z: float) -> float:
    """P(Z ≤ z), with all its digits in the lower tail."""
    return math.erfc(-z / math.sqrt(2)) / 2


def two_sided_z(confidence: float) -> float:
    return normal_quantile((1 + confidence) / 2)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction (DLMF 8.17.22)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            step = c * d
            value *= step
        if abs(step - 1) < _EPSILON * 10:
            return value
    raise ArithmeticError(f"the incomplete beta function does not converge at {x}, {a}, {b}")


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def beta_quantile(p: float, a: float, b: float) -> float:
    """x with I_x(a, b) = p."""
    if not 0 <= p <= 1:
        raise ValueError("a probability lies between 0 and 1")
    if p in {0, 1}:
        return float(p)
    return _solve(lambda x: beta_cdf(x, a, b) - p, slope=lambda x: _beta_density(x, a, b))


def _beta_density(x: float, a: float, b: float) -> float:
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return math.exp((a - 1) * math.log(x) + (b - 1) * math.log1p(-x) - log_beta)


def _solve(excess: Callable[[float], float], *, slope: Callable[[float], float]) -> float:
    """The root of an increasing function on (0, 1): Newton's steps, halving where they leave the bracket."""
    low, high, x = 0.0, 1.0, 0.5
    for _ in range(500):
        over = excess(x)
        if over == 0 or high - low <= _EPSILON * high:
            return x
        low, high = (low, x) if over > 0 else (x, high)
        steepness = slope(x)
        candidate = x - over / steepness if steepness > 0 else -1.0
        following = candidate if low < candidate < high else (low + high) / 2
        if abs(following - x) <= _EPSILON * x:
            return following
        x = following
    return x


def t_quantile(p: float, df: float) -> float:
    """Student's t with `df` degrees of freedom, from whichever end of the beta keeps the digits."""
    outside = 2 * min(p, 1 - p)
    inside = 1 - outside
    if inside < outside:
        centre = beta_quantile(inside, 0.5, df / 2)
        size = math.sqrt(df * centre / (1 - centre))
    else:
        outer = beta_quantile(outside, df / 2, 0.5)
        size = math.sqrt(df * (1 - outer) / outer)
    return math.copysign(size, p - 0.5)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """P(X ≤ k) for X ~ Bin(n, p)."""
    if k < 0:
        return 0.0
    return 1.0 if k >= n else beta_cdf(1 - p, n - k, k + 1)


def binomial_quantile(probability: float, n: int, p: float) -> int:
    """The smallest k with P(X ≤ k) ≥ probability."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if binomial_cdf(middle, n, p) >= probability * (1 - 1e-12):
            high = middle
        else:
            low = middle + 1
    return low


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion (1927). `successes` may be a sum of scores between 0 and 1."""
    if n <= 0:
        raise ValueError("a proportion needs at least one observation")
    z2, share = two_sided_z(confidence) ** 2, successes / n
    centre = share + z2 / (2 * n)
    half = math.sqrt(z2 * (max(share * (1 - share), 0.0) / n + z2 / (4 * n * n)))
    scale = 1 + z2 / n
    low = 0.0 if successes <= 0 else (centre - half) / scale
    high = 1.0 if successes >= n else (centre + half) / scale
    return max(low, 0.0), min(high, 1.0)


def clopper_pearson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """The exact interval of a proportion (1934): never covers less than it says."""
    if n <= 0:
        raise ValueError("a proportion needs at least one observation")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else beta_quantile(tail, successes, n - successes + 1)
    high = 1.0 if successes == n else beta_quantile(1 - tail, successes + 1, n - successes)
    return low, high


def standard_error(values: Sequence[float]) -> float:
    """√(Σ(x−x̄)²/(n(n−1))), for two values or more."""
    n, mean = len(values), fmean(values)
    return math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n * (n - 1)))


def mean_t_interval(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Student's interval of a mean; None without two different values, since nothing shows the spread."""
    if len(set(values)) <= 1:
        return None
    half = t_quantile((1 + confidence) / 2, len(values) - 1) * standard_error(values)
    mean = fmean(values)
    return mean - half, mean + half


def newcombe(first: Interval, second: Interval, confidence: float = 0.95) -> Interval:
    """Interval of p₁ − p₂ of independent proportions, each (successes, n) (Newcombe 1998, method 10)."""
    share1, share2 = first[0] / first[1], second[0] / second[1]
    low1, high1 = wilson(*first, confidence)
    low2, high2 = wilson(*second, confidence)
    difference = share1 - share2
    low = difference - math.hypot(share1 - low1, high2 - share2)
    return low, difference + math.hypot(high1 - share1, share2 - low2)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of rerun − claim over the same cases.

    Each of the four cells right/right, right/wrong, wrong/right, wrong/wrong gets ½, so that
    a small sample without disagreement does not claim certainty. Written with Σd and Σd², the same holds for
    scores between 0 and 1; for 0/1 scores Σd = b − c and Σd² = b + c.

    Args:
        total: Σd.
        squares: Σd².
        n: number of pairs.
    """

    total: float
    squares: float
    n: float

    @property
    def difference(self) -> float:
        """D as observed, without the adjustment."""
        return self.total / self.n

    @property
    def se(self) -> float:
        """√(((Σd²+1)/m − (Σd/m)²)/m) with m = n+2."""
        size = self.n + 2
        return math.sqrt((self.squares + 1) / size - (self.total / size) ** 2) / math.sqrt(size)

    def interval(self, confidence: float) -> Interval:
        centre = self.total / (self.n + 2)
        half = two_sided_z(confidence) * self.se
        return centre - half, centre + half

    def scaled(self, n: float) -> "PairedDifference":
        """The same rates seen over `n` pairs."""
        return PairedDifference(self.total * n / self.n, self.squares * n / self.n, n)


def paired_difference(
    rerun: Sequence[float], claimed: Sequence[float], shares: Sequence[float] | None = None
) -> PairedDifference:
    """`shares`: what each pair counts, at most 1."""
    differences = [new - old for new, old in zip(rerun, claimed, strict=True)]
    counts = shares or [1.0] * len(differences)
    weighed = list(zip(counts, differences, strict=True))
    total, squares = (math.fsum(w * d**power for w, d in weighed) for power in (1, 2))
    return PairedDifference(total, squares, math.fsum(counts))


def order_statistic_interval(n: int, q: float, confidence: float = 0.95) -> tuple[int | None, int | None]:
    """Ranks (l, u), from 1, of the sorted sample between which the q-quantile lies; None: unbounded."""
    tail = (1 - confidence) / 2
    low = binomial_quantile(tail, n, q)
    high = binomial_quantile(1 - tail, n, q) + 1
    return (low if low >= 1 else None), (high if high <= n else None)


def requests_to_state(q: float, confidence: float = 0.95) -> int:
    """The smallest n whose interval of the q-quantile (q ≥ ½) is bounded: 72 for p95, 368 for p99."""
    return math.ceil(math.log((1 - confidence) / 2) / math.log(q))


def quantile_interval(
    values: Sequence[float], q: float, confidence: float = 0.95
) -> tuple[float | None, float | None]:
    """Order statistics around the q-quantile of one session's values; an unbounded side is None."""
    low, high = order_statistic_interval(len(values), q, confidence)
    ranked = sorted(values)
    return (None if low is None else ranked[low - 1]), (None if high is None else ranked[high - 1])


def percentile(values: Sequence[float], q: float) -> float:
    """Linear interpolation at q·(n−1) of the sorted values: numpy's default and AIPerf's."""
    ranked = sorted(values)
    position = q * (len(ranked) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (ranked[above] - ranked[below]) * (position - below)


def log_ratio_t_interval(
    values: Sequence[float], reference: float, confidence: float = 0.95
) -> Interval | None:
    """Interval of value / reference over sessions: t on the logarithms, back by exp. All values above 0."""
    interval = mean_t_interval([math.log(value / reference) for value in values], confidence)
    return interval and (_finite_exp(interval[0]), _finite_exp(interval[1]))


def _finite_exp(x: float) -> float:
    """eˣ, within what a float can hold: two wild sessions bound nothing, and that has to be written down."""
    return math.exp(max(-_LARGEST_EXPONENT, min(x, _LARGEST_EXPONENT)))


def minimum_n(alpha: float, delta: float) -> int:
    """⌈ln α / ln(1−δ)⌉: fewer cases cannot exclude a difference of δ even if none disagrees."""
    return math.ceil(math.log(alpha) / math.log1p(-delta))


def competition_ranks(values: Sequence[float | None], *, higher_is_better: bool = True) -> list[int | None]:
    """1, 2, 2, 4 on unrounded values. An unknown value has no rank (listed last); NaN is refused."""
    known = [v for v in values if v is not None]
    if any(math.isnan(v) for v in known):
        raise ValueError("NaN cannot be ranked")
    first: dict[float, int] = {}
    for place, value in enumerate(sorted(known, reverse=higher_is_better), start=1):
        first.setdefault(value, place)
    return [None if v is None else first[v] for v in values]


def rank_ranges(intervals: Sequence[Interval], *, higher_is_better: bool = True) -> list[tuple[int, int]]:
    """Best and worst rank each interval allows: one is surely ahead only where intervals do not touch."""
    oriented = [i if higher_is_better else (-i[1], -i[0]) for i in intervals]
    lows, highs = sorted(low for low, _ in oriented), sorted(high for _, high in oriented)
    everyone = len(oriented)
    return [
        (1 + everyone - bisect_right(lows, high), everyone - bisect_left(highs, low))
        for low, high in oriented
    ]
