"""The penalty, chosen by chronological validation inside the fit rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._ties import first_smallest
from ngrc._types import BoolArray, FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.banded import Banded
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.forecast import forecast_columns
from ngrc.readout.gram import Gram
from ngrc.readout.moments import design_gram
from ngrc.readout.orthogonal import design_spectrum
from ngrc.readout.refine import TOLERANCE, error_bounds, hopeless, refine
from ngrc.readout.spectrum import Regression, Spectrum
from ngrc.validation import check_positive

# Validation errors were off by up to 12 bounds on random walks, whose later rows leave the earlier ones' cloud, and by
# up to 5 on stationary series; a hundred leaves room for wilder ones.
MARGIN = 100.0
# Forecasts of a series in units of its scale carry a few 1e-16 of rounding each.
FLOOR = 1e-14

# Columns up to which eigenvectors cost no more than a banded matrix; at 90 they take three times as long.
NARROW = 24

# The paper's grid (appendix "NGRC Feature Construction and Ridge Tuning").
PAPER_RIDGES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
# The same steps down to 1e-9: on Solar the paper's smallest penalty is chosen, and 1e-5 has an RMSE of 0.019 instead of
# 0.031.
DEFAULT_RIDGES = (
    *(1e-9, 3e-9, 1e-8, 3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4),
    *PAPER_RIDGES,
)


@dataclass(frozen=True, slots=True)
class Validation:
    """Validation errors of a penalty grid.

    Parameters
    ----------
    ridges
        Candidate penalties.
    scores
        Validation RMSE of each, in the standardised series' units, shape (len(ridges),).
    rows
        How many rows they were scored on.
    """

    ridges: tuple[float, ...]
    scores: FloatArray
    rows: int

    @property
    def best(self) -> float:
        """The penalty of smallest error; of those that rounding cannot tell from it, the first."""
        return self.ridges[first_smallest(self.scores, FLOOR)]


def check_ridges(values: Iterable[float]) -> tuple[float, ...]:
    """Return a non-empty tuple of candidates above zero; infinity, which leaves no weight, may be one of them."""
    # Ours need no check, which takes longer than many a map does.
    if values is DEFAULT_RIDGES:
        return DEFAULT_RIDGES
    grid = tuple(
        value if value == np.inf else check_positive(value, "each value of ridges") for value in values
    )
    if not grid:
        raise ValueError("ridges must hold at least one candidate, got none")
    return grid


def inner_rows(count: int, horizon: int) -> int:
    """Rows of the inner fit, floor(0.8 n); an error where no validation row would be left."""
    if count < rows_needed(horizon):
        raise ValueError(
            f"choosing a penalty at horizon {horizon} needs {rows_needed(horizon)} fit rows, got {count}; "
            "give more observations or fix the penalty with ridge="
        )
    return count * 4 // 5


def rows_needed(horizon: int) -> int:
    """Fewest fit rows n with ceil(n/5) - (H - 1) > 0 validation rows and an inner row."""
    return max(2, 5 * (horizon - 1) + 1)


def choose_penalty(
    rows: Rows,
    ridges: Sequence[float],
    convention: Convention = STANDARD,
    gram: Gram | None = None,
) -> Validation:
    """Score every penalty on the last fifth of the fit rows.

    The first floor(0.8 n) rows are the inner fit, columns standardised on them alone. Validation starts
    H - 1 rows later, so that no inner target lies beyond the first validation origin.

    Parameters
    ----------
    rows
        All fit rows.
    ridges
        Candidate penalties, all above zero; an infinite one leaves no weight.
    convention
        Intercept and scaling of the columns.
    gram
        Moments of the inner rows where they are known already.
    """
    count = inner_rows(rows.count, rows.horizon)
    # Row i has its target H steps after its origin: the last inner target is that of row count - 1, and the first row
    # whose origin is not before it is count + H - 1 (paper, appendix "Sequential Updating and Multi-Step Forecasts").
    inner, last = rows.part(0, count), rows.part(count + rows.horizon - 1, rows.count)
    gram = design_gram(inner, convention) if gram is None else gram
    penalties = np.array(ridges, dtype=np.float64)
    decomposition, weights = _path(gram, penalties)
    scores = validation_errors(last, gram, weights, penalties, convention)
    doubtful = doubtful_choices(scores, error_bounds(gram, weights, penalties))
    if doubtful.any():
        weights = accurate_path(inner, gram, decomposition, weights[:, doubtful], penalties[doubtful])
        scores[doubtful] = validation_errors(last, gram, weights, penalties[doubtful], convention)
    return Validation(tuple(ridges), scores, last.count)


def _path(gram: Gram, penalties: FloatArray) -> tuple[Spectrum | Banded, FloatArray]:
    """Weights of every penalty, shape (p - 1, m), and the decomposition they come from."""
    # Where rounding is near a penalty eigenvectors are worth their time: an eigenvalue that is nothing but rounding can
    # be told, and left out.
    if gram.means.size > NARROW and not hopeless(gram, float(penalties.min())):
        found = Banded.of(gram.matrix)
        weights = found.path(gram.cross, penalties)
        if np.all(np.isfinite(weights)):
            return found, weights
    spectrum = Regression.of_moments(gram.matrix, gram.cross, gram.count)
    return spectrum, spectrum.path(penalties)


def doubtful_choices(scores: FloatArray, bounds: FloatArray) -> BoolArray:
    """Which scores rounding might have put in the wrong order with the smallest, shape (m,).

    Validation rows can lie outside the cloud of the inner rows, for which the bounds hold: hence the margin.
    """
    margins = MARGIN * bounds
    best = int(np.argmin(scores))
    rivals = scores - margins <= scores[best] + margins[best]
    # Only rivals can win, a margin below the tolerance is settled already, and a sole rival has won.
    return np.asarray(rivals & (margins > TOLERANCE) & (rivals.sum() > 1))


def accurate_path(
    inner: Rows, gram: Gram, decomposition: Spectrum | Banded, weights: FloatArray, penalties: FloatArray
) -> FloatArray:
    """Coefficients free of the moments' rounding, shape (p - 1, m): refined, or else from the design."""

    def solve(right: FloatArray) -> FloatArray:
        return decomposition.solve(right, penalties)

    weights, changes = refine(inner, gram, weights, penalties, solve)
    # Not `changes > TOLERANCE`: a NaN is unsettled too.
    unsettled = ~(changes <= TOLERANCE)
    if unsettled.any():
        weights[:, unsettled] = design_spectrum(inner, gram).path(penalties[unsettled])
    return weights


def validation_errors(
    rows: Rows, gram: Gram, weights: FloatArray, penalties: FloatArray, convention: Convention
) -> FloatArray:
    """RMSE of the forecasts of every column of `weights`, shape (m,)."""
    coefficients = weights / gram.scales[:, None]
    residuals = rows.target[:, None] - forecast_columns(
        rows, gram.target_mean * convention.shares(penalties) - gram.means @ coefficients, coefficients
    )
    return np.asarray(np.sqrt(np.mean(np.square(residuals), axis=0)))
