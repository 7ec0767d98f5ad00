"""`RidgeReadout`: the library's ridge as a regressor of scikit-learn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._optional import load
from ngrc._types import FloatArray
from ngrc.features import FeatureMap, Inputs, Rows, Scale
from ngrc.features.inputs import SERIES
from ngrc.intervals.bayes import half_width
from ngrc.plan import SMALL, Solver
from ngrc.readout import DEFAULT_RIDGES, fit_readout, select_readout
from ngrc.readout.convention import Columns, Convention, Intercept
from ngrc.readout.dual_columns import ExplicitColumns, JoinedColumns
from ngrc.readout.dual_cost import check_columns, check_work, choose_solver, primal_cost
from ngrc.readout.dual_readout import DualReadout
from ngrc.readout.dual_rows import fit_dual_rows
from ngrc.readout.fitted import Readout
from ngrc.readout.penalty import Validation, check_ridges
from ngrc.readout.spectrum import check_penalty
from ngrc.theory.noise import NoiseScale, noise_scale_of
from ngrc.theory.residuals import RidgeResiduals
from ngrc.validation import check_count, check_level

load("sklearn", "sklearn", "RidgeReadout")

from sklearn.base import BaseEstimator, RegressorMixin  # noqa: E402
from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: E402


class RidgeReadout(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """The readout of `NGRC` on any columns: ridge whose penalty is chosen on the last fifth of the rows.

    Rows are in the order of time, or in any order where they are exchangeable.

    Parameters
    ----------
    ridge
        Penalty in the normalised convention; None chooses one of `ridges` by chronological validation.
    ridges
        Candidates for that choice.
    intercept
        "free" (not penalised), "penalised", or "none".
    columns
        "standardised": the penalty falls on columns divided by their standard deviations; "raw": on columns as they
        are.
    horizon
        Steps from a row's origin to its outcome: the validation of the penalty leaves horizon - 1 rows out, whose
        outcomes were not known yet.
    solver
        "primal" (p x p moments), "dual" (n x n kernel: more columns than rows), or "auto", the cheaper of them.

    Attributes
    ----------
    readout_
        `Readout` or `DualReadout`, frozen: coefficients, leverage and effective dimension, in units of the standardised
        outcome.
    validation_
        `Validation` scores of the candidates, or None where the penalty was fixed.
    ridge_, d_eff_, fit_scale_
        Penalty used, effective dimension, and RMS of the fit residuals.
    coef_, intercept_
        Of the columns as they came.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> y = X @ [1.0, 3.0, -2.0] + 0.1 * rng.normal(size=200)
    >>> model = RidgeReadout().fit(X, y)
    >>> model.coef_.round(1).tolist(), round(model.noise_scale().scale, 2)
    ([1.0, 3.0, -2.0], 0.1)
    >>> model.predict_interval(X[:2], level=0.9).shape
    (2, 2)
    """

    def __init__(
        self,
        ridge: float | None = None,
        *,
        ridges: Sequence[float] = DEFAULT_RIDGES,
        intercept: Intercept = "free",
        columns: Columns = "standardised",
        horizon: int = 1,
        solver: Solver = "auto",
    ) -> None:
        self.ridge = ridge
        self.ridges = ridges
        self.intercept = intercept
        self.columns = columns
        self.horizon = horizon
        self.solver = solver

    def fit(self, X: Any, y: Any) -> "RidgeReadout":
        """Fit to rows `X`, shape (n, columns), and outcomes `y`, shape (n,)."""
        design, outcomes = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2 if self.ridge is None else 1
        )
        convention, horizon = Convention(self.intercept, self.columns), check_count(self.horizon, "horizon")
        self.scale_ = _scale(outcomes.astype(np.float64), convention)
        self.units_ = _units(design) if convention.columns == "standardised" else np.ones(design.shape[1])
        # Columns as they are, and a constant penalised like them: one more column, nothing centred, as in `NGRC`.
        self.constant_ = (convention.intercept, convention.columns) == ("penalised", "raw")
        if self.constant_:
            convention = Convention("none", "raw")
        rows = _rows(self._raw(design), self.scale_.standardise(outcomes), horizon)
        self.readout_, self.validation_ = self._fitted(rows, convention)
        readout, std = self.readout_, self.scale_.std
        self.ridge_, self.d_eff_, self.fit_scale_ = readout.penalty, readout.d_eff, readout.fit_scale * std
        weights, last = (readout.coefficients, 0.0) if not self.constant_ else _last(readout.coefficients)
        self.coef_ = std * weights / self.units_
        self.intercept_ = self.scale_.mean + std * (readout.intercept + last)
        return self

    def predict(self, X: Any) -> FloatArray:
        """Forecasts, shape (m,)."""
        rows = self._design(X)
        return self.scale_.restore(self.readout_.predict(rows))

    def leverage(self, X: Any) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r of rows, shape (m,)."""
        rows = self._design(X)
        return self.readout_.leverage(rows)

    def noise_scale(self, method: Literal["gcv", "evidence"] = "gcv") -> NoiseScale:
        """Noise of the outcomes, consistent where d_eff/n is not small; see `NGRC.noise_scale`."""
        check_is_fitted(self)
        readout = self.readout_
        if np.isinf(readout.penalty):
            raise ValueError(
                "an infinite penalty leaves nothing to estimate the noise from; predict_interval takes noise='fit'"
            )
        residuals = RidgeResiduals.of_fit(
            readout.regression(),
            readout.penalty,
            readout.fit_scale**2,
            intercept=readout.intercept_penalty == 0,
        )
        found = noise_scale_of(residuals, method)
        return replace(found, scale=found.scale * self.scale_.std, error=found.error * self.scale_.std)

    def predict_interval(
        self, X: Any, level: float = 0.95, noise: Literal["gcv", "evidence", "fit"] = "gcv"
    ) -> FloatArray:
        """Lower and upper ends, shape (m, 2): forecast -+ z tau sqrt(1 + leverage), the ridge posterior's interval.

        Exact where the columns, the penalty, the noise's scale and its Gaussian law are the truth; with nearly as many
        columns as rows, a penalty and a scale from the data make it too narrow. Intervals that keep their coverage
        where they are not come from `ngrc.around`, around forecasts of rows that were not fitted.

        Parameters
        ----------
        X
            Rows, shape (m, columns).
        level
            Nominal coverage.
        noise
            Estimate of the noise scale tau; "fit" is the RMS of the fit residuals, too small where d_eff/n is not.
        """
        centre = self.predict(X)
        scale = self.fit_scale_ if noise == "fit" else self.noise_scale(noise).scale
        half = half_width(self.leverage(X), scale, gaussian_radius(check_level(level)))
        return np.stack([centre - half, centre + half], axis=1)

    def _design(self, X: Any) -> Any:
        """Checked rows as the readout takes them: columns, or a value that holds them for a kernel."""
        check_is_fitted(self)
        rows = self._raw(validate_data(self, X, dtype=np.float64, reset=False))
        return JoinedColumns((ExplicitColumns(rows),)) if isinstance(self.readout_, DualReadout) else rows

    def _raw(self, design: FloatArray) -> FloatArray:
        """Columns in their units, with that of ones where the intercept is one of them."""
        rows = design / self.units_
        return np.column_stack([rows, np.ones(len(rows))]) if self.constant_ else rows

    def _fitted(self, rows: Rows, convention: Convention) -> tuple[Readout | DualReadout, Validation | None]:
        penalty = None if self.ridge is None else check_penalty(self.ridge)
        ridges = check_ridges(self.ridges) if penalty is None else ()
        if self._dual(rows, convention):
            (readout,), scores = fit_dual_rows([rows], ridges, convention, penalty)
            return readout, None if scores is None else scores[0]
        if penalty is None:
            return select_readout(rows, ridges, convention)
        return fit_readout(rows, penalty, convention), None

    def _dual(self, rows: Rows, convention: Convention) -> bool:
        """Whether the kernel is to be solved, by the rules of `NGRC`."""
        count, columns = rows.count, rows.feature_map.count(rows.horizon) - 1
        if self.solver not in ("auto", "primal", "dual"):
            raise ValueError(f"solver must be 'auto', 'primal' or 'dual', got {self.solver!r}")
        if self.solver == "primal":
            check_columns(columns)
        # Degree 3 in the units of the costs: columns of no known structure, each product of which is summed.
        small = primal_cost(count, columns, 3) < SMALL
        auto = self.solver == "auto" and not small and choose_solver(count, columns, 3) == "dual"
        if (dual := auto or self.solver == "dual") and convention.columns == "standardised":
            check_work(count, columns)
        return dual


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A group of columns that somebody else has made."""

    design: FloatArray

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names."""
        return tuple(f"x{place}" for place in range(self.count(horizon)))

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return int(self.design.shape[1])

    def reach(self, horizon: int) -> int:
        """Zero: what a row holds is known at its origin."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """The rows themselves: row i belongs to target i."""
        return self.design[first:stop]


def _rows(design: FloatArray, outcomes: FloatArray, horizon: int) -> Rows:
    """Rows of explicit columns, for the readout's own routines."""
    inputs = Inputs({SERIES: outcomes})
    return Rows(FeatureMap((Given(design),)), inputs, outcomes, horizon, 0, outcomes.size, held=design)


def _scale(outcomes: FloatArray, convention: Convention) -> Scale:
    """Of the outcomes; without a free intercept their mean is a part of the fit, and stays where it is."""
    scale = Scale.of(outcomes)
    return scale if convention.intercept == "free" else Scale(0.0, scale.std)


def _units(design: FloatArray) -> FloatArray:
    """A power of two per column, near its largest value: columns of any unit become of the size that is expected.

    Dividing by it loses no digit, and the standardised readout does not see it.
    """
    return np.asarray(np.ldexp(1.0, np.frexp(np.abs(design).max(axis=0))[1]), dtype=np.float64)


def _last(weights: FloatArray) -> tuple[FloatArray, float]:
    """The weights before the last, and that one."""
    return weights[:-1], float(weights[-1])
