"""What is left in the residuals that was known when the forecast was made: earlier errors, and the season.

Everything is chosen and fitted on the earlier half of the calibration residuals and judged on the later one, so that
no price is due for the number of lags tried.
"""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import Finding, Gain, gain
from ngrc.diagnosis.knowledge import Knowledge
from ngrc.features.fourier import fourier_columns
from ngrc.series.wording import plural

FEWEST_LAGS = 50
"""Lags looked at where no period asks for more: two days of hours, seven weeks of days."""
LEAST_CYCLES = 4
"""Cycles that the residuals must hold: two to learn a season from and two to judge it."""
HARMONICS = 4
"""Harmonics of a season that are looked for; sharper shapes show in these too."""


def autocorrelation(seen: Calibration, periods: Sequence[float], known: Knowledge) -> Finding | None:
    """The strongest correlation with an earlier residual, from lag H on.

    Errors of forecasts H steps ahead overlap: up to lag H - 1 they are correlated whatever the model does.
    """
    first = seen.residuals[seen.earlier]
    lags = tested_lags(seen, periods)
    total = float(first @ first)
    strengths = [float(first[lag:] @ first[:-lag]) / total if total > 0.0 else 0.0 for lag in lags]
    strongest = int(np.argmax(np.abs(strengths)))
    lag = lags[strongest]
    # The error of that time is what was new in x at that time: the part of the column that the model lacks.
    before = first[:-lag]
    size = float(before @ before)
    slope = float(first[lag:] @ before) / size if size > 0.0 else 0.0
    later = seen.later
    correction = slope * seen.residuals[later.start - lag : later.stop - lag]
    found = gain(seen.residuals[later], correction, seen.horizon, seen.inflation(seen.count // 2))
    if not found.counts:
        return None
    column = f"x[t-{lag - seen.horizon}]" if lag > seen.horizon else "x[t]"
    return Finding(
        "autocorrelation",
        strengths[strongest],
        found.p,
        found.removed,
        f"residuals {plural(lag, 'step')} apart are correlated ({strengths[strongest]:+.2f}): what {column} brought "
        f"new, weighted on the earlier half of them, {found.words()}",
        _lag_remedy(lag, seen.horizon, periods, known, column),
    )


def tested_lags(seen: Calibration, periods: Sequence[float]) -> range:
    """Lags from the horizon on, through one period and a step where one is known."""
    most = max([FEWEST_LAGS, *(int(period) + 1 for period in periods)])
    # A quarter of the half that is fitted on: a correlation needs pairs.
    return range(seen.horizon, min(seen.horizon + most, seen.count // 8) + 1)


def _lag_remedy(lag: int, horizon: int, periods: Sequence[float], known: Knowledge, column: str) -> str:
    newest = lag - horizon + 1
    if lag in known.steps:
        further = 2 * (max(known.steps) - horizon + 1)
        return (
            f"the model reads {column} already: a smaller penalty (ridge=), more lags (lags={further}), "
            f"a memory (half_lives=({max(newest, 2)}, "
            f"{4 * max(newest, 2)})), or products (degree={max(known.degree, 1) + 1})"
        )
    for period in periods:
        cycles = round(lag / period)
        # Seasonal delays read one step on either side of the same phase.
        if 1 <= cycles <= 3 and abs(lag - cycles * period) <= 1.0:
            return f"{column} (lags={newest}, or seasonal={cycles} with periods=({period:g},))"
    # A period below 3 steps is no season worth its name, and its delays are the first lags anyhow.
    seasonal = f", or seasonal=1 with periods=({lag},)" if lag >= 3 else ""
    return f"{column} (lags={newest}{seasonal})"


def seasonality(seen: Calibration, periods: Sequence[float], known: Knowledge) -> tuple[Finding, ...]:
    """Periods whose Fourier terms, at the target's time, take something away; largest share first."""
    tested = [period for period in periods if 2.0 <= period <= seen.count / LEAST_CYCLES]
    # Each period is a test of its own: their number is paid for.
    gains = [_priced(seasonal_gain(seen, period), len(tested)) for period in tested]
    order = sorted(range(len(tested)), key=lambda place: -gains[place].removed)
    return tuple(
        _season(tested[place], _harmonics(seen, tested[place]), gains[place], known)
        for place in order
        if gains[place].counts
    )


def seasonal_gain(seen: Calibration, period: float) -> Gain:
    """What Fourier terms of one period, fitted on the earlier half, do in the later half."""
    later = seen.later
    return gain(
        seen.residuals[later], season(seen, period)[later], seen.horizon, seen.inflation(seen.count // 2)
    )


def season(seen: Calibration, period: float) -> FloatArray:
    """Fourier terms of one period, weighted on the earlier half of the residuals; shape (m,)."""
    early = seen.earlier
    terms = fourier_columns(seen.start, seen.values.size, (period,), _harmonics(seen, period))
    weighted: FloatArray = terms @ np.linalg.lstsq(terms[early], seen.residuals[early], rcond=None)[0]
    return weighted


def _harmonics(seen: Calibration, period: float) -> int:
    # Above half the period a harmonic is the mirror image of a lower one; and twenty residuals per pair of terms, as
    # terms fitted on fewer take away less than they add.
    return max(1, min(HARMONICS, int(period / 2.0), seen.count // 40))


def _priced(found: Gain, tests: int) -> Gain:
    return Gain(min(1.0, found.p * tests), found.removed)


def _season(period: float, harmonics: int, found: Gain, known: Knowledge) -> Finding:
    if period in known.periods:
        remedy = (
            f"periods=({period:g},) with harmonics={max(harmonics, known.harmonics + 1)}, seasonal=1, and clock_lags=2 "
            "where the season changes with the level"
        )
    else:
        remedy = (
            f"periods=({period:g},) with harmonics={harmonics}; seasonal=1 where the season's shape moves"
        )
    return Finding(
        "seasonality",
        period,
        found.p,
        found.removed,
        f"residuals follow a cycle of {period:g} steps: its Fourier terms, fitted on the earlier half of them, "
        f"{found.words()}",
        remedy,
    )
