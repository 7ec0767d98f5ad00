"""The model beside the last value and the season's last value, over the calibration block."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import Finding, long_run_error, upper_tail
from ngrc.diagnosis.knowledge import Knowledge
from ngrc.forecasters.naive import SeasonalNaive

SHOWN = 0.05
"""Largest p at which a model counts as shown to be better than a naive forecast, or as shown not to be."""
SMALL = 0.01
"""Skill below which a model is no better for any purpose: half a per cent of the RMSE."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The model's mean squared error beside a naive one's, in the series' own units.

    Parameters
    ----------
    rival
        What it is held against.
    period
        Steps that the rival repeats; 1 for the last value.
    skill
        1 - MSE of the model / MSE of the rival: above zero where the model is better.
    error
        Standard error of the skill, from the paired squared errors and their correlation in time.
    p
        Chance of such a skill, or a larger one, of a model that is no better.
    p_better
        Chance of such a skill, or a smaller one, of a model whose skill is 1 %.
    """

    rival: str
    period: int
    skill: float
    error: float
    p: float
    p_better: float

    @property
    def verdict(self) -> Literal["better than", "worse than", "no better than", "not shown to beat"]:
        """What the skill says beyond chance; the last where it says nothing."""
        if self.p <= SHOWN:
            return "better than"
        if self.p >= 1.0 - SHOWN:
            return "worse than"
        return "no better than" if self.p_better <= SHOWN else "not shown to beat"

    @property
    def words(self) -> str:
        """The skill with its error, and what it means."""
        return (
            f"{self.verdict} {self.rival} (skill {100 * self.skill:+.1f} %, error {100 * self.error:.1f} %)"
        )


def compare(seen: Calibration, periods: Sequence[float]) -> tuple[Comparison, ...]:
    """The model beside the last value, then beside the seasonal naive forecast of every period."""
    steps = dict.fromkeys([1, *(round(period) for period in periods if round(period) > 1)])
    squares = (seen.outcomes - seen.forecasts) ** 2
    compared = []
    for period in steps:
        naive = SeasonalNaive(period, horizon=seen.horizon).predict(seen.values)[seen.start :]
        # None where the season begins before the series does.
        if np.all(np.isfinite(naive)):
            compared += _compared(seen, period, squares, (seen.outcomes - naive) ** 2)
    return tuple(compared)


def _compared(seen: Calibration, period: int, ours: FloatArray, theirs: FloatArray) -> list[Comparison]:
    reference = float(np.mean(theirs))
    # A rival without any error has no skill to be compared with: a constant stretch.
    if reference == 0.0:
        return []
    ratio = float(np.mean(ours)) / reference
    # Influence of one target on the ratio of two means: (ours - ratio theirs) / mean(theirs).
    error, freedom = long_run_error((ours - ratio * theirs) / reference, seen.horizon)
    skill = 1.0 - ratio
    # Without any error bar the two differ by a factor alone, or not at all: the skill is what it is.
    spread = max(error, float(np.finfo(float).tiny))
    p, p_better = upper_tail(skill / spread, freedom), upper_tail((SMALL - skill) / spread, freedom)
    rival = (
        "the last value" if period == 1 else f"the value {period * -(-seen.horizon // period)} steps before"
    )
    return [Comparison(rival, period, skill, error, p, p_better)]


def naive(comparisons: Sequence[Comparison], known: Knowledge) -> Finding | None:
    """The strongest of the rivals that the model is shown not to beat."""
    ahead = [
        comparison for comparison in comparisons if comparison.verdict in ("worse than", "no better than")
    ]
    if not ahead:
        return None
    rival = min(ahead, key=lambda comparison: comparison.skill)
    return Finding(
        "naive",
        rival.skill,
        rival.p_better,
        None,
        f"the model is {rival.words}",
        _remedy(rival.period, known),
    )


def _remedy(period: int, known: Knowledge) -> str:
    target = 'target="increment"' if period == 1 else f'target="seasonal" with periods=({period},)'
    if known.target == ("increment" if period == 1 else "seasonal"):
        return f"ridge=inf, which with {target} is that forecast itself: the columns add nothing to it"
    return f"{target}, whose forecast is that value where nothing else is known; with ridge=inf it is that value always"
