"""The model beside the last value and the season's last value, over the calibration block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import CHANCE, Finding, long_run_error, upper_tail
from ngrc.forecasters.naive import SeasonalNaive

SHOWN = 0.05
"""Largest p at which a model counts as shown to be better than a naive forecast."""


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
    """

    rival: str
    period: int
    skill: float
    error: float
    p: float

    @property
    def better(self) -> bool:
        """Whether the model is shown to be better."""
        return self.p <= SHOWN

    @property
    def words(self) -> str:
        """The skill with its error, and what it means."""
        verdict = (
            "better than" if self.better else "worse than" if self.p >= 1.0 - CHANCE else "not shown to beat"
        )
        return f"{verdict} {self.rival} (skill {self.skill:+.1%}, error {self.error:.1%})"


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
    p = upper_tail(skill / error, freedom) if error > 0.0 else float(skill <= 0.0)
    rival = (
        "the last value" if period == 1 else f"the value {period * -(-seen.horizon // period)} steps before"
    )
    return [Comparison(rival, period, skill, error, p)]


def naive(comparisons: Sequence[Comparison]) -> Finding | None:
    """The strongest rival that the model is not shown to beat."""
    ahead = [comparison for comparison in comparisons if not comparison.better]
    if not ahead:
        return None
    rival = min(ahead, key=lambda comparison: comparison.skill)
    remedy = (
        'target="increment", whose forecast is the last value where nothing else is known'
        if rival.period == 1
        else f'target="seasonal" with periods=({rival.period},) and seasonal=1, whose forecast is that value where '
        "nothing else is known"
    )
    return Finding(
        "naive",
        rival.skill,
        rival.p,
        None,
        f"the model is {rival.words}",
        f"{remedy}; ridge=inf is that forecast itself",
    )
