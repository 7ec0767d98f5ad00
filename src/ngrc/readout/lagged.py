"""Lagged products of the base signals: all that a quadratic design's second moments are made of.

The column x[t-is] x[t-(i+d)s] is the base signal u_d[t] = x[t] x[t-ds] read i lags back, and x[t-is] is x
read i lags back. A design of k lags and the q(q+1)/2 products of the first q therefore holds q + 1 signals and
their shifts.
Sums over rows of one signal times another l lags back are correlations, which Fourier transforms of short
blocks give in O(n k^2) operations, where the explicit design asks for O(n k^4).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ngrc._types import FloatArray, IntArray
from ngrc.features.core import Core
from ngrc.features.monomials import monomial_indices
from ngrc.features.rows import Rows

ComplexArray: TypeAlias = NDArray[np.complex128]

# Blocks eight times as long as the lags they overlap by waste an eighth.
OVERLAP = 8
# At few lags the quickest block of 32 to 512, by a tenth.
SHORTEST = 128
# A batch of blocks is 3.6 MB of doubles: few calls, and no copy of a long series for every signal.
BATCH_ENTRIES = 450_000


@dataclass(frozen=True, slots=True)
class Signals:
    """Base signals (x, u_0, ..., u_{q-1}) of some rows, less a constant each; x alone where q = 0.

    Parameters
    ----------
    padded
        The series from 2(k-1)s steps before the first origin on, zeros where it has not begun.
    count
        Number of rows n.
    lags, spacing
        Delay length k and lag spacing s.
    shift
        Constants taken off, shape (signals,): near the means, so that centring later cancels little.
    """

    padded: FloatArray
    count: int
    lags: int
    spacing: int
    shift: FloatArray

    @classmethod
    def of(cls, rows: Rows, shift: FloatArray | None = None) -> "Signals":
        """Signals of the core of `rows`; the shift is by default their mean over the rows."""
        core = core_of(rows)
        series = rows.inputs.channel(core.channel)
        first, stop = rows.first - rows.horizon, rows.stop - rows.horizon
        # The oldest column reads k - 1 lags back a signal that itself reaches k - 1 lags back.
        past = np.zeros(max(0, 2 * core.reach - first))
        padded = np.concatenate((past, series[max(0, first - 2 * core.reach) : stop]))
        if shift is None:
            now = series[first:stop]
            steps = range(0, core.product_lags * core.spacing, core.spacing)
            products = [now @ series[first - step : stop - step] for step in steps]
            shift = np.array([now.sum(), *products]) / rows.count
        return cls(padded, rows.count, core.lags, core.spacing, shift)

    @property
    def reach(self) -> int:
        """How far behind the origin the oldest delay lies, (k-1)s."""
        return (self.lags - 1) * self.spacing

    def windows(self, starts: IntArray, length: int) -> FloatArray:
        """Signals at every s-th step, from k - 1 lags before each of the rows `starts`.

        Returns
        -------
        FloatArray
            Shape (signals, length, len(starts)). Where u_d would read before the beginning it is not one
            of the design's columns, and holds anything finite.
        """
        steps = np.arange(length + self.lags - 1) * self.spacing
        values = self.padded.take(steps[:, None] + starts, mode="clip")
        now = values[self.lags - 1 :]
        signals = np.empty((self.shift.size, *now.shape))
        np.subtract(now, self.shift[0], out=signals[0])
        # Entry d of this view is the signal d lags before.
        row, across = values.strides
        shape = self.shift.size - 1, *now.shape
        earlier = np.ndarray(shape, values.dtype, values, (self.lags - 1) * row, (-row, row, across))
        np.multiply(now, earlier, out=signals[1:])
        signals[1:] -= self.shift[1:, None, None]
        return signals


def lagged_sums(signals: Signals, left: FloatArray, own: bool = True) -> FloatArray:
    """Sums over rows t of left[., t] times u_e[t - l s], for every signal e and every lag l < k.

    Parameters
    ----------
    signals
        Base signals u.
    left
        Further columns on the left, shape (m, n).
    own
        Whether the signals themselves join on the left, before the further columns.

    Returns
    -------
    FloatArray
        Shape (lags, signals + m or m, signals).
    """
    overlap = signals.lags - 1
    longest = -(-signals.count // signals.spacing) + overlap
    size = fast_length(min(max(SHORTEST, OVERLAP * overlap), longest))
    width = signals.shift.size
    spectrum = np.zeros((size // 2 + 1, own * width + left.shape[0], width), complex)
    for starts in _batches(signals, size):
        right = signals.windows(starts, size)
        rows = starts + np.arange(size - overlap)[:, None] * signals.spacing
        # The first k - 1 places of the left factor stay zero: a circular correlation at lags below k then never pairs a
        # row with one from the block's other end. The right factor fills them with the rows before the block.
        factors = np.zeros((spectrum.shape[1], *right.shape[1:]))
        factors[own * width :, overlap:] = left.take(rows, axis=1, mode="clip")
        if own:
            factors[:width, overlap:] = right[:, overlap:]
        # The last block reads beyond the end ("clip" repeats a value there): those rows must not count.
        if rows[-1, -1] >= signals.count:
            factors[:, overlap:] *= rows < signals.count
        before = np.fft.rfft(factors, axis=1).transpose(1, 0, 2)
        after = np.fft.rfft(right, axis=1).conj().transpose(1, 2, 0)
        spectrum += before @ after
    return first_lags(spectrum, size, signals.lags)


def first_lags(spectrum: ComplexArray, size: int, lags: int) -> FloatArray:
    """First entries along axis 0 of the real inverse transform of length `size`.

    So few lags are wanted that a product with their cosines and sines is cheaper than a transform.
    """
    cosines, sines = _waves(size, lags)
    flat = spectrum.reshape(len(spectrum), -1)
    sums = cosines @ flat.real - sines @ flat.imag
    return np.asarray(sums.reshape(lags, *spectrum.shape[1:]))


# Few, as those of 100 lags are two thirds of a megabyte.
@lru_cache(maxsize=16)
def _waves(size: int, lags: int) -> tuple[FloatArray, FloatArray]:
    """Weighted cosines and sines of the inverse transform, each of shape (lags, frequencies)."""
    frequencies = np.arange(size // 2 + 1)
    # Whole turns go before the multiplication by 2 pi, exactly, as they are whole numbers.
    angles = 2.0 * np.pi * (np.outer(np.arange(lags), frequencies) % size) / size
    # Every frequency but the zero and the highest of an even length stands for its conjugate as well.
    weights = np.where((frequencies == 0) | (2 * frequencies == size), 1.0, 2.0) / size
    return weights * np.cos(angles), weights * np.sin(angles)


def fast_length(minimum: int) -> int:
    """Smallest length of at least `minimum` that has no prime factor above 5.

    Examples
    --------
    >>> fast_length(350)
    360
    """
    length = max(1, minimum)
    while True:
        rest = length
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return length
        length += 1


def _batches(signals: Signals, size: int) -> Iterator[IntArray]:
    """First rows of blocks of every s-th row; together the blocks hold each row once."""
    # A block takes every s-th row, so that lags of the map are neighbours in it; s interleaved blocks cover a span.
    span = (size - signals.lags + 1) * signals.spacing
    starts = (np.arange(0, signals.count, span)[:, None] + np.arange(signals.spacing)).ravel()
    starts = starts[starts < signals.count]
    step = max(1, BATCH_ENTRIES // (size * signals.shift.size))
    for position in range(0, starts.size, step):
        yield starts[position : position + step]


@lru_cache(maxsize=64)
def column_sources(core: Core) -> tuple[IntArray, IntArray]:
    """Lag and signal of every column of a core, in the design's order.

    Examples
    --------
    >>> lag, signal = column_sources(Core("x", 2, 1, product_lags=2))
    >>> lag.tolist(), signal.tolist()
    ([0, 1, 0, 0, 1], [0, 0, 1, 2, 1])
    """
    products = monomial_indices(core.product_lags, 2)[core.product_lags :]
    lag = [*range(core.lags), *(index[0] for index in products)]
    signal = [*(0 for _ in range(core.lags)), *(1 + index[1] - index[0] for index in products)]
    return np.array(lag), np.array(signal)


def core_of(rows: Rows) -> Core:
    """The core of the rows' map; whoever asks has seen to it that there is one."""
    core = rows.feature_map.core
    if core is None:
        raise ValueError(
            "lagged sums need a map that begins with consecutive delays; sum its explicit columns"
        )
    return core
