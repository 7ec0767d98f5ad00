"""What is exact for exchangeable residuals, and what is promised against an adversary."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.pid import PID
from ngrc.intervals.unprojected import Unprojected
from ngrc.order import signed_ranks
from ngrc.study.harness.compare import against_formula, holds
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.record import Cell, Check
from ngrc.study.simulated.finite import corrected_rank
from ngrc.study.stress.cells import EQUAL, HORIZONS
from ngrc.study.stress.laws import ADVERSARY, CASES, EXCHANGEABLE, LEVEL, Sizes
from ngrc.study.stress.tables import cell_samples

NAME = "stress"
FALSE_ALARM = 0.002
"""Chance that a row of exact bounds says different where nothing is wrong: over all its replications together."""


def stress_checks(samples: FloatArray, methods: Sequence[str], sizes: Sizes) -> list[Check]:
    """Exact coverage of three methods on exchangeable residuals, and two bounds on any sequence."""
    checks: list[Check] = []
    for law in EXCHANGEABLE:
        for horizon in HORIZONS:
            known = sizes.calibration - horizon + 1
            for method, rank in (("split", corrected_rank(known, LEVEL)), ("asymmetric", _between(known))):
                covered = cell_samples(samples, law, horizon, methods.index(method))
                checks += _fixed(f"{law}, H = {horizon}, {method}", covered, rank, known, sizes.test)
            covered = cell_samples(samples, law, horizon, methods.index(EQUAL))
            checks += _growing(f"{law}, H = {horizon}, {EQUAL}", covered, known, sizes.test, horizon)
    return [*checks, *_bounds(samples, methods, sizes)]


def _between(known: int) -> int:
    """Gaps between order statistics that an asymmetric interval spans."""
    lower, upper = signed_ranks(known, LEVEL)
    return upper - lower


def beta_binomial_range(tests: int, rank: int, known: int, alarm: float) -> tuple[float, float]:
    """Least and largest share of `tests` covered that exchangeable residuals leave with probability below `alarm`.

    Of continuous scores the k-th smallest of m covers a share that is Beta(k, m + 1 - k) distributed; the count of
    covered ones is then beta-binomial, whatever the law.

    Examples
    --------
    >>> [round(share, 3) for share in beta_binomial_range(4000, 901, 1000, 0.002)]
    [0.865, 0.93]
    """
    law = _beta_binomial(tests, rank, known)
    return float(law.ppf(alarm / 2)) / tests, float(law.ppf(1 - alarm / 2)) / tests


def _beta_binomial(tests: int, rank: int, known: int) -> Any:
    # Imported where it is needed: scipy.stats takes a second to load.
    from scipy.stats import betabinom

    return betabinom(tests, rank, known + 1 - rank)


def _fixed(name: str, covered: FloatArray, rank: int, known: int, tests: int) -> list[Check]:
    low, high = beta_binomial_range(tests, rank, known, FALSE_ALARM / covered.size)
    inside = int(np.sum((covered >= low) & (covered <= high)))
    reason = f"beta-binomial bounds {low:.4f} and {high:.4f}, exact for every law without ties"
    # The law of a replication is known, and so is the error of their mean.
    error = float(_beta_binomial(tests, rank, known).std()) / tests / np.sqrt(covered.size)
    mean = Estimate(float(covered.mean()), error, covered.size)
    return [
        against_formula(
            Cell(NAME, "coverage", f"{name}: mean coverage"), mean, rank / (known + 1), "k/(m + 1)"
        ),
        holds(
            Cell(NAME, "coverage", f"{name}: replications inside exact bounds"), inside, covered.size, reason
        ),
    ]


def _growing(name: str, covered: FloatArray, known: int, tests: int, horizon: int) -> list[Check]:
    """Step t holds its residual with probability k_t/(m_t + 1) exactly; at H = 1 steps are independent."""
    from scipy.stats import binom

    counts = range(known, known + tests)
    shares = np.array([corrected_rank(count, LEVEL) / (count + 1) for count in counts])
    cell = Cell(NAME, "coverage", f"{name}: mean coverage")
    checks = [against_formula(cell, estimate(covered), float(shares.mean()), "mean of k_t/(m_t + 1)")]
    if horizon == 1:
        # Ranks of independent scores are independent, so that the count lies between binomials of the least and the
        # largest share.
        alarm = FALSE_ALARM / covered.size
        low = float(binom.ppf(alarm / 2, tests, shares.min())) / tests
        high = float(binom.ppf(1 - alarm / 2, tests, shares.max())) / tests
        inside = int(np.sum((covered >= low) & (covered <= high)))
        cell = Cell(NAME, "coverage", f"{name}: replications inside exact bounds")
        checks.append(holds(cell, inside, covered.size, f"binomial bounds {low:.4f} and {high:.4f}"))
    return checks


def promised(method: str) -> Callable[[int, int], float]:
    """The largest distance of the share of misses from alpha that a method promises, by steps and horizon."""
    if method == "unprojected":
        return lambda steps, horizon: Unprojected().bound(steps, horizon, LEVEL)
    # `PID.guarantee`.
    return lambda steps, horizon: float(0.5 * np.pi * PID().saturation / np.log(steps + 1) + horizon / steps)


def _bounds(samples: FloatArray, methods: Sequence[str], sizes: Sizes) -> list[Check]:
    checks = []
    for method in ("unprojected", "pid"):
        for horizon in HORIZONS:
            for law in CASES:
                steps = sizes.adversary if law == ADVERSARY else sizes.test
                covered, bound = (
                    cell_samples(samples, law, horizon, methods.index(method)),
                    promised(method)(steps, horizon),
                )
                inside = int(np.sum(np.abs(covered - LEVEL) <= bound))
                farthest = float(np.abs(covered - LEVEL).max())
                reason = (
                    f"at most {bound:.4f} from {LEVEL:g} over {steps} steps; the farthest is {farthest:.4f}"
                )
                cell = Cell(
                    NAME, "coverage", f"{law}, H = {horizon}, {method}: replications inside its bound"
                )
                checks.append(holds(cell, inside, covered.size, reason))
    return checks
