"""What each interval method would have scored on the calibration block, before the test block, with an error bar.

The known residuals are a stream of their own: intervals are wanted for the later half, each method is tuned on what is
known when the first of them is issued and learns of every residual H steps after its origin. Nothing of the test block
takes part.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ngrc._progress import followed
from ngrc._shares import share as share_of
from ngrc._types import BoolArray, FloatArray
from ngrc.backtesting.results import Run
from ngrc.backtesting.steps import Steps, score_steps
from ngrc.diagnosis.calibration import calibration_of
from ngrc.features.limits import found_limits
from ngrc.intervals import METHODS
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.defaults import USUAL, resolve
from ngrc.origins import clock_periods, context_of
from ngrc.series import Series

REFERENCE = USUAL
"""The method that others are held against: that which is used where the user names none."""
SHARE = 0.5
"""Share of the known residuals after which intervals are scored, as corrections of a forecast are judged on the later
half: the methods that tune on what they know need as many as they are judged on."""
FEWEST = 60
"""Fewest known residuals: thirty to begin with, of which a quantile at 95 % needs nineteen, and thirty to be judged."""
BLOCKS = 20
"""Consecutive stretches of equal length whose means give the error of a mean, whatever the dependence within them: with
twenty the error is itself known to a sixth, and each is as long as it can be."""
FEWEST_BLOCKS = 5
"""Below this an error, known to a third, says little."""
HORIZONS_PER_BLOCK = 2
"""Errors overlap over H steps; means over two horizons and more are correlated by a tenth at most."""
LONGEST: Mapping[str, int] = {"rescp": 8000}
"""Known residuals beyond which a method is left out: its time grows with their square, and here reaches a second."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How one method would have scored.

    Parameters
    ----------
    winkler
        Mean Winkler score in the series' own units; infinite where an interval has no bound.
    coverage, coverage_error
        Share of outcomes inside, and its standard error: by the means of blocks, or that of independent hits of the
        level where it is larger.
    difference, error
        Winkler score less that of the best method, and the standard error of this difference.
    behind, behind_error
        The same, less that of the reference.
    """

    method: str
    winkler: float
    coverage: float
    coverage_error: float
    difference: float
    error: float
    behind: float
    behind_error: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One row per method in the order of `METHODS`; none where there is nothing to judge by, and `why`.

    Parameters
    ----------
    rows
        Scores by method.
    reference
        The method that others are held against.
    judged, blocks
        Residuals that intervals were scored on, and stretches whose means give the errors.
    left_out
        Methods that take too long on so many residuals.
    why
        Why there are no rows, in words; empty where there are.
    """

    rows: tuple[Trial, ...]
    reference: str
    judged: int = 0
    blocks: int = 0
    left_out: tuple[str, ...] = ()
    why: str = ""

    @property
    def ranked(self) -> tuple[Trial, ...]:
        """Rows by Winkler score, the best first."""
        return tuple(sorted(self.rows, key=lambda row: row.winkler))

    def row(self, method: str) -> Trial | None:
        """The row of a method, if it was tried."""
        return next((row for row in self.rows if row.method == method), None)


def gather(run: Run, series: Series, level: float) -> Evidence:
    """Try every method on the calibration block of a run over `series`."""
    blocks, seen = run.blocks, calibration_of(run, series.values)
    fewest = max(FEWEST, FEWEST_BLOCKS * HORIZONS_PER_BLOCK * round(1 / (1 - SHARE)) * blocks.horizon)
    if seen.count < fewest:
        why = f"{seen.count} calibration residuals are too few to try methods on; {fewest} are needed"
        return Evidence((), REFERENCE, why=why)
    if not seen.errs:
        return Evidence((), REFERENCE, why="the calibration residuals show no error to try methods on")
    stream = calibration_stream(run, series)
    methods = candidates(leverage=stream.leverage is not None)
    tried = {name: method for name, method in methods.items() if seen.count <= LONGEST.get(name, seen.count)}
    forecasts = seen.forecasts[stream.start :]
    residuals = stream.residuals[stream.start :]
    # As many outcomes are known at the first interval as residuals of the stream, and those before them.
    limits = found_limits(seen.values, seen.start + stream.known, stream.steps)
    steps = {
        name: score_steps(
            residuals,
            method.run(stream, level),
            forecasts,
            level,
            run.link,
            limits if method.bounded else None,
        )
        for name, method in followed(tried.items(), "methods", len(tried))
    }
    parts = min(BLOCKS, stream.steps // (HORIZONS_PER_BLOCK * blocks.horizon))
    left_out = tuple(name for name in methods if name not in tried)
    return Evidence(_trials(steps, parts, level), REFERENCE, stream.steps, parts, left_out)


def calibration_stream(run: Run, series: Series) -> Stream:
    """The known residuals as a stream whose intervals are wanted after a share of them.

    Periods of the clock are those seen when its first interval is issued. The fit scale, which `bayes` alone reads, is
    that of the model whose test intervals are asked for; where there are refits, its fit has seen calibration outcomes.
    """
    history, times = run.blocks.history, series.times
    start = share_of(SHARE, run.blocks.history_rows)
    known = history.start + start - run.blocks.horizon + 1
    periods = clock_periods(series.values[:known], None if times is None else times[:known])
    return Stream(
        run.residuals[history],
        start,
        run.blocks.horizon,
        leverage=None if run.leverage is None else run.leverage[history],
        fit_scale=next(iter(run.diagnostics.values())).tau_fit,
        context=context_of(run.forecasts[history], periods, history.start, run.link),
    )


def candidates(*, leverage: bool) -> dict[str, IntervalMethod]:
    """Every method by name; `bayes` needs a leverage."""
    return {name: resolve(name) for name in METHODS if leverage or name != "bayes"}


def _trials(steps: Mapping[str, Steps], blocks: int, level: float) -> tuple[Trial, ...]:
    winkler = {name: float(np.mean(one.winkler)) for name, one in steps.items()}
    best = min(winkler, key=lambda name: winkler[name])
    rows = []
    for name, one in steps.items():
        difference, error = _against(one, steps[best], blocks)
        behind, behind_error = _against(one, steps[REFERENCE], blocks)
        rows.append(
            Trial(
                name,
                winkler[name],
                float(np.mean(one.inside)),
                _coverage_error(one.inside, blocks, level),
                difference,
                error,
                behind,
                behind_error,
            )
        )
    return tuple(rows)


def _against(one: Steps, other: Steps, blocks: int) -> tuple[float, float]:
    """Mean difference of two methods' Winkler scores, step by step, and its standard error."""
    if one is other:
        return 0.0, 0.0
    # Without a bound a difference is infinite or does not exist, and has no error.
    if not (np.all(np.isfinite(one.winkler)) and np.all(np.isfinite(other.winkler))):
        return float(np.mean(one.winkler)) - float(np.mean(other.winkler)), float("nan")
    gaps = one.winkler - other.winkler
    return float(np.mean(gaps)), block_error(gaps, blocks)


def _coverage_error(inside: BoolArray, blocks: int, level: float) -> float:
    # A method that steers its coverage has block means closer together than independent hits, and one that never misses
    # has no spread at all: neither is known better than hits of the level itself would be.
    independent = float(np.sqrt(level * (1.0 - level) / inside.size))
    return max(block_error(inside.astype(np.float64), blocks), independent)


def block_error(values: FloatArray, blocks: int) -> float:
    """Standard error of a mean by the means of consecutive blocks of equal length.

    Examples
    --------
    >>> round(block_error(np.repeat([0.0, 1.0, 0.0, 1.0], 50), 4), 4)
    0.2887
    """
    means = np.array([float(np.mean(part)) for part in np.array_split(values, blocks)])
    return float(np.std(means, ddof=1) / np.sqrt(blocks))
