"""What the checks of a forecast look at, cut off where the first test forecast is made."""

from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.results import Run

LEAST = 40
"""Fewest residuals in which anything is looked for, and `LEAST_STEPS` horizons: halves of twenty show little else."""
LEAST_STEPS = 16


@dataclass(frozen=True, slots=True)
class Calibration:
    """The usable calibration residuals and all that was known beside them.

    Parameters
    ----------
    residuals, levels
        Residuals and forecasts in the units of the model's transform, shape (m,).
    forecasts
        Forecasts in the series' own units, shape (m,).
    values
        The series through the last of these targets: the m-th target is its last value.
    horizon
        Forecast horizon H.
    fit_rows, fit_targets
        Fewest rows of a fit, and most of the m targets that one fit forecasts.
    """

    residuals: FloatArray = field(repr=False)
    levels: FloatArray = field(repr=False)
    forecasts: FloatArray = field(repr=False)
    values: FloatArray = field(repr=False)
    horizon: int
    fit_rows: int
    fit_targets: int

    @property
    def count(self) -> int:
        """How many residuals there are."""
        return self.residuals.size

    @property
    def start(self) -> int:
        """Position in the series of the first target."""
        return self.values.size - self.count

    @property
    def outcomes(self) -> FloatArray:
        """What came, in the series' own units."""
        return self.values[self.start :]

    @property
    def earlier(self) -> slice:
        """Residuals that corrections are fitted on."""
        return slice(0, self.count // 2)

    @property
    def later(self) -> slice:
        """Residuals that corrections are judged on: at their origins every earlier one is observed."""
        return slice(self.count // 2 + self.horizon - 1, self.count)

    def inflation(self, count: int) -> float:
        """How much the variance of a mean over `count` targets may grow by what a fit misses by chance.

        The mean of n rows errs by 1 / n of the noise variance, in all m forecasts of one fit alike: the mean of their
        residuals has variance (1 / m)(1 + m / n). Means of the forecasts of different fits are uncorrelated.
        """
        return 1.0 + min(count, self.fit_targets) / self.fit_rows

    @property
    def errs(self) -> bool:
        """Whether there is any error at all."""
        # A forecast that errs by rounding alone leaves patterns of the arithmetic, not of the series.
        rounding = 1e-9 * float(np.max(np.abs(self.levels), initial=0.0))
        return float(np.max(np.abs(self.residuals), initial=0.0)) > rounding

    @property
    def enough(self) -> bool:
        """Whether there are residuals enough, and errors at all, to look for anything."""
        return self.count >= max(LEAST, LEAST_STEPS * self.horizon) and self.errs


def calibration_of(run: Run, values: FloatArray) -> Calibration:
    """The calibration block of a run over `values`; nothing beyond its last usable target is kept."""
    history = run.blocks.history
    fits = [
        (end - run.blocks.first_row(end), len(overlap))
        for end, targets in run.blocks.stretches()
        if (overlap := range(max(targets.start, history.start), min(targets.stop, history.stop)))
    ]
    forecasts = run.forecasts[history]
    return Calibration(
        residuals=run.residuals[history],
        levels=run.link.forward(forecasts),
        forecasts=forecasts,
        values=values[: history.stop],
        horizon=run.blocks.horizon,
        fit_rows=min(rows for rows, _ in fits),
        fit_targets=max(targets for _, targets in fits),
    )
