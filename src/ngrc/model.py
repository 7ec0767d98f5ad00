"""NGRC: the forecaster, a shell around features and readout."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.features import FeatureMap, Rows, Scale
from ngrc.features.scaling import as_scale
from ngrc.forecasters.facts import ModelFacts
from ngrc.readout import DEFAULT_RIDGES, Readout, Validation, fit_readout, select_readout
from ngrc.readout.coefficients import Coefficients
from ngrc.readout.forecast import forecast_rows
from ngrc.readout.penalty import rows_needed
from ngrc.readout.spectrum import check_penalty
from ngrc.validation import check_count, check_grid, check_vector

if TYPE_CHECKING:
    from ngrc.theory.noise import NoiseScale

MOST_FEATURES = 20_000
"""Most columns of a design: the second moments of more would take over 3 GiB (8 p^2 bytes) by themselves."""


class NGRC(Parameters):
    """Next Generation Reservoir Computing: ridge regression on delays, their products and thin extras.

    Parameters
    ----------
    lags, spacing
        Delay length k and lag spacing s.
    degree
        Highest degree of products of delays; 2 is the paper's map, 1 is linear.
    horizon
        Steps H from a forecast's origin to its target; the readout is fitted directly to that target.
    periods, harmonics
        Fourier periods in observations, and harmonics of each.
    half_lives
        Half-lives, in observations, of exponentially weighted means of the past.
    ridge
        Penalty in the normalised convention; None chooses one of `ridges` by chronological validation.
    ridges
        Candidates for that choice.
    intercept
        "free" (not penalised) or "penalised".

    Attributes
    ----------
    scale_
        `Scale` that standardises the series.
    readout_
        `Readout`, frozen: coefficients, leverage, effective dimension.
    validation_
        `Validation` scores of the penalty grid, or None when the penalty was fixed.
    ridge_, d_eff_, fit_scale_, n_features_, n_rows_
        Penalty used, effective dimension, RMS of the fit residuals in the series' own units, number of
        columns with the intercept, number of fit rows.

    Notes
    -----
    Another number of BLAS threads changes forecasts in their last bits, and not which penalty is chosen: errors
    within 1e-9 of the smallest count as equal, and the first penalty of them is taken.

    Examples
    --------
    >>> wave = np.sin(0.3 * np.arange(200))
    >>> model = NGRC(lags=2, degree=1, ridge=1e-9).fit(wave)
    >>> model.forecast(wave).round(6), np.sin(0.3 * 200).round(6)
    (array([-0.304811]), np.float64(-0.304811))
    """

    def __init__(
        self,
        lags: int = 12,
        *,
        spacing: int = 1,
        degree: int = 2,
        horizon: int = 1,
        periods: Sequence[float] = (),
        harmonics: int = 2,
        half_lives: Sequence[float] = (),
        ridge: float | None = None,
        ridges: Sequence[float] = DEFAULT_RIDGES,
        intercept: Literal["free", "penalised"] = "free",
    ) -> None:
        self.lags = lags
        self.spacing = spacing
        self.degree = degree
        self.horizon = horizon
        self.periods = periods
        self.harmonics = harmonics
        self.half_lives = half_lives
        self.ridge = ridge
        self.ridges = ridges
        self.intercept = intercept

    @property
    def feature_map(self) -> FeatureMap:
        """The columns that the parameters ask for."""
        return FeatureMap(self.lags, self.spacing, self.degree, self.periods, self.harmonics, self.half_lives)

    @property
    def first_target(self) -> int:
        """First time that can be forecast, (k-1)s + H."""
        return self.feature_map.first_target(check_count(self.horizon, "horizon"))

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        """Fit the readout to every row of `y` whose target time is at least `first`.

        Parameters
        ----------
        y
            Series, shape (n,), finite.
        first
            First target time to use; targets from max(first, first_target) to n - 1 are fitted.
        scale
            `Scale`, or any (mean, std) with std above zero, that standardises the series; by default that of `y`,
            population convention.
        """
        values = check_vector(y, "y")
        first = max(check_count(first, "first", 0), self.first_target)
        if self.intercept not in ("free", "penalised"):
            raise ValueError(f"intercept must be 'free' or 'penalised', got {self.intercept!r}")
        # All parameters are checked before the first feature is computed: a wrong one costs no waiting.
        fixed = None if self.ridge is None else check_penalty(self.ridge)
        ridges = () if fixed is not None else check_grid(self.ridges, "ridges")
        # A fixed penalty needs one row; the choice of one also needs validation rows beyond H - 1 guards.
        needed = first + (1 if fixed is not None else rows_needed(self.horizon))
        if values.size < needed:
            raise ValueError(
                f"lags {self.lags}, spacing {self.spacing}, horizon {self.horizon} and first target {first} "
                f"need at least {needed} observations, got {values.size}; give more or use fewer lags"
            )
        if self.feature_map.count > MOST_FEATURES:
            raise ValueError(
                f"{self.lags} lags at degree {self.degree} make {self.feature_map.count:,} features, whose moments "
                f"need p^2 numbers; at most {MOST_FEATURES:,} are taken: use fewer lags or a lower degree"
            )
        self.scale_ = Scale.of(values) if scale is None else as_scale(scale)
        rows = Rows.of(self.feature_map, self.scale_.standardise(values), self.horizon, first)
        if fixed is None:
            readout, validation = select_readout(rows, ridges, self.intercept)
            return self._keep(rows, readout, validation)
        return self._keep(rows, fit_readout(rows, fixed, self.intercept), None)

    def _keep(self, rows: Rows, readout: Readout, validation: Validation | None) -> Self:
        """Store what was learned, with the parameters it was learned under."""
        # Apart from the constructor's arguments: set_params after fit must not change what the readout is applied to.
        self._feature_map, self._horizon = rows.feature_map, rows.horizon
        self.readout_, self.validation_ = readout, validation
        self.ridge_ = readout.penalty
        self.d_eff_ = readout.d_eff
        self.fit_scale_ = readout.fit_scale * self.scale_.std
        self.n_features_ = rows.feature_map.count
        self.n_rows_ = rows.count
        return self

    def predict(self, y: Any, *, start: int = 0) -> FloatArray:
        """Forecasts by target time: entry t is made from y[..t-H], NaN where no forecast can be made.

        Parameters
        ----------
        y
            Series, shape (n,).
        start
            Time index of y[0] counted from the first fitted observation, for the Fourier phase. Memory
            columns begin anew at y[0].
        """
        rows = self._rows(y, start)
        result = np.full(rows.x.size, np.nan)
        result[rows.first : rows.stop] = self._forecasts(rows)
        return result

    def leverage(self, y: Any, *, start: int = 0) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r by target time, aligned like `predict`."""
        rows = self._rows(y, start)
        result = np.full(rows.x.size, np.nan)
        # Block by block: the whole design has n x p numbers, 300 MB for a year of 10-minute values and 36 lags.
        for block in rows.blocks():
            result[block.first : block.stop] = self.readout_.leverage(block.design)
        return result

    def forecast(self, y: Any, *, start: int = 0) -> FloatArray:
        """Forecasts of the H values that follow `y`, shape (H,), each H steps from its own origin."""
        rows = self._rows(y, start, ahead=True)
        if rows.count < self._horizon:
            needed = self._feature_map.reach + self._horizon
            raise ValueError(
                f"forecasting needs at least {needed} observations, got {rows.x.size}; give a longer history"
            )
        # The last H rows are those whose origins lie in y and whose targets do not.
        return self._forecasts(rows.part(rows.count - self._horizon, rows.count))

    def forecast_leverage(self, y: Any, *, start: int = 0) -> FloatArray:
        """Leverages of the rows behind `forecast`, shape (H,)."""
        rows = self._rows(y, start, ahead=True)
        return self.readout_.leverage(rows.part(rows.count - self._horizon, rows.count).design)

    def free_run(self, y: Any, steps: int, *, start: int = 0) -> FloatArray:
        """Continue `y` by feeding every one-step forecast back, shape (steps,).

        Parameters
        ----------
        y
            History, shape (n,), at least (k-1)s + 1 values.
        steps
            How many values to produce.
        start
            Time index of y[0] counted from the first fitted observation.
        """
        # Imported here: it loads a kernel that most models never run.
        from ngrc.readout.free_run import free_run

        x = self._standardised(y)
        steps = check_count(steps, "steps")
        if self._horizon != 1:
            raise ValueError(
                f"free running needs a model with horizon 1, this one has {self._horizon}; fit another"
            )
        if x.size <= self._feature_map.reach:
            raise ValueError(
                f"free running needs at least {self._feature_map.reach + 1} observations, got {x.size}; give a longer "
                "history"
            )
        readout = self.readout_
        values = free_run(self._feature_map, x, readout.intercept, readout.coefficients, steps, start)
        # The kernel stops at the first value that is not finite and leaves NaN from there on.
        diverged = np.flatnonzero(np.isnan(values))
        if diverged.size:
            raise ValueError(
                f"the free run diverged at step {diverged[0] + 1} of {steps}; "
                "use a larger ridge, fewer lags or a lower degree"
            )
        return self.scale_.restore(values)

    def facts(self) -> ModelFacts:
        """Size, penalty, effective dimension and fit scale of the fitted model, for reports and diagnostics."""
        self._check_fitted()
        return ModelFacts(
            lags=self._feature_map.lags,
            features=self.n_features_,
            ridge=self.ridge_,
            d_eff=self.d_eff_,
            fit_scale=self.fit_scale_,
            validation_rows=None if self.validation_ is None else self.validation_.rows,
        )

    def noise_scale(self, method: Literal["gcv", "evidence"] = "gcv") -> "NoiseScale":
        """Noise of the fit rows in the series' own units, consistent where d_eff/n is not small; `fit_scale_` is not.

        From the readout's own decomposition, at a penalty that "gcv" or "evidence" chooses for this purpose; see
        `ngrc.theory.noise_scale`. An error where the columns interpolate every row.

        Examples
        --------
        >>> y = np.random.default_rng(0).normal(0.0, 2.0, 300)
        >>> model = NGRC(lags=10, ridge=1e-3).fit(y)
        >>> round(model.fit_scale_, 2), round(model.noise_scale().scale, 2)
        (1.88, 2.06)
        """
        # Imported here: it loads an optimiser that most models never run.
        from ngrc.theory.noise import noise_scale_of
        from ngrc.theory.residuals import RidgeResiduals

        self._check_fitted()
        if method not in ("gcv", "evidence"):
            raise ValueError(
                f"method must be 'gcv' or 'evidence', got {method!r}; the fit's own scale is fit_scale_"
            )
        readout = self.readout_
        residuals = RidgeResiduals.of_fit(
            readout.regression(),
            readout.penalty,
            readout.fit_scale**2,
            intercept=readout.intercept_penalty == 0,
        )
        found = noise_scale_of(residuals, method)
        return replace(found, scale=found.scale * self.scale_.std, error=found.error * self.scale_.std)

    def coefficients(self) -> Coefficients:
        """Weights by feature name, in the standardised series' units; print it to read the model."""
        self._check_fitted()
        values = np.concatenate(((self.readout_.intercept,), self.readout_.coefficients))
        return Coefficients(self._feature_map.names, values, self._horizon)

    def equation(self, terms: int | None = 12) -> str:
        """The fitted model as one line, with its `terms` largest weights (None: all)."""
        return self.coefficients().equation(terms)

    def _check_fitted(self) -> None:
        if not hasattr(self, "readout_"):
            raise ValueError("this NGRC is not fitted yet; call fit first")

    def _standardised(self, y: Any) -> FloatArray:
        self._check_fitted()
        return self.scale_.standardise(check_vector(y, "y"))

    def _rows(self, y: Any, start: int, ahead: bool = False) -> Rows:
        """Every row that can be made from `y`; with `ahead` also those whose outcome is yet to come."""
        x = self._standardised(y)
        stop = x.size + self._horizon if ahead else None
        return Rows.of(self._feature_map, x, self._horizon, stop=stop, offset=start)

    def _forecasts(self, rows: Rows) -> FloatArray:
        """Forecasts of `rows` in the series' own units."""
        return self.scale_.restore(forecast_rows(rows, self.readout_.intercept, self.readout_.coefficients))
