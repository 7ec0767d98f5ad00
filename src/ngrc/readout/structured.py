"""Second moments of a quadratic design from its signals' lagged products, the design never made."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.features.core import Core
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
    moments = bordered(own, products[:, 2:], sums.thin[2:, 2:])
    # About the shift, not about the mean: what is left of the mean is small, and so is what it cancels.
    covariance = moments / sums.count - np.outer(offsets, offsets)
    cross = np.concatenate((products[:, 1], sums.thin[1, 2:])) / sums.count - offsets * target_offset
    spans = np.diagonal(sums.lagged[0])[signal]
    if window_cancels(np.diagonal(own), spans) or centring_cancels(np.diagonal(covariance), offsets):
        return None
    means = np.concatenate((shift.signals[signal], shift.extras)) + offsets
    return standardised_gram(sums.count, means, shift.target + target_offset, covariance, cross, convention)


def bordered(own: FloatArray, beside: FloatArray, corner: FloatArray) -> FloatArray:
    """The symmetric matrix ((own, beside), (beside', corner)); `own` itself where nothing stands beside it."""
    return np.block([[own, beside], [beside.T, corner]]) if len(corner) else own


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
    moves = _moves(core)
    signals = Signals.of(rows, shift)
    now, earlier = _ends(signals)
    current = lagged.transpose(1, 2, 0).copy().reshape(shift.size, -1)
    result = np.empty((core.count, core.count))
    for step, (start, stop, places) in enumerate(moves.steps):
        # Columns that stand `step` lags back against those at or behind them; symmetry gives the rest. At lag i the
        # signals x, u_0, ..., u_{q-1-i} have columns: the first ones of `current`, in the design's order.
        block = current[: stop - start].take(places, axis=1)
        result[start:stop, start:] = block
        result[start:, start:stop] = block.T
        # After the last lag there is nothing left to move.
        if step < len(now):
            current += now[step] @ earlier[step]
    return result[moves.order[:, None], moves.order]


@dataclass(frozen=True, slots=True)
class _Moves:
    """Where the columns of a core lie when they are sorted by lag: those of one lag are neighbours.

    `steps` has by lag the first of them, the one after the last, and where the products of these and all later ones
    lie among (signal, lag); `order` has the place of every column of the design.
    """

    steps: tuple[tuple[int, int, IntArray], ...]
    order: IntArray


# Few, as the places of 100 lags are two megabytes.
@lru_cache(maxsize=16)
def _moves(core: Core) -> _Moves:
    lag, signal = column_sources(core)
    columns = np.argsort(lag, kind="stable")
    lag, signal = lag[columns], signal[columns]
    starts = np.searchsorted(lag, np.arange(core.lags + 1)).tolist()
    steps = tuple(
        (start, stop, signal[start:] * core.lags + lag[start:] - step)
        for step, (start, stop) in enumerate(pairwise(starts))
    )
    return _Moves(steps, np.argsort(columns))


def _ends(signals: Signals) -> tuple[FloatArray, FloatArray]:
    """What moving the rows' window back by one lag, s rows at each end, adds to P: a product for every step.

    Returns
    -------
    now, earlier
        Shapes (k-1, signals, 2s) and (k-1, 2s, signals k). One product adds what enters at the window's beginning and
        takes off what leaves at its end, by the sign of the left factor.
    """
    back = -1 - np.arange(signals.reach)
    # Entry (e, l, end, i, r): u_e at l lags before the r-th row of the i-th step before that end.
    values = signals.windows(np.concatenate((back, signals.count + back)), signals.lags)[:, ::-1]
    values = values.reshape(signals.shift.size, signals.lags, 2, signals.lags - 1, signals.spacing)
    signs = np.array([1.0, -1.0])[:, None, None]
    now = (values[:, 0] * signs).transpose(2, 0, 1, 3)
    earlier = values.transpose(3, 2, 4, 0, 1)
    steps, width, both = signals.lags - 1, signals.shift.size, 2 * signals.spacing
    return now.reshape(steps, width, both), earlier.reshape(steps, both, width * signals.lags)
