"""Second moments of a quadratic design from its signals' lagged products, the design never made."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.gram import Gram, standardised_gram
from ngrc.readout.lagged import Signals, column_sources, core_of, lagged_sums

# Digits lost: to centring, when a column's spread is far below the offset that its shift has left; and to the
# moving window, when a column lacks a spike at the rows' end that is in its signal's sum.
# A ratio of 1e3 squares to 1e6: six of sixteen digits go, and ten, those of `refine.TOLERANCE`, are left.
OFFSET_LIMIT = 1e3
# Sums of squares are compared themselves, so that this costs three digits only.
WINDOW_LIMIT = 1e3
# A column that is constant but for rounding stays below this, in units of the series' scale, and has no digits to lose.
NO_OFFSET = 1e-9


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over rows that are enough for the moments; those of adjoining rows add up.

    Parameters
    ----------
    count
        Number of rows.
    lagged
        `lagged_sums` of the signals and of (1, target, extras), shape (lags, signals + 2 + q, signals).
    thin
        Products of (1, target, extras) with themselves, shape (2 + q, 2 + q).
    """

    count: int
    lagged: FloatArray
    thin: FloatArray

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(self.count + other.count, self.lagged + other.lagged, self.thin + other.thin)


@dataclass(frozen=True, slots=True)
class Shift:
    """Constants taken off before summing: near the means of signals, target and extras."""

    signals: FloatArray
    target: float
    extras: FloatArray

    @classmethod
    def of(cls, rows: Rows) -> "Shift":
        """Means over `rows`."""
        return cls(Signals.of(rows).shift, float(rows.target.mean()), rows.extras.mean(axis=0))


def row_sums(rows: Rows, shift: Shift) -> Sums:
    """Sums over all of `rows` about the given constants."""
    signals = Signals.of(rows, shift.signals)
    thin = np.vstack((np.ones(rows.count), rows.target - shift.target, (rows.extras - shift.extras).T))
    return Sums(rows.count, lagged_sums(signals, thin), thin @ thin.T)


def structured_gram(rows: Rows, sums: Sums, shift: Shift, convention: Convention = STANDARD) -> Gram | None:
    """Moments of the standardised design; None where centring would cancel too many digits."""
    lag, signal = column_sources(core_of(rows))
    width = shift.signals.size
    # Entry [l, a, e] is the sum of left column a times signal e, l lags back, and the design's column is that shifted
    # signal: one row per column with its products with 1, the target and the extras.
    products = sums.lagged[lag, width:, signal]
    offsets = np.concatenate((products[:, 0], sums.thin[0, 2:])) / sums.count
    target_offset = float(sums.thin[0, 1]) / sums.count
    own = shifted_products(rows, sums.lagged[:, :width], shift.signals)
    moments = np.block([[own, products[:, 2:]], [products[:, 2:].T, sums.thin[2:, 2:]]])
    # About the shift, not about the mean: what is left of the mean is small, and so is what it cancels.
    covariance = moments / sums.count - np.outer(offsets, offsets)
    cross = np.concatenate((products[:, 1], sums.thin[1, 2:])) / sums.count - offsets * target_offset
    spans = np.diagonal(sums.lagged[0])[signal]
    if window_cancels(np.diagonal(own), spans) or centring_cancels(np.diagonal(covariance), offsets):
        return None
    means = np.concatenate((shift.signals[signal], shift.extras)) + offsets
    return standardised_gram(sums.count, means, shift.target + target_offset, covariance, cross, convention)


def window_cancels(squares: FloatArray, spans: FloatArray) -> bool:
    """Whether a column's sum of squares is a small remainder of its signal's."""
    return bool(np.any(spans > WINDOW_LIMIT * squares + NO_OFFSET))


def centring_cancels(variances: FloatArray, offsets: FloatArray) -> bool:
    """Whether a column's variance is a small difference of its mean square and its squared offset."""
    return bool(np.any(np.abs(offsets) > OFFSET_LIMIT * np.sqrt(np.maximum(variances, 0.0)) + NO_OFFSET))


def shifted_products(rows: Rows, lagged: FloatArray, shift: FloatArray) -> FloatArray:
    """Products of all monomial columns, by moving the rows' window back one lag at a time.

    With P_i(d, e, l) the sum over rows of u_d[t-is] u_e[t-(i+l)s], P_0 is given and P_{i+1} - P_i is what
    enters at the window's beginning less what leaves at its end.

    Parameters
    ----------
    rows
        The rows, for their two ends.
    lagged
        P_0, shape (lags, signals, signals): by l, d, e.
    shift
        Constants taken off the signals.
    """
    core = core_of(rows)
    lag, signal = column_sources(core)
    signals = Signals.of(rows, shift)
    entering, leaving = (_before(signals, end) for end in (0, rows.count))
    # One product adds what enters and takes off what leaves, by the sign of the left factor.
    now = np.concatenate((entering[:, 0], -leaving[:, 0]), axis=1)
    earlier = np.concatenate((entering, leaving), axis=2)
    current = lagged.transpose(1, 2, 0).copy()
    result = np.empty((lag.size, lag.size))
    for step in range(core.lags):
        # Columns that stand `step` lags back against those at or behind them; symmetry gives the rest. At lag i the
        # signals x, u_0, ..., u_{q-1-i} have columns: the first ones of `current`, in the design's order.
        own, later = np.flatnonzero(lag == step), np.flatnonzero(lag >= step)
        block = current[: own.size, signal[later], lag[later] - step]
        result[np.ix_(own, later)] = block
        result[np.ix_(later, own)] = block.T
        # One lag is s rows at each end of the window; after the last lag there is nothing left to move.
        ends = np.arange(step * core.spacing, min((step + 1) * core.spacing, signals.reach))
        ends = np.concatenate((ends, ends + signals.reach))
        current += np.tensordot(now[:, ends], earlier[:, :, ends], axes=(1, 2))
    return result


def _before(signals: Signals, end: int) -> FloatArray:
    """Signals before row `end`: entry (e, l, r) is u_e at l lags before row end - 1 - r, r < (k-1)s."""
    starts = end - 1 - np.arange(signals.reach)
    return signals.windows(starts, signals.lags)[:, ::-1]
