"""A fixed random reservoir: a sparse recurrent map that turns a scalar sequence into states.

    h <- (1 - leak) h + gain tanh(W h + w u)

with gain 1 as in the published ResCP code, or gain = leak as in its text (Neglia et al., ICLR 2026).
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ngrc._kernels.rescp import RESERVOIR_LANES as LANES
from ngrc._kernels.rescp import reservoir_recur
from ngrc._threads import one_thread
from ngrc._types import FloatArray, IntArray
from ngrc.archive import check_shape, check_that
from ngrc.validation import check_count, check_positive, check_vector

Recurrence: TypeAlias = Literal["code", "paper"]


class Packed(NamedTuple):
    """A recurrent matrix packed for the recurrence, as `Reservoir` describes."""

    rows: IntArray
    bounds: IntArray
    values: FloatArray
    columns: NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Reservoir:
    """A drawn reservoir; `draw_reservoir` makes one.

    The recurrent matrix is packed for the recurrence: four rows of like length side by side, padded with
    zeros, so that four sums run at once and none waits for the addition before it.

    Parameters
    ----------
    rows
        Which unit each packed row belongs to, shape (size,).
    bounds
        Where each group of four rows begins in `values`, shape (groups + 1,).
    values, columns
        Packed entries of W and their columns, shape (entries, 4).
    input_weights
        Shape (size,).
    leak, gain
        The recurrence's two coefficients.
    """

    rows: IntArray
    bounds: IntArray
    values: FloatArray
    columns: NDArray[np.uint32]
    input_weights: FloatArray
    leak: float
    gain: float

    def check_kept(self) -> None:
        """Refuse units and entries that are not there."""
        groups = -(-self.size // LANES)
        for name, array, shape in (
            ("rows", self.rows, (self.size,)),
            ("bounds", self.bounds, (groups + 1,)),
            ("values", self.values, (len(self.values), LANES)),
            ("columns", self.columns, self.values.shape),
        ):
            check_shape(array, shape, f"the reservoir's {name}")
        check_that(self.size > 0 and bool(np.all(self.rows >= 0)), "the reservoir has units")
        check_that(
            bool(np.all(self.rows < self.size) and np.all(self.columns < self.size)), "units are there"
        )
        inside = self.bounds[0] >= 0 and self.bounds[-1] <= len(self.values)
        check_that(bool(inside and np.all(np.diff(self.bounds) >= 0)), "groups are there")

    @property
    def size(self) -> int:
        """Number of units."""
        return int(self.input_weights.size)

    @property
    def matrix(self) -> FloatArray:
        """The recurrent weights W as a dense array, shape (size, size)."""
        dense = np.zeros((self.size, self.size))
        for place, row in enumerate(self.rows):
            group, lane = divmod(place, LANES)
            entries = slice(self.bounds[group], self.bounds[group + 1])
            np.add.at(dense[row], self.columns[entries, lane], self.values[entries, lane])
        return dense

    def states(self, inputs: FloatArray, initial: FloatArray | None = None) -> FloatArray:
        """States after each input, shape (n, size), from `initial` (zero unless given).

        Examples
        --------
        >>> reservoir = draw_reservoir(20, seed=1)
        >>> path = reservoir.states(np.array([0.5, -1.0, 2.0]))
        >>> path.shape, bool(np.allclose(reservoir.step(path[1], 2.0), path[2], rtol=0, atol=0))
        ((3, 20), True)
        """
        inputs = check_vector(inputs, "inputs")
        state = np.zeros(self.size) if initial is None else check_vector(initial, "initial")
        if state.size != self.size:
            raise ValueError(f"initial must hold {self.size} values, one per unit, got {state.size}")
        path = np.empty((inputs.size, self.size))
        packed = self.rows, self.bounds, self.values, self.columns
        reservoir_recur(*packed, self.input_weights, self.leak, self.gain, inputs, state, path)
        return path

    def step(self, state: FloatArray, value: float) -> FloatArray:
        """The state after one more input, shape (size,)."""
        following: FloatArray = self.states(np.array([value]), state)[0]
        return following


@lru_cache(maxsize=8)
def draw_reservoir(
    size: int = 512,
    spectral_radius: float = 1.2,
    leak: float = 0.9,
    input_scaling: float = 0.25,
    connectivity: float = 0.2,
    recurrence: Recurrence = "code",
    *,
    seed: int = 0,
) -> Reservoir:
    """Draw a reservoir; the same arguments give the same value, which is kept for the next call.

    Each entry of W is non-zero with probability `connectivity` and then uniform in [-0.5, 0.5]; W is
    scaled to `spectral_radius`. Input weights are `input_scaling` with a random sign. There is no bias.

    Examples
    --------
    >>> reservoir = draw_reservoir(50, spectral_radius=0.8, seed=3)
    >>> round(float(abs(np.linalg.eigvals(reservoir.matrix)).max()), 12)
    0.8
    """
    check_reservoir(size, spectral_radius, leak, input_scaling, connectivity, recurrence, seed=seed)
    rng = np.random.default_rng(seed)
    # Entries, mask, signs: the order of the draws is part of what a seed means.
    matrix = _drawn(size, connectivity, rng)
    radius = _radius(size, connectivity, seed)
    if radius > 0.0:  # a tiny reservoir may draw no cycle at all
        matrix *= spectral_radius / radius
    signs = np.where(rng.random(size) < 0.5, -1.0, 1.0)
    gain = 1.0 if recurrence == "code" else leak
    return Reservoir(**_pack(matrix)._asdict(), input_weights=input_scaling * signs, leak=leak, gain=gain)


def _drawn(size: int, connectivity: float, rng: np.random.Generator) -> FloatArray:
    """The matrix of a seed before it is scaled."""
    entries = rng.uniform(-0.5, 0.5, (size, size))
    return np.where(rng.random((size, size)) < connectivity, entries, 0.0)


# Numbers, where `draw_reservoir` keeps matrices: a scan over seeds and both recurrences wants each radius, nearly all
# of a draw's time, more than once, and it has fewer seeds than this.
@lru_cache(maxsize=1024)
def _radius(size: int, connectivity: float, seed: int) -> float:
    """The largest modulus of an eigenvalue of the matrix that this seed draws."""
    # On one thread: the eigenvalues' last bits move with the number of threads, and the reservoir with them; and on a
    # busy machine two threads wait for each other many times longer than one would take.
    with one_thread():
        return float(np.abs(np.linalg.eigvals(_drawn(size, connectivity, np.random.default_rng(seed)))).max())


def check_reservoir(
    size: int,
    spectral_radius: float,
    leak: float,
    input_scaling: float,
    connectivity: float,
    recurrence: Recurrence,
    *,
    seed: int,
) -> None:
    """Raise `ValueError` on settings of which no reservoir can be drawn."""
    check_count(size, "size")
    check_count(seed, "seed", 0)
    check_positive(spectral_radius, "spectral_radius")
    check_positive(input_scaling, "input_scaling")
    for name, value in (("connectivity", connectivity), ("leak", leak)):
        if check_positive(value, name) > 1.0:
            raise ValueError(f"{name} must be in (0, 1], got {value}")
    if recurrence not in ("code", "paper"):
        raise ValueError(f"recurrence must be 'code' or 'paper', got {recurrence!r}")


def _pack(matrix: FloatArray) -> Packed:
    """Rows of like length in groups of four, each group padded to its longest row."""
    lengths = np.count_nonzero(matrix, axis=1)
    # Sorted by length, so that a group pads little: rows of 512 units differ by some 9 entries either way.
    rows = np.argsort(lengths, kind="stable").astype(np.int64)
    bounds, values, columns = [0], [], []
    for first in range(0, rows.size, LANES):
        group = rows[first : first + LANES]
        entries = np.zeros((int(lengths[group].max()), LANES))
        places = np.zeros(entries.shape, dtype=np.uint32)
        for lane, row in enumerate(group):
            filled = np.flatnonzero(matrix[row])
            entries[: filled.size, lane] = matrix[row, filled]
            places[: filled.size, lane] = filled
        bounds.append(bounds[-1] + len(entries))
        values.append(entries)
        columns.append(places)
    return Packed(rows, np.array(bounds, dtype=np.int64), np.concatenate(values), np.concatenate(columns))
